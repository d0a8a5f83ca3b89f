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
import { accountTransfersList } from '../../../screens/account-search.ts';
import { unpagedQuery } from '../../../screens/address.ts';
import { addressOfCall } from '../../../shared/api/client.ts';
import { Actor, Amount, WhatAndWhy } from '../../../shared/credits/transfer-cells.tsx';
import { useTransferFilters } from '../../../shared/credits/use-transfer-filters.ts';
import { DownloadButton } from '../../../shared/list/download-button.tsx';
import { fetchPages } from '../../../shared/list/fetch-pages.ts';
import { ListRows } from '../../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../../shared/list/paged-list.tsx';
import type { SizedColumn } from '../../../shared/list/table/column.ts';
import { type ListDefinition, ListProvider } from '../../../shared/list/use-list.ts';
import { useListTexts } from '../../../shared/list/use-list-texts.ts';
import { EmptyPanel } from '../../../shared/ui/states/empty-panel.tsx';
import { Timestamp } from '../../../shared/ui/timestamp.tsx';
import { accountFiguresQuery } from '../queries.ts';

const fetchPage = fetchPages(transfersList, listTransfers);
/** One side of each movement is the account itself. */
const offered = transfersList.columns.filter((column) => column !== 'parties');

function transfersOf(id: string): ListDefinition<ListedTransfer> {
  return {
    declaration: accountTransfersList,
    path: '/accounts/$id',
    isPart: true,
    queryKey: ['transfers', 'list', 'of', id],
    isKept: true,
    fetchPage: (search, how) => fetchPage({ ...search, account: id }, how),
    useTexts: () => useListTexts<typeof transfersList>('credits'),
    useFilters: useTransferFilters,
    useOfferedColumns: () => offered,
  };
}

/** Every movement of the account's credits, with its balance after each. */
export function CreditsTab({ account: { id } }: { account: Account }) {
  const list = useMemo(() => transfersOf(id), [id]);
  const columns = useColumns(id);
  const download = (
    <DownloadButton
      addressOf={(search) =>
        addressOfCall(transfersCsv, {
          query: unpagedQuery(transfersList, { ...search, account: id }),
        })
      }
    />
  );
  return (
    <ListProvider value={list}>
      <PagedList
        list={list}
        toolbar={<ListToolbar end={download} />}
        firstUse={<NoTransfers id={id} />}
      >
        {(rows) => <ListRows {...rows} columns={columns} isTall />}
      </PagedList>
    </ListProvider>
  );
}

/** Some readers may see the number of an account's transfers, but not the transfers. */
function NoTransfers({ id }: { id: string }) {
  const { t } = useTranslation('credits');
  const { data: figures } = useQuery(accountFiguresQuery(id));
  const kept = (figures?.transfer_count ?? 0) > 0 ? 'hidden' : 'first';
  return <EmptyPanel icon={<Coins />} title={t(`${kept}.title`)} text={t(`${kept}.text`)} />;
}

function useColumns(id: string): SizedColumn<ListedTransfer>[] {
  const { t } = useTranslation('credits');
  return [
    {
      id: 'when',
      kind: 'name',
      title: t('columns.when'),
      sortBy: 'created_at',
      look: 'quiet',
      cell: ({ created_at }) => <Timestamp value={created_at} />,
      size: 184,
    },
    {
      id: 'what',
      title: t('columns.what'),
      inCard: 'line',
      cell: (transfer) => <WhatAndWhy transfer={transfer} of={id} />,
      size: 296,
      minSize: 220,
      maxSize: 900,
    },
    {
      id: 'actor',
      title: t('columns.actor'),
      cell: (transfer) => <Actor transfer={transfer} hasFace />,
      size: 200,
      minSize: 130,
      maxSize: 260,
    },
    {
      id: 'amount',
      title: t('columns.amount'),
      align: 'end',
      look: 'strong',
      inCard: 'badge',
      cell: (transfer) => <Amount transfer={transfer} />,
      size: 112,
      minSize: 88,
    },
    {
      id: 'balance',
      title: t('columns.balance'),
      align: 'end',
      look: 'strong',
      cell: ({ balance_after: value }) => value !== null && t('number', { value }),
      size: 112,
      minSize: 88,
    },
  ];
}
