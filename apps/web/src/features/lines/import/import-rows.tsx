import type { JobItem } from '@linekeeper/contract/bulk.ts';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useItemReason } from '../../../shared/jobs/use-item-reason.ts';
import { useItemTexts } from '../../../shared/jobs/use-item-texts.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import table from '../../../shared/ui/data-table.module.css';
import { ScrollArea } from '../../../shared/ui/sheet-dialog.tsx';
import styles from './import.module.css';
import { importFields } from './import-fields.ts';
import type { FileRow } from './read-file.ts';

interface ImportRowsProps {
  items: JobItem[];
  rows: FileRow[];
}

/** Every row of the file, by its number there. */
export function ImportRows({ items, rows }: ImportRowsProps) {
  const { t } = useTranslation('bulk');
  const { day } = useItemTexts();
  const reason = useReason(rows);
  return (
    <div className={styles.rows}>
      <ScrollArea label={t('import.result')}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('columns.row')}</th>
              <th scope="col">{t('columns.username')}</th>
              <th scope="col" data-align="end">
                {t('columns.cost')}
              </th>
              <th scope="col">{t('columns.result')}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.position}>
                <td data-look="quiet">{rows[item.position - 1]?.number}</td>
                <th scope="row">{item.username}</th>
                <td data-align="end">
                  {item.state === 'skipped' ? '' : t('number', { value: item.cost })}
                </td>
                <td>
                  {item.state === 'skipped' ? (
                    <span className={styles.problem}>
                      <CircleAlert size={16} aria-hidden="true" />
                      {reason(item)}
                    </span>
                  ) : (
                    <Badge tone="success" icon={<CircleCheck />}>
                      {t('import.until', { day: day(item.after) })}
                    </Badge>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </div>
  );
}

/** With the column it is about, and other rows named as the file counts them. */
function useReason(rows: FileRow[]): (item: JobItem) => string {
  const { t } = useTranslation('bulk');
  const itemReason = useItemReason();
  return (item) => {
    const { error } = item;
    if (!error) return '';
    const { row } = error.data;
    const number = typeof row === 'number' ? rows[row - 1]?.number : undefined;
    const data = number === undefined ? error.data : { ...error.data, row: number };
    const text = itemReason({ ...item, error: { ...error, data } });
    const field = importFields.find((name) => name === error.field);
    return field ? `${t(`field.${field}`)}: ${text}` : text;
  };
}
