import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { Receipt } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { useMe } from '#platform/data/session.ts';
import { TopUpQueue } from './queue/top-up-queue.tsx';
import { TopUpActions } from './top-up-actions.tsx';
import { CreditsAdded, Method, NumberAndTime, Price, StatusBadge } from './top-up-cells.tsx';
import { topUps } from './top-ups-list.ts';

export function TopUpsPage() {
  const { is_admin } = useMe();
  return is_admin ? <TopUpQueue /> : <OwnTopUps />;
}

function OwnTopUps() {
  const { t } = useTranslation('topUps');
  return (
    <ListPage
      list={topUps}
      add={<AddLink to="/payments/pricing">{t('nav.topUpCredits')}</AddLink>}
      firstUse={{ icon: <Receipt />, title: t('first.title'), text: t('first.text') }}
      columns={columns}
      Actions={TopUpActions}
      actionsWidth={232}
      isTall
    />
  );
}

const columns: ListColumn<TopUp>[] = [
  // The column is at least so wide, because the time below the number must not be cut.
  column.name('number', (topUp) => <NumberAndTime topUp={topUp} />, {
    sortBy: 'created_at',
    width: { min: 190 },
  }),
  column.count('credits', (topUp) => <CreditsAdded topUp={topUp} />, {
    sortBy: 'credits',
    look: 'strong',
  }),
  column.money('price', (topUp) => <Price topUp={topUp} />, { inCard: 'bare' }),
  column.text('method', (topUp) => <Method topUp={topUp} />, { inCard: 'bare' }),
  column.badge('status', (topUp) => <StatusBadge topUp={topUp} />, { inCard: 'badge' }),
];
