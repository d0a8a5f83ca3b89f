import { type ListedTransfer, listTransfers } from '@linekeeper/contract/credits/transfers.ts';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { ChevronsDown } from 'lucide-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Divided, Muted, Row, Stack } from '#kit/ui/vocabulary.tsx';
import { call } from '#platform/api/client.ts';
import { formatMoment } from '#platform/format/format-moment.ts';
import styles from './transfer-cells.module.css';
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
  /** The first of the bundle. */
  transfer: ListedTransfer;
  /** Buttons of each transfer. */
  Actions?: ComponentType<{ row: ListedTransfer }>;
}

/** The transfers that one row stands for, oldest first, fetched when the row is opened. */
export function BundleRows({ transfer, Actions }: BundleRowsProps) {
  const { t } = useTranslation('credits');
  const label = useBundleLabel();
  const { data, error, refetch, ...more } = useInfiniteQuery(bundleQuery(transfer.id));
  if (!data) {
    return error ? (
      <FailedPanel error={error} onRetry={() => void refetch()} />
    ) : (
      <Muted as="p">{t('loading')}</Muted>
    );
  }
  const rows = data.pages.flatMap(({ items }) => items);
  return (
    <Stack gap={8} className={styles.bundle}>
      <Divided as="ul" aria-label={label(transfer) ?? undefined}>
        {rows.map((row) => (
          <BundleRow key={row.id} transfer={row} Actions={Actions} />
        ))}
      </Divided>
      {more.hasNextPage && (
        <Button
          variant="soft"
          size="small"
          icon={<ChevronsDown />}
          pending={more.isFetchingNextPage}
          onClick={() => void more.fetchNextPage()}
        >
          {t('bundle.more')}
        </Button>
      )}
    </Stack>
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
    <Row as="li" gap={16} className={styles.bundleRow}>
      <Stack as="span" gap={2} grow wraps>
        <b>
          <LineName transfer={transfer} />
        </b>
        <Facts transfer={transfer} />
      </Stack>
      {refunded_at && <Muted>{t('refunded')}</Muted>}
      {Actions && <Actions row={transfer} />}
      <Stack as="span" gap={2} align="end" rigid>
        <b>
          <Amount transfer={transfer} />
        </b>
        {balance_after !== null && <small>{t('bundle.after', { value: balance_after })}</small>}
      </Stack>
    </Row>
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

/** True if one of the rows opens. */
export const hasBundles = (rows: readonly ListedTransfer[] | undefined) =>
  rows?.some(({ bundle }) => bundle) ?? false;
