import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '#kit/list/table/column.ts';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { ScrollArea } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useRowReason } from './row-reason.ts';

/** The number of further rows that each click shows. */
export const SHOWN_AT_ONCE = 200;

interface CheckedRowsProps<Item> {
  items: readonly Item[];
  /** Columns between the row's number in the file and its end. */
  columns: readonly Column<Item>[];
}

/** The rows of a checked file. A long file begins with some of them, and has a button for more. */
export function CheckedRows<Item extends { position: number }>({
  items,
  columns,
}: CheckedRowsProps<Item>) {
  const { t } = useTranslation('bulk');
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const more = items.length > shown && (
    <Button variant="text" size="small" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
      {t('recurring.more')}
    </Button>
  );
  const number: Column<Item> = {
    ...{ id: 'row', title: t('columns.row'), look: 'quiet' },
    cell: ({ position }) => position,
  };
  return (
    <div className="flex flex-col max-h-105 [&_[data-tone]]:h-auto [&_[data-tone]]:min-h-6 [&_[data-tone]]:py-0.5 [&_[data-tone]]:whitespace-normal [&_[data-tone]]:wrap-anywhere">
      <ScrollArea label={t('import.result')}>
        <SmallTable
          isStacked
          columns={[number, ...columns]}
          rows={items.slice(0, shown)}
          rowId={({ position }) => position}
          more={more}
        />
      </ScrollArea>
    </div>
  );
}

/** The reason why a row of a file cannot be imported. */
export function RefusedRow({ error }: { error: JobItem['error'] }) {
  const reason = useRowReason();
  return (
    <span className="flex items-start gap-2 text-danger [&_svg]:mt-[3px]">
      <CircleAlert size={16} />
      {reason(error)}
    </span>
  );
}
