import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../../shared/i18n/isolate.ts';
import type { Column } from '../../../shared/list/table/column.ts';
import { Table } from '../../../shared/list/table/table.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { CheckboxField } from '../../../shared/ui/controls/checkbox-field.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { useIsPhone } from '../../../shared/ui/use-is-phone.ts';
import { type Draft, dataRows } from './draft.ts';
import styles from './import.module.css';
import {
  type ImportField,
  importFields,
  type Mapping,
  remapped,
  shownCell,
} from './import-fields.ts';

const SAMPLES = 3;

interface MappingCardProps {
  draft: Draft;
  onMap: (mapping: Mapping) => void;
  onHeadings: (hasHeadings: boolean) => void;
}

/** A column of the file, identified by its position. */
interface MappedColumn {
  field: ImportField | null;
  place: number;
}

/** Assigns a field to each column, next to some of its values. */
export function MappingCard({ draft, onMap, onHeadings }: MappingCardProps) {
  const { t } = useTranslation('bulk');
  const { mapping, hasHeadings, file } = draft;
  const samples = dataRows(draft).slice(0, SAMPLES);
  const nameOf = (column: number) =>
    (hasHeadings && shownCell(file.rows[0]?.cells[column] ?? '')) ||
    t('import.column', { number: column + 1 });
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
      cell: ({ place }) => <TypedText>{nameOf(place)}</TypedText>,
    },
    {
      id: 'means',
      title: t('import.means'),
      cell: ({ field, place }) => (
        <FieldSelect
          label={t('import.meaningOf', { column: nameOf(place) })}
          value={field}
          onChange={(chosen) => onMap(remapped(mapping, place, chosen))}
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
        <Table look="small" columns={columns} rows={fields} rowId={({ place }) => place} />
      </div>
    </Card>
  );
}

interface FieldSelectProps {
  label: string;
  value: ImportField | null;
  onChange: (field: ImportField | null) => void;
}

function FieldSelect({ label, value, onChange }: FieldSelectProps) {
  const { t } = useTranslation('bulk');
  return (
    <span className={styles.select} data-empty={value === null || undefined}>
      <select
        aria-label={label}
        value={value ?? ''}
        onChange={({ target }) =>
          onChange(importFields.find((field) => field === target.value) ?? null)
        }
      >
        <option value="">{t('import.leaveOut')}</option>
        {importFields.map((field) => (
          <option key={field} value={field}>
            {t(`field.${field}`)}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden="true" />
    </span>
  );
}
