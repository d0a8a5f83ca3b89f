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

interface ImportRowsProps {
  items: JobItem[];
}

/** Every row of the file, by its number there. */
export function ImportRows({ items }: ImportRowsProps) {
  const { t } = useTranslation('bulk');
  const { day } = useItemTexts();
  const reason = useReason();
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
                <td data-look="quiet">{item.position}</td>
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

/** With the column it is about. */
function useReason(): (item: JobItem) => string {
  const { t } = useTranslation('bulk');
  const itemReason = useItemReason();
  return (item) => {
    const { error } = item;
    if (!error) return '';
    const text = itemReason(item);
    const field = importFields.find((name) => name === error.field);
    return field ? `${t(`field.${field}`)}: ${text}` : text;
  };
}
