import { type ListedTransfer, listTransfers } from '@linekeeper/contract/credits/transfers.ts';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { ChevronsDown } from 'lucide-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { call } from '#platform/api/client.ts';
import { formatMoment } from '#platform/format/format-moment.ts';
import { Amount, Facts, LineName, useBundleText } from './transfer-cells.tsx';

const AT_ONCE = 25;

const bundleQuery = (bundle_id: string) =>
  infiniteQueryOptions({
    queryKey: ['transfers', 'bundle', bundle_id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        listTransfers,
        { query: { bundle_id, cursor, limit: AT_ONCE, sort: 'created_at' } },
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });

interface BundleRowsProps {
  /** The first transfer of the bundle. */
  transfer: ListedTransfer;
  /** Buttons of each transfer. */
  Actions?: ComponentType<{ row: ListedTransfer }>;
}

/** The transfers of a bundle, oldest first. They are fetched when the bundle's row is opened. */
export function BundleRows({ transfer, Actions }: BundleRowsProps) {
  const { t } = useTranslation('credits');
  const label = useBundleLabel();
  const { data, error, refetch, ...more } = useInfiniteQuery(bundleQuery(transfer.id));
  if (!data) {
    return error ? (
      <FailedPanel error={error} onRetry={() => void refetch()} />
    ) : (
      <p className="text-text-2">{t('loading')}</p>
    );
  }
  const rows = data.pages.flatMap(({ items }) => items);
  return (
    <div className="grid grid-cols-1 gap-2 [padding-inline:44px_8px] [&>ul]:m-0 [&>ul]:p-0 [&>ul]:list-none [&>button]:justify-self-start [&>button]:self-start phone:px-0 phone:mt-3">
      <ul className="divided" aria-label={label(transfer) ?? undefined}>
        {rows.map((row) => (
          <BundleRow key={row.id} transfer={row} Actions={Actions} />
        ))}
      </ul>
      {more.hasNextPage && (
        <Button
          variant="soft"
          size="small"
          icon={<ChevronsDown />}
          pending={more.isFetchingNextPage}
          onClick={() => void more.fetchNextPage()}
        >
          {t('recurring.more')}
        </Button>
      )}
    </div>
  );
}

/** One of the transfers, with the balance after it. */
function BundleRow({
  transfer,
  Actions,
}: {
  transfer: ListedTransfer;
  Actions: BundleRowsProps['Actions'];
}) {
  const { t } = useTranslation('credits');
  const { balance_after, refunded_at } = transfer;
  return (
    <li className="flex items-center gap-4 py-2 [font-variant-numeric:tabular-nums] [&>:last-child]:text-end">
      <span className="grid grid-cols-1 flex-1 gap-0.5 min-w-0 wrap-anywhere">
        <b>
          <LineName transfer={transfer} />
        </b>
        <Facts transfer={transfer} />
      </span>
      {refunded_at && <span className="text-text-2">{t('field.refunded')}</span>}
      {Actions && <Actions row={transfer} />}
      <span className="grid grid-cols-1 items-end gap-0.5 flex-none">
        <b>
          <Amount transfer={transfer} />
        </b>
        {balance_after !== null && (
          <small>{t('recurring.balance', { value: balance_after })}</small>
        )}
      </span>
    </li>
  );
}

/** Names the rows of a bundle, and the button that opens it. */
export function useBundleLabel(): (transfer: ListedTransfer) => string | null {
  const { t, i18n } = useTranslation('credits');
  const textOf = useBundleText();
  return (transfer) =>
    transfer.bundle &&
    t('bundle.open', {
      what: textOf(transfer),
      time: formatMoment(transfer.created_at, i18n.language),
    });
}

/** True if at least one of the rows is a bundle, which can be opened. */
export const hasBundles = (rows: readonly ListedTransfer[] | undefined) =>
  rows?.some(({ bundle }) => bundle) ?? false;
