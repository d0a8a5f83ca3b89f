import { pushesList, pushStates } from '@linekeeper/contract/lists/lists.ts';
import { listPushes, type Push } from '@linekeeper/contract/servers/sync.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Clock, RefreshCw } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerFilter } from '#domain/servers/use-server-filter.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { ListCard } from '#kit/list/list-body.tsx';
import { ListRows, type ShownRows } from '#kit/list/list-rows.tsx';
import { ListSelection } from '#kit/list/list-selection.tsx';
import { ListToolbar } from '#kit/list/list-toolbar.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { BulkBar } from '#kit/list/selection/bulk-bar.tsx';
import { useSelection } from '#kit/list/selection/selection-context.tsx';
import { ListProvider, offering, useTotal } from '#kit/list/use-list.ts';
import { TabCount } from '#kit/list/views/tab-bar.tsx';
import { ViewTabs } from '#kit/list/views/view-tabs.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatTime } from '#platform/format/format-moment.ts';
import { formatCount } from '#platform/i18n/format-number.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { orphans } from './orphans/orphans-list.ts';
import { OrphansTab } from './orphans/orphans-tab.tsx';
import { orphanScansQuery } from './orphans/queries.ts';
import { useRetry } from './use-retry.ts';

/** The page with pushes that card servers have not accepted yet, and with unknown usernames. */
export function SyncPage() {
  const { t } = useTranslation('sync');
  const { tab } = useSearch({ from: '/shell/cccam-servers/sync' });
  const isOrphans = tab === 'orphans';
  return (
    <ListProvider value={pushes}>
      <PageHeader actions={!isOrphans && <RetryAll />} />
      {isOrphans && <p className="max-w-180 mb-4 text-text-2">{t('orphans.text')}</p>}
      <ListCard label={t(isOrphans ? 'orphans.tab' : 'nav.sync')} hasCards>
        <ViewTabs more={<OrphansLink isCurrent={isOrphans} />} isElsewhere={isOrphans} />
        {isOrphans ? <OrphansTab /> : <PendingTab />}
      </ListCard>
    </ListProvider>
  );
}

function PendingTab() {
  const { t } = useTranslation('sync');
  return (
    <ListSelection>
      <PagedList
        list={pushes}
        toolbar={
          <ListToolbar>
            <RetrySelected />
          </ListToolbar>
        }
        firstUse={<EmptyPanel icon={<CircleCheck />} title={t('emptyTitle')} />}
      >
        {(rows) => <PushRows {...rows} />}
      </PagedList>
    </ListSelection>
  );
}

function PushRows(rows: ShownRows<Push>) {
  const { t } = useTranslation('sync');
  const selectLabel = useCallback(
    ({ username, server_name: server }: Push) => t('selectOne', { username, server }),
    [t],
  );
  return <ListRows {...rows} columns={pushColumns} Actions={RetryOne} selectLabel={selectLabel} />;
}

function RetryAll() {
  const { t } = useTranslation('sync');
  const { retryMany, isPending } = useRetry();
  const { total } = useTotal({});
  if (!total) return null;
  return (
    <Button icon={<RefreshCw />} pending={isPending} onClick={() => retryMany({ all: true })}>
      {t('retryAll')}
    </Button>
  );
}

function RetrySelected() {
  const { t } = useTranslation('sync');
  const { retryMany, isPending } = useRetry();
  const { isEmpty, selection, clear } = useSelection();
  if (isEmpty) return null;
  const ids = [...selection.ids];
  return (
    <BulkBar
      label={t('list.selection')}
      main={{
        name: 'retry',
        label: t('action.retry'),
        icon: <RefreshCw />,
        isPending,
        act: () => retryMany({ ids }).then(clear),
      }}
    />
  );
}

function useFilters() {
  const { t } = useTranslation('sync');
  const states = pushStates.map((value) => ({ value, label: t(`state.${value}`) }));
  return {
    state: offering(t('field.status'), states),
    server: useServerFilter(t('field.server')),
  };
}

