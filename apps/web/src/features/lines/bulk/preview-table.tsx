import type { Job, JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { CircleMinus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ItemValues } from '#domain/jobs/item-values.tsx';
import { shownItems } from '#domain/jobs/shown-items.ts';
import { useItemReason, useItemTexts } from '#domain/jobs/use-item-texts.ts';
import type { Column } from '#kit/list/table/column.ts';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { ScrollArea } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import type { PreviewedAction } from './bulk-change.ts';

export function PreviewTable({ action, job }: { action: PreviewedAction; job: Job }) {
  const { t } = useTranslation('bulk');
  const { rows, more } = shownItems(job.items);
  const columns = useColumns(action, rows);
  const name: Column<JobItem> = {
    id: 'username',
    kind: 'name',
    title: t('field.username'),
    cell: ({ username }) => <TypedText>{username}</TypedText>,
  };
  return (
    <ScrollArea label={t('nav.lines')}>
      <SmallTable
        columns={[name, ...columns]}
        rows={rows}
        rowId={({ position }) => position}
        insteadOf={(item) => item.state === 'skipped' && <Skipped item={item} />}
        more={more > 0 && t('more', { count: more })}
      />
    </ScrollArea>
  );
}

const Day = ({ text }: { text: string }) => <span className="whitespace-nowrap">{text}</span>;

function useColumns(action: PreviewedAction, rows: JobItem[]): Column<JobItem>[] {
  const { t } = useTranslation('bulk');
  const isPhone = useIsPhone();
  const { before, after, day } = useItemTexts(action === 'move' ? rows : []);
  const isPriced = rows.some(({ cost }) => cost !== 0);
  const cost: Column<JobItem> = {
    id: 'cost',
    title: t('field.cost'),
    cell: (item) => t('number', { value: item.cost }),
    look: 'strong',
    align: 'end',
  };
  const expiry: Column<JobItem> = {
    id: 'expiry',
    title: t('field.expiry'),
    cell: (item) => <Day text={day(item.before)} />,
    look: 'quiet',
  };
  if (action === 'delete') return [expiry];
  if (action === 'renew') {
    const newExpiry: Column<JobItem> = {
      id: 'newExpiry',
      title: t('field.newExpiry'),
      cell: (item) => <Day text={day(item.after)} />,
    };
    return [...(isPhone ? [] : [expiry]), newExpiry, ...(isPriced ? [cost] : [])];
  }
  return [
    {
      id: 'before',
      title: t('field.before'),
      cell: (item) => <ItemValues values={before(item)} />,
      look: 'quiet',
    },
    { id: 'after', title: t('field.after'), cell: (item) => <ItemValues values={after(item)} /> },
    ...(isPriced ? [cost] : []),
  ];
}

function Skipped({ item }: { item: JobItem }) {
  const { t } = useTranslation('bulk');
  const isPhone = useIsPhone();
  const reason = useItemReason()(item);
  return (
    <span className="flex items-center gap-y-2 gap-x-4">
      {!isPhone && (
        <Badge tone="neutral" icon={<CircleMinus />}>
          {t('state.skipped')}
        </Badge>
      )}
      <span>{reason}</span>
    </span>
  );
}
