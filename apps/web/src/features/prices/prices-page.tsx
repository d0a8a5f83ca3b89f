import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormPlace } from '#kit/forms/use-unsaved-guard.ts';
import { TAB, TabBar, TabCount } from '#kit/list/views/tab-bar.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { ListsTab } from './lists-tab.tsx';
import { PricesTab } from './prices-tab.tsx';
import { priceListsQuery } from './queries.ts';

/** A form in one tab is left by the other. */
const placeOf = ({ pathname, search }: { pathname: string; search: { tab?: string } }) =>
  `${pathname} ${search.tab}`;

/** What lines cost: the panel's prices, which are the administrators', and lists for accounts below. */
export function PricesPage() {
  const { is_admin } = useMe();
  const { tab } = useSearch({ from: '/shell/payments/plans' });
  const isLists = tab === 'lists' || !is_admin;
  return (
    <FormPlace value={placeOf}>
      <PageHeader actions={isLists && <AddListButton />} />
      <div className="mb-6 [--list-side:0px] phone:mb-4">
        <Tabs isLists={isLists} />
      </div>
      {isLists ? <ListsTab /> : <PricesTab />}
    </FormPlace>
  );
}

function Tabs({ isLists }: { isLists: boolean }) {
  const { t, i18n } = useTranslation('prices');
  const { is_admin } = useMe();
  const { data } = useQuery(priceListsQuery());
  const tabOf = (isCurrent: boolean) => ({
    to: '/payments/plans' as const,
    resetScroll: false,
    activeOptions: { exact: true },
    'aria-current': isCurrent ? ('page' as const) : undefined,
    'data-current': isCurrent || undefined,
    className: TAB,
  });
  return (
    <TabBar aria-label={t('nav.prices')}>
      {is_admin && (
        <Link {...tabOf(!isLists)} search={{}}>
          {t('credits.prices')}
        </Link>
      )}
      <Link {...tabOf(isLists)} search={{ tab: 'lists' }}>
        {t('tabs.lists')}
        <TabCount isLate>{data && formatNumber(data.items.length, i18n.language)}</TabCount>
      </Link>
    </TabBar>
  );
}

const ListDialog = lazyPart(() => import('./list-dialog.tsx'), 'ListDialog');

function AddListButton() {
  const { t } = useTranslation('prices');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Plus />} onPointerEnter={ListDialog.fetch} onClick={() => setOpen(true)}>
        {t('lists.add')}
      </Button>
      {isOpen && <ListDialog onClose={() => setOpen(false)} />}
    </>
  );
}
