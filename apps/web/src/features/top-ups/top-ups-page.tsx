import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { Plus, Receipt } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { formatPrice } from '../../shared/format/format-price.ts';
import { formatNumber } from '../../shared/i18n/format-number.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import type { SizedColumn } from '../../shared/list/table/column.ts';
import { ListProvider } from '../../shared/list/use-list.ts';
import { ViewTabs } from '../../shared/list/views/view-tabs.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { TopUpQueue } from './queue/top-up-queue.tsx';
import { TopUpActions } from './top-up-actions.tsx';
import { Method, NumberAndTime, StatusBadge } from './top-up-cells.tsx';
import { topUps } from './top-ups-list.tsx';

/** Own top-ups; for administrators everybody's, and those that wait for their word. */
export function TopUpsPage() {
  const { is_admin } = useMe();
  return is_admin ? <TopUpQueue /> : <OwnTopUps />;
}

function OwnTopUps() {
  const { t } = useTranslation('topUps');
  const columns = useColumns();
  const buy = (
    <ButtonLink to="/payments/pricing" variant="solid" icon={<Plus aria-hidden="true" />}>
      {t('topUpCredits')}
    </ButtonLink>
  );
  return (
    <ListProvider value={topUps}>
      <PageHeader actions={buy} />
      <ListCard label={t('title')} hasCards>
        <ViewTabs />
        <PagedList
          list={topUps}
          toolbar={<ListToolbar />}
          firstUse={
            <EmptyPanel
              icon={<Receipt />}
              title={t('first.title')}
              text={t('first.text')}
              action={buy}
            />
          }
        >
          {(rows) => <ListRows {...rows} columns={columns} isTall />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function useColumns(): SizedColumn<TopUp>[] {
  const { t, i18n } = useTranslation('topUps');
  return [
    {
      id: 'number',
      kind: 'name',
      title: t('columns.number'),
      sortBy: 'created_at',
      cell: (topUp) => <NumberAndTime topUp={topUp} />,
      size: 176,
    },
    {
      id: 'credits',
      title: t('field.credits'),
      sortBy: 'credits',
      align: 'end',
      look: 'strong',
      cell: ({ credits }) => `+${formatNumber(credits, i18n.language)}`,
      size: 92,
      minSize: 84,
    },
    {
      id: 'price',
      title: t('columns.price'),
      align: 'end',
      inCard: 'bare',
      cell: ({ price_minor, currency }) => formatPrice(price_minor, currency, i18n.language),
      size: 108,
      minSize: 96,
    },
    {
      id: 'method',
      title: t('columns.method'),
      inCard: 'bare',
      cell: (topUp) => <Method topUp={topUp} />,
      size: 176,
      minSize: 120,
      maxSize: 320,
    },
    {
      id: 'status',
      title: t('field.status'),
      inCard: 'badge',
      cell: (topUp) => <StatusBadge topUp={topUp} />,
      size: 140,
      minSize: 128,
    },
    {
      id: 'actions',
      kind: 'actions',
      title: t('list.actions'),
      cell: (topUp) => <TopUpActions topUp={topUp} />,
      size: 232,
    },
  ];
}
