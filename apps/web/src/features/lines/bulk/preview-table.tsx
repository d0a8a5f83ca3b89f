import type { Job, JobItem } from '@linekeeper/contract/bulk.ts';
import { CircleMinus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ItemValues } from '../../../shared/jobs/item-values.tsx';
import { shownItems } from '../../../shared/jobs/shown-items.ts';
import { useItemReason } from '../../../shared/jobs/use-item-reason.ts';
import { useItemTexts } from '../../../shared/jobs/use-item-texts.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import table from '../../../shared/ui/data-table.module.css';
import { ScrollArea } from '../../../shared/ui/sheet-dialog.tsx';
import { useIsPhone } from '../../../shared/ui/use-is-phone.ts';
import styles from './bulk-dialog.module.css';
import type { PreviewedAction } from './term.ts';

interface PreviewTableProps {
  action: PreviewedAction;
  job: Job;
}

interface Column {
  title: string;
  cell: (item: JobItem) => ReactNode;
  look?: 'quiet' | 'strong';
  align?: 'end';
}

/** Each line as it is and as it would be, with its price; and why others are left out. */
export function PreviewTable({ action, job }: PreviewTableProps) {
  const { t } = useTranslation('bulk');
  const { rows, more } = shownItems(job.items);
  const columns = useColumns(action, rows);
  return (
    <ScrollArea label={t('preview.table')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('columns.username')}</th>
            {columns.map(({ title, align }) => (
              <th key={title} scope="col" data-align={align}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((item) =>
            item.state === 'skipped' ? (
              <SkippedRow key={item.position} item={item} columns={columns.length} />
            ) : (
              <tr key={item.position}>
                <th scope="row">{item.username}</th>
                {columns.map(({ title, cell, look, align }) => (
                  <td key={title} data-look={look} data-align={align}>
                    {cell(item)}
                  </td>
                ))}
              </tr>
            ),
          )}
          {more > 0 && (
            <tr>
              <td colSpan={columns.length + 1} data-look="more">
                {t('more', { count: more })}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </ScrollArea>
  );
}

const Day = ({ text }: { text: string }) => <span className={styles.day}>{text}</span>;

function useColumns(action: PreviewedAction, rows: JobItem[]): Column[] {
  const { t } = useTranslation('bulk');
  const isPhone = useIsPhone();
  const { before, after, day } = useItemTexts(action === 'move' ? rows : []);
  const isPriced = rows.some(({ cost }) => cost > 0);
  const cost: Column = {
    title: t('columns.cost'),
    cell: (item) => t('number', { value: item.cost }),
    look: 'strong',
    align: 'end',
  };
  const expiry: Column = {
    title: t('columns.expiry'),
    cell: (item) => <Day text={day(item.before)} />,
    look: 'quiet',
  };
  if (action === 'delete') return [expiry];
  if (action === 'renew') {
    const newExpiry: Column = {
      title: t('columns.newExpiry'),
      cell: (item) => <Day text={day(item.after)} />,
    };
    return [...(isPhone ? [] : [expiry]), newExpiry, ...(isPriced ? [cost] : [])];
  }
  return [
    {
      title: t('columns.before'),
      cell: (item) => <ItemValues values={before(item)} />,
      look: 'quiet',
    },
    { title: t('columns.after'), cell: (item) => <ItemValues values={after(item)} /> },
  ];
}

function SkippedRow({ item, columns }: { item: JobItem; columns: number }) {
  const { t } = useTranslation('bulk');
  const isPhone = useIsPhone();
  const reason = useItemReason()(item);
  const hasBadge = !isPhone && columns > 1;
  return (
    <tr>
      <th scope="row" data-look="quiet">
        {item.username}
      </th>
      {hasBadge && (
        <td>
          <Badge tone="neutral" icon={<CircleMinus />}>
            {t('state.skipped')}
          </Badge>
        </td>
      )}
      <td data-look="quiet" colSpan={hasBadge ? columns - 1 : columns}>
        {reason}
      </td>
    </tr>
  );
}