const pushes = defineList(pushesList, {
  path: '/cccam-servers/sync',
  queryKey: ['sync', 'list'],
  endpoint: listPushes,
  texts: 'sync',
  useMoreTexts: () => ({ selectPage: useTranslation().t('list.selectPage') }),
  useFilters,
  // Completed pushes send no live change, so the screen polls.
  refetchMs: 2000,
});

/** The number of pushes, which only the first page contains. */
function useCount(): number | undefined {
  // The scans run while the page is open, on each of its tabs.
  useQuery(orphanScansQuery());
  const { data } = useQuery({
    queryKey: [...orphans.queryKey, 'count'],
    queryFn: ({ signal }) => orphans.fetchPage({}, { signal, limit: 1 }),
    refetchInterval: orphans.refetchMs ?? false,
  });
  return data?.total ?? undefined;
}

/** The tab beside the views of the pending changes. */
function OrphansLink({ isCurrent }: { isCurrent: boolean }) {
  const { t, i18n } = useTranslation('sync');
  const count = useCount();
  const link = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `count` widens the last tab, which may then be outside the screen of a phone
  useEffect(() => {
    const tabs = link.current?.parentElement;
    if (isCurrent && tabs) tabs.scrollLeft = tabs.scrollWidth;
  }, [isCurrent, count]);
  return (
    <Link
      ref={link}
      to="/cccam-servers/sync"
      search={{ tab: 'orphans' }}
      activeOptions={{ exact: true }}
      aria-current={isCurrent ? 'true' : undefined}
      data-current={isCurrent || undefined}
    >
      {t('orphans.tab')}
      {count !== undefined && (
        <TabCount tone={count > 0 ? 'warning' : 'neutral'}>
          {formatCount(count, i18n.language)}
        </TabCount>
      )}
    </Link>
  );
}

/** Columns of the sync list; two of them are sortable. */
const pushColumns: ListColumn<Push>[] = [
  column.name('username', ({ username }) => <TypedText>{username}</TypedText>, {
    sortBy: 'username',
  }),
  column.text('server', ({ server_name }) => <TypedText>{server_name}</TypedText>, {
    look: 'typed',
  }),
  column.text('change', ({ operation }) => <Operation operation={operation} />),
  column.badge('states', ({ state }) => <State state={state} />),
  column.count('attempts', ({ attempts }) => attempts),
  column.text('nextTry', (push) => <Next push={push} />, { sortBy: 'next_try_at' }),
  column.words('message', (push) => push.finding && <Message push={push} />),
];

function Operation({ operation }: Pick<Push, 'operation'>) {
  return useTranslation('sync').t(`operation.${operation}`);
}

function State({ state }: Pick<Push, 'state'>) {
  const { t } = useTranslation('sync');
  const Icon = state === 'failed' ? CircleAlert : Clock;
  return (
    <Badge tone={state === 'failed' ? 'warning' : 'neutral'} icon={<Icon />}>
      {t(`state.${state}`)}
    </Badge>
  );
}

/** Recomputed on every render, since the list is refetched every few seconds. */
function Next({ push }: { push: Push }) {
  const { t } = useTranslation('sync');
  const seconds = Math.ceil((Date.parse(push.next_try_at) - Date.now()) / 1000);
  return <>{seconds > 0 ? t('inSeconds', { count: seconds }) : t('field.now')}</>;
}

/** Time and reason of the last refusal; a retry updates both. */
function Message({ push: { finding, updated_at } }: { push: Push }) {
  const { t, i18n } = useTranslation('sync');
  const findingText = useFindingText();
  if (!finding) return null;
  return (
    <>
      <p>
        {t('line.sync.stillRefused', { time: formatTime(Date.parse(updated_at), i18n.language) })}
      </p>
      <p>{findingText(finding)}</p>
    </>
  );
}

function RetryOne({ row: push }: { row: Push }) {
  const { t } = useTranslation('sync');
  const { retryOne, isPending } = useRetry();
  const { username, server_name: server } = push;
  return (
    // The button has no text, because in German the columns would not fit into a window of 1280 px.
    <IconButton
      size="small"
      label={t('retryOf', { username, server })}
      disabled={isPending}
      onClick={() => retryOne(push)}
    >
      <RefreshCw size={18} />
    </IconButton>
  );
}
