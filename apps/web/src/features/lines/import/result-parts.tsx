import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '#kit/list/table/column.ts';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { ScrollArea } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { RequestDetails } from '#kit/ui/states/request-details.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
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

interface OnlyValidProps {
  value: boolean;
  onChange: (onlyValid: boolean) => void;
}

/** The choice of what happens to a file with invalid rows: nothing is imported, or only its valid rows are. */
export function OnlyValid({ value, onChange }: OnlyValidProps) {
  const { t } = useTranslation('bulk');
  const name = useId();
  return (
    <fieldset className="[&_label]:min-h-9 [&_label]:cursor-pointer [&_input]:flex-none [&_input]:w-4.5 [&_input]:h-4.5 [&_input]:[accent-color:var(--color-primary)] phone:[&_label]:min-h-11">
      <legend>{t('import.ifWrong')}</legend>
      <label className="flex items-center gap-3">
        <input type="radio" name={name} checked={!value} onChange={() => onChange(false)} />
        {t('import.nothing')}
      </label>
      <label className="flex items-center gap-3">
        <input type="radio" name={name} checked={value} onChange={() => onChange(true)} />
        {t('import.onlyValid')}
      </label>
    </fieldset>
  );
}

/** The foot of a step of an import: notes first, then the buttons. */
export function ImportActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center flex-wrap justify-end gap-y-2 gap-x-4 [&>:first-child]:flex-[1_1_240px] phone:[&>button]:flex-[1_0_100%]">
      {children}
    </div>
  );
}

/** The error for which a check or an import was refused as a whole. */
export function Failed({ error }: { error: unknown }) {
  const errorText = useErrorText();
  if (!error) return null;
  return (
    <Banner isAlert tone="error" title={errorText(error)}>
      <RequestDetails error={error} />
    </Banner>
  );
}
