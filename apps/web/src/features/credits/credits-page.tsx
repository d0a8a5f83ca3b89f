import { type ListedTransfer, transfersCsv } from '@linekeeper/contract/credits/transfers.ts';
import { Coins } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  Actor,
  Amount,
  Balance,
  Parties,
  WhatAndWhy,
} from '../../shared/credits/transfer-cells.tsx';
import { useMe } from '../../shared/data/session.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { DownloadButton } from '../../shared/list/download-button.tsx';
import { ListPage } from '../../shared/list/list-page.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { transfers } from './credits-list.ts';
import { RefundButton } from './refund-dialog.tsx';

/** Movements of credits: of the own account and those below, for administrators of all. */
export function CreditsPage() {
  const { t } = useTranslation('credits');
  const { is_admin } = useMe();
  return (
    <ListPage
      list={transfers}
      header={<PageHeader actions={<DownloadButton csv={transfersCsv} />} />}
      firstUse={<EmptyPanel icon={<Coins />} title={t('first.title')} text={t('first.text')} />}
    >
      {(shown) => (
        <ListRows
          {...shown}
          columns={columns}
          Actions={is_admin && hasRefundable(shown.rows) ? RefundButton : undefined}
          actionsWidth={112}
          isTall
        />
      )}
    </ListPage>
  );
}

const hasRefundable = (rows: readonly ListedTransfer[] | undefined) =>
  rows?.some(({ is_refundable }) => is_refundable) ?? false;

const columns: ListColumn<ListedTransfer>[] = [
  column.moment('when', ({ created_at }) => created_at, { kind: 'name', sortBy: 'created_at' }),
  column.summary('what', (transfer) => <WhatAndWhy transfer={transfer} />, { inCard: 'line' }),
  column.person('parties', (transfer) => <Parties transfer={transfer} />, { inCard: 'line' }),
  column.text('actor', (transfer) => <Actor transfer={transfer} />),
  column.count('amount', (transfer) => <Amount transfer={transfer} />, {
    look: 'strong',
    inCard: 'badge',
  }),
  column.count(
    'balance',
    (transfer) => transfer.balance_after !== null && <Balance transfer={transfer} />,
    // Below the balance stands whose it is.
    { look: 'strong', width: { size: 136, min: 124 } },
  ),
];
