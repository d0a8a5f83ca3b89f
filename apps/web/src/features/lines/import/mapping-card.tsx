import { type Mapping, withColumnMapped } from '@linekeeper/contract/files/csv-columns.ts';
import { type LineField, lineFields } from '@linekeeper/contract/files/faults.ts';
import type { TableFile } from '@linekeeper/contract/files/read-file.ts';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../../shared/browser/use-is-phone.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import type { Column } from '../../../shared/list/table/column.ts';
import { SmallTable } from '../../../shared/list/table/small-table.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { CheckboxField } from '../../../shared/ui/controls/checkbox-field.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { ChoiceSelect } from './choice-select.tsx';
import styles from './import.module.css';
import { shownCell } from './import-fields.ts';

const SAMPLES = 3;

interface MappingCardProps {
  file: TableFile;
  mapping: Mapping;
  onMap: (mapping: Mapping) => void;
  onHeadings: (hasHeadings: boolean) => void;
}

/** A column of the file, identified by its position. */
interface MappedColumn {
  field: LineField | null;
  place: number;
}

/** Assigns a field to each column, next to some of its values. */
export function MappingCard({ file, mapping, onMap, onHeadings }: MappingCardProps) {
  const { t } = useTranslation('bulk');
  const { hasHeadings, headings, rows } = file;
  const samples = rows.slice(0, SAMPLES);
  const nameOf = (column: number) =>
    shownCell(headings[column] ?? '') || t('import.column', { number: column + 1 });
  const isPhone = useIsPhone();
  const fields = mapping.map((field, place) => ({ field, place }));
  const sample: Column<MappedColumn> = {
    id: 'sample',
    title: t('import.sample'),
    look: 'quiet',
    cell: ({ field, place }) => {
      const texts = samples.map(({ cells }) => isolate(shownCell(cells[place] ?? '')));
      return field === 'password' ? '••••••••' : texts.filter(Boolean).join(', ');
    },
  };
  const columns: Column<MappedColumn>[] = [
    {
      id: 'column',
      kind: 'name',
      title: t('import.inFile'),
      // On a phone long names are cut behind an underscore.
      cell: ({ place }) => <TypedText>{nameOf(place).replaceAll('_', '_\u200b')}</TypedText>,
    },
    {
      id: 'means',
      title: t('import.means'),
      cell: ({ field, place }) => (
        <ChoiceSelect
          label={t('import.meaningOf', { column: nameOf(place) })}
          value={field ?? ''}
          none={t('import.leaveOut')}
          options={lineFields.map((name) => ({ value: name, text: t(`field.${name}`) }))}
          onChange={(chosen) => onMap(withColumnMapped(mapping, place, fieldCalled(chosen)))}
        />
      ),
    },
    ...(isPhone ? [] : [sample]),
  ];
  return (
    <Card title={t('import.columns')}>
      <CheckboxField checked={hasHeadings} onChange={onHeadings}>
        {t('import.hasHeadings')}
      </CheckboxField>
      <div className={styles.scroll}>
        <SmallTable columns={columns} rows={fields} rowId={({ place }) => place} />
      </div>
    </Card>
  );
}

function fieldCalled(name: string): LineField | null {
  return lineFields.find((field) => field === name) ?? null;
}
