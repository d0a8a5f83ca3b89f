import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/session.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { CheckboxField } from '../../../shared/ui/checkbox-field.tsx';
import table from '../../../shared/ui/data-table.module.css';
import { type Draft, dataRows } from './draft.ts';
import styles from './import.module.css';
import { type ImportField, importFields, type Mapping, remapped } from './import-fields.ts';
import { shownCell } from './read-file.ts';

const SAMPLES = 3;

interface MappingCardProps {
  draft: Draft;
  onMap: (mapping: Mapping) => void;
  onHeadings: (hasHeadings: boolean) => void;
}

/** What each column of the file means, beside some of what stands in it. */
export function MappingCard({ draft, onMap, onHeadings }: MappingCardProps) {
  const { t } = useTranslation('bulk');
  const { mapping, hasHeadings, file } = draft;
  const samples = dataRows(draft).slice(0, SAMPLES);
  const nameOf = (column: number) =>
    (hasHeadings && file.rows[0]?.cells[column]) || t('import.column', { number: column + 1 });
  return (
    <Card title={t('import.columns')}>
      <CheckboxField checked={hasHeadings} onChange={onHeadings}>
        {t('import.hasHeadings')}
      </CheckboxField>
      <div className={styles.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('import.inFile')}</th>
              <th scope="col">{t('import.means')}</th>
              <th scope="col" className="only-wide">
                {t('import.sample')}
              </th>
            </tr>
          </thead>
          <tbody>
            {mapping.map((field, column) => {
              const texts = samples.map(({ cells }) => shownCell(cells[column] ?? ''));
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place
                <tr key={column}>
                  <th scope="row">{nameOf(column)}</th>
                  <td>
                    <FieldSelect
                      label={t('import.meaningOf', { column: nameOf(column) })}
                      value={field}
                      onChange={(chosen) => onMap(remapped(mapping, column, chosen))}
                    />
                  </td>
                  <td data-look="quiet" className="only-wide">
                    {field === 'password' ? '••••••••' : texts.filter(Boolean).join(', ')}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
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
  const { is_admin } = useMe();
  // Only administrators may say a date on a new line.
  const fields = importFields.filter((field) => is_admin || field !== 'expiry_date');
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
        {fields.map((field) => (
          <option key={field} value={field}>
            {t(`field.${field}`)}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden="true" />
    </span>
  );
}
