import { type TopUp, topUpsCsv } from '@linekeeper/contract/credits/top-ups.ts';
import { Navigate } from '@tanstack/react-router';
import { Inbox, Receipt } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { DownloadButton } from '#kit/list/download-button.tsx';
import { FilterButton } from '#kit/list/filters/filter-button.tsx';
import { FilterChips } from '#kit/list/filters/filter-chips.tsx';
import { ListGround } from '#kit/list/list-body.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import type { ShownRows } from '#kit/list/list-rows.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { SearchBox } from '#kit/list/search-box.tsx';
import { SkeletonCards } from '#kit/list/table/cards.tsx';
import { Toolbar } from '#kit/list/toolbar.tsx';
import { ListProvider, listLink, useListSearch } from '#kit/list/use-list.ts';
import { ViewTabs } from '#kit/list/views/view-tabs.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { useMe } from '#platform/data/session.ts';
import { currentView } from '#screens/address.ts';
import { QueueCard } from './queue/queue-card.tsx';
import { TopUpActions } from './top-up-actions.tsx';
import { CreditsAdded, Method, NumberAndTime, Price, StatusBadge } from './top-up-cells.tsx';
import { topUpQueue, topUps } from './top-ups-list.ts';

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

/** Top-ups of all accounts as cards, with those first that wait for an administrator. */
function TopUpQueue() {
  return (
    <ListProvider value={topUpQueue}>
      <OpenedQueue />
    </ListProvider>
  );
}

const { views } = topUpQueue.declaration;

/** The queue without a view in its address: it opens the pending ones, or all if the address has a search. */
function OpenedQueue() {
  const { t } = useTranslation('topUps');
  const { search } = useListSearch();
  const { status, method, flagged, q, account } = search;
  const isChosen = status !== undefined || method !== undefined || flagged !== undefined;
  // The router draws a page in one piece, which blocks a phone for long, so the view is drawn later.
  const isDrawn = useDeferredValue(isChosen);
  if (!isChosen) {
    const view = q || account ? views.all : views.pending;
    return <Navigate {...listLink(topUpQueue, { ...search, ...view })} replace />;
  }
  if (!isDrawn) return null;
  const shown = currentView(topUpQueue.declaration, search);
  return (
    <>
      <PageHeader actions={<DownloadButton csv={topUpsCsv} />} />
      <ListGround label={t('nav.topUps')}>
        <Card
          flush
          className="mb-4 overflow-clip [--list-side:24px] [--list-bleed:0px] phone:[--list-side:16px] phone:[--list-bleed:16px] phone:mb-0 phone:rounded-none phone:bg-none phone:bg-transparent phone:shadow-none phone:overflow-visible"
        >
          <ViewTabs />
        </Card>
        <PagedList
          list={topUpQueue}
          toolbar={<QueueToolbar />}
          firstUse={null}
          hasFooter={false}
          {...(q || account ? {} : { noMatch: <NothingHere view={shown} /> })}
        >
          {(rows) => <QueueCards key={JSON.stringify(search)} {...rows} />}
        </PagedList>
      </ListGround>
    </>
  );
}

function QueueToolbar() {
  return (
    <div className="[&>:first-child]:min-h-0 [&>:first-child]:pt-0 [&>:first-child]:px-0 [&>:first-child]:pb-4 [&>:first-child]:phone:flex-nowrap [&>:first-child]:phone:gap-2 [&>:first-child]:phone:pt-4 [&>:first-child]:phone:px-0 [&>:first-child]:phone:pb-2">
      <Toolbar>
        <SearchBox />
        <FilterButton />
      </Toolbar>
      <FilterChips />
    </div>
  );
}

function NothingHere({ view }: { view: string }) {
  const { t } = useTranslation('topUps');
  return view === 'pending' ? (
    <EmptyPanel icon={<Inbox />} title={t('queue.nothing')} />
  ) : (
    <EmptyPanel icon={<Receipt />} title={t('first.title')} />
  );
}

/** The cards of the queue. A top-up that was decided here keeps its place, with its receipt, until the list is left. */
function QueueCards({ rows, isInert, showsSkeleton }: ShownRows<TopUp>) {
  const { t } = useTranslation('topUps');
  const [decided, setDecided] = useState<readonly TopUp[]>([]);
  if (!rows) return <SkeletonCards isVisible={showsSkeleton} isBoxless />;
  const listed = new Set(rows.map(({ id }) => id));
  const kept = decided.filter(({ id }) => !listed.has(id));
  const shown = kept.length === 0 ? rows : inOrder([...rows, ...kept]);
  return (
    <ul
      className="grid grid-cols-1 gap-4 phone:gap-2 [&[inert]]:opacity-50 [&[inert]]:[transition:opacity_0.1s_0.3s]"
      aria-label={t('nav.topUps')}
      aria-busy={isInert}
      inert={isInert}
    >
      {shown.map((topUp) => (
        <QueueCard
          key={topUp.id}
          topUp={topUp}
          onDecided={(one) => setDecided([...decided.filter(({ id }) => id !== one.id), one])}
        />
      ))}
    </ul>
  );
}

const inOrder = (topUps: readonly TopUp[]) =>
  topUps.toSorted((one, other) => other.created_at.localeCompare(one.created_at));
