import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TabBar, TabCount, TabLink } from '#kit/list/views/tab-bar.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { plansQuery, priceListsQuery } from './queries.ts';

export type PricesTabName = 'prices' | 'plans' | 'lists';

interface PricesHeaderProps {
  tab: PricesTabName;
  actions?: ReactNode;
}

/** The title and the tabs of prices, plans and price lists. */
export function PricesHeader({ tab, actions }: PricesHeaderProps) {
  const { t } = useTranslation('prices');
  return (
    <>
      <PageHeader title={t('nav.prices')} back={null} actions={actions} />
      <div className="mb-6 [--list-side:0px] phone:mb-4">
        <Tabs tab={tab} />
      </div>
    </>
  );
}

function Tabs({ tab }: { tab: PricesTabName }) {
  const { t, i18n } = useTranslation('prices');
  const { is_admin } = useMe();
  const plans = useQuery({ ...plansQuery(), enabled: is_admin });
  const lists = useQuery(priceListsQuery());
  const tabOf = (name: PricesTabName) => ({
    to: '/payments/plans' as const,
    resetScroll: false,
    activeOptions: { exact: true },
    isCurrent: tab === name,
  });
  const count = (data: { items: readonly unknown[] } | undefined) => (
    <TabCount isLate>{data && formatNumber(data.items.length, i18n.language)}</TabCount>
  );
  return (
    <TabBar aria-label={t('nav.prices')}>
      {is_admin && (
        <>
          <TabLink {...tabOf('prices')} search={{}}>
            {t('credits.prices')}
          </TabLink>
          <TabLink {...tabOf('plans')} search={{ tab: 'plans' }}>
            {t('tabs.plans')}
            {count(plans.data)}
          </TabLink>
        </>
      )}
      <TabLink {...tabOf('lists')} search={{ tab: 'lists' }}>
        {t('tabs.lists')}
        {count(lists.data)}
      </TabLink>
    </TabBar>
  );
}
