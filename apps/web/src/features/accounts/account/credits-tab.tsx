import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import {
  type ListedTransfer,
  listTransfers,
  transfersCsv,
} from '@linekeeper/contract/credits/transfers.ts';
import { transfersList } from '@linekeeper/contract/lists/lists.ts';
import { useQuery } from '@tanstack/react-query';
import { Coins } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { BundleRows, hasBundles, useBundleLabel } from '#domain/credits/bundle-rows.tsx';
import { Actor, Amount, WhatAndWhy } from '#domain/credits/transfer-cells.tsx';
import { useTransferFilters } from '#domain/credits/use-transfer-filters.ts';
import { accountFiguresQuery } from '#features/accounts/queries.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { defineList, narrowed } from '#kit/list/define-list.ts';
import { DownloadButton } from '#kit/list/download-button.tsx';
import { ListRows } from '#kit/list/list-rows.tsx';
import { ListToolbar } from '#kit/list/list-toolbar.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { ListProvider } from '#kit/list/use-list.ts';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';

const accountTransfers = defineList(transfersList, {
  path: '/accounts/$id',
  isPart: true,
  queryKey: ['transfers', 'list'],
  endpoint: listTransfers,
  asks: { bundled: true },
  texts: 'credits',
  useFilters: useTransferFilters,
  fixed: ['account'],
  // The columns of both parties are hidden, because one of them is always this account.
  hides: () => ['parties'],
});

export function CreditsTab({ account: { id } }: { account: Account }) {
  const list = useMemo(() => narrowed(accountTransfers, { account: id }), [id]);
  const columns = useMemo(() => columnsOf(id), [id]);
  const label = useBundleLabel();
  return (
    <ListProvider value={list}>
      <PagedList
        list={list}
        toolbar={
          <ListToolbar end={<DownloadButton csv={transfersCsv} query={{ account_id: id }} />} />
        }
        firstUse={<NoTransfers id={id} />}
      >
        {(shown) => (
          <ListRows
            {...shown}
            columns={columns}
            detail={hasBundles(shown.rows) ? { label, Content: Bundle } : undefined}
            isTall
          />
        )}
      </PagedList>
    </ListProvider>
  );
}

const Bundle = ({ row }: { row: ListedTransfer }) => <BundleRows transfer={row} />;

/** The message for readers who may see the number of an account's transfers, but not the transfers. */
function NoTransfers({ id }: { id: string }) {
  const { t } = useTranslation('credits');
  const { data: figures } = useQuery(accountFiguresQuery(id));
  const kept = (figures?.transfer_count ?? 0) > 0 ? 'hidden' : 'first';
  return <EmptyPanel icon={<Coins />} title={t(`${kept}.title`)} />;
}

const columnsOf = (id: string): ListColumn<ListedTransfer>[] => [
  column.moment('when', ({ created_at }) => created_at, { kind: 'name', sortBy: 'created_at' }),
  column.summary('what', (transfer) => <WhatAndWhy transfer={transfer} of={id} />, {
    inCard: 'line',
  }),
  column.person('actor', (transfer) => <Actor transfer={transfer} hasFace />),
  column.count('amount', (transfer) => <Amount transfer={transfer} />, {
    look: 'strong',
    inCard: 'badge',
  }),
  column.count('balance', ({ balance_after }) => balance_after, { look: 'strong' }),
];
