import { type ListedTransfer, transfersCsv } from '@linekeeper/contract/credits/transfers.ts';
import { transfersList } from '@linekeeper/contract/lists/lists.ts';
import { Coins } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { unpagedQuery } from '../../screens/address.ts';
import { addressOfCall } from '../../shared/api/client.ts';
import {
  Actor,
  Amount,
  Balance,
  Parties,
  WhatAndWhy,
} from '../../shared/credits/transfer-cells.tsx';
import { useMe } from '../../shared/data/session.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { DownloadButton } from '../../shared/list/download-button.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import type { SizedColumn } from '../../shared/list/table/column.ts';
import { ListProvider } from '../../shared/list/use-list.ts';
import { ViewTabs } from '../../shared/list/views/view-tabs.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { transfers } from './credits-list.tsx';
import { RefundButton } from './refund-dialog.tsx';

/** Movements of credits: of the own account and those below, for administrators of all. */
export function CreditsPage() {
  const { t } = useTranslation('credits');
  const columns = useColumns();
  return (
    <ListProvider value={transfers}>
      <PageHeader
        actions={
          <DownloadButton
            addressOf={(search) =>
              addressOfCall(transfersCsv, { query: unpagedQuery(transfersList, search) })
            }
          />
        }
      />
      <ListCard label={t('title')} hasCards>
        <ViewTabs />
        <PagedList
          list={transfers}
          toolbar={<ListToolbar />}
          firstUse={<EmptyPanel icon={<Coins />} title={t('first.title')} text={t('first.text')} />}
        >
          {(list) => (
            <ListRows
              {...list}
              columns={columns.filter(({ id }) => id !== 'actions' || hasRefundable(list.rows))}
              isTall
            />
          )}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

const hasRefundable = (rows: readonly ListedTransfer[] | undefined) =>
  rows?.some(({ is_refundable }) => is_refundable) ?? false;

function useColumns(): SizedColumn<ListedTransfer>[] {
  const { t } = useTranslation('credits');
  const { is_admin } = useMe();
  const columns: SizedColumn<ListedTransfer>[] = [
    {
      id: 'when',
      kind: 'name',
      title: t('columns.when'),
      sortBy: 'created_at',
      look: 'quiet',
      cell: ({ created_at }) => <Timestamp value={created_at} />,
      size: 168,
      maxSize: 176,
      scrolledSize: 184,
    },
    {
      id: 'what',
      title: t('columns.what'),
      inCard: 'line',
      cell: (transfer) => <WhatAndWhy transfer={transfer} />,
      size: 264,
      minSize: 200,
      maxSize: 480,
    },
    {
      id: 'parties',
      title: t('columns.parties'),
      inCard: 'line',
      cell: (transfer) => <Parties transfer={transfer} />,
      size: 184,
      minSize: 150,
      maxSize: 320,
    },
    {
      id: 'actor',
      title: t('columns.actor'),
      cell: (transfer) => <Actor transfer={transfer} />,
      size: 144,
      minSize: 124,
      maxSize: 240,
    },
    {
      id: 'amount',
      title: t('columns.amount'),
      align: 'end',
      look: 'strong',
      inCard: 'badge',
      cell: (transfer) => <Amount transfer={transfer} />,
      size: 92,
      minSize: 80,
    },
    {
      id: 'balance',
      title: t('columns.balance'),
      align: 'end',
      look: 'strong',
      cell: (transfer) => transfer.balance_after !== null && <Balance transfer={transfer} />,
      size: 136,
      minSize: 124,
    },
  ];
  if (!is_admin) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      kind: 'actions',
      title: t('list.actions'),
      cell: (transfer) => transfer.is_refundable && <RefundButton transfer={transfer} />,
      size: 88,
    },
  ];
}
