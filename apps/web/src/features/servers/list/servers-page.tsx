import { serverFindings, serversList } from '@linekeeper/contract/lists/lists.ts';
import { listServers, type Server } from '@linekeeper/contract/servers/servers.ts';
import { Activity, ServerIcon } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ServerSkeletons } from '#features/servers/server-skeletons.tsx';
import { useTestAllServers } from '#features/servers/use-server-tests.ts';
import { defineList } from '#kit/list/define-list.ts';
import { ListGround } from '#kit/list/list-body.tsx';
import type { ShownRows } from '#kit/list/list-rows.tsx';
import { ListToolbar } from '#kit/list/list-toolbar.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { ListProvider, offering, useTotal } from '#kit/list/use-list.ts';
import { ViewTabs } from '#kit/list/views/view-tabs.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { ServerCard } from './server-card.tsx';

export function ServersPage() {
  const { t } = useTranslation('servers');
  return (
    <ListProvider value={servers}>
      <ServersHeader />
      <ListGround label={t('nav.servers')}>
        <ViewTabs />
        <PagedList
          list={servers}
          toolbar={<ListToolbar />}
          firstUse={<NoServersPanel />}
          hasFooter={false}
        >
          {(cards) => <ServerCards {...cards} />}
        </PagedList>
      </ListGround>
    </ListProvider>
  );
}

function ServersHeader() {
  const { t } = useTranslation('servers');
  const testAll = useTestAllServers();
  // The actions are shown while loading, too, to avoid a layout shift when the cards arrive.
  const hasServers = useTotal({}).total !== 0;
  const actions = (
    <div className="flex gap-2 phone:flex-wrap phone:w-full phone:*:flex-1 phone:*:min-w-fit phone:[div:has(>&)]:w-full">
      <Button
        icon={<Activity aria-hidden="true" />}
        pending={testAll.isPending}
        onClick={() => void testAll.send()}
      >
        {t('test.all')}
      </Button>
      <AddLink to="/cccam-servers/add">{t('nav.addServer')}</AddLink>
    </div>
  );
  return <PageHeader actions={hasServers && actions} />;
}

function ServerCards({ rows, isInert, showsSkeleton }: ShownRows<Server>) {
  const list = useFocusWhenShorter<HTMLUListElement>(rows?.length ?? 0);
  if (!rows) return <ServerSkeletons isVisible={showsSkeleton} />;
  return (
    <ul
      ref={list}
      tabIndex={-1}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(300px,100%),1fr))] gap-(--card-pad)"
      inert={isInert}
    >
      {rows.map((server) => (
        <ServerCard key={server.id} server={server} />
      ))}
    </ul>
  );
}

/** Focuses the list when a deleted entry has taken the focus with it. */
function useFocusWhenShorter<List extends HTMLElement>(length: number): RefObject<List | null> {
  const list = useRef<List>(null);
  const before = useRef(length);
  useEffect(() => {
    const isShorter = length < before.current;
    before.current = length;
    if (isShorter && document.activeElement === document.body)
      list.current?.focus({ preventScroll: true });
  }, [length]);
  return list;
}

function useFilters() {
  const { t } = useTranslation('servers');
  const findings = serverFindings.map((value) => ({ value, label: t(`filter.findings.${value}`) }));
  return { finding: offering(t('filter.names.finding'), findings) };
}

export const servers = defineList(serversList, {
  path: '/cccam-servers/manage',
  queryKey: ['servers', 'list'],
  endpoint: listServers,
  texts: 'servers',
  useFilters,
  seenAtAGlance: 12,
  // The panel checks servers every minute, but sends a live change only for a new status; polling
  // keeps latency and time up to date.
  refetchMs: 60_000,
});

function NoServersPanel() {
  const { t } = useTranslation('servers');
  return (
    <EmptyPanel
      icon={<ServerIcon />}
      title={t('addFirstServer')}
      action={<AddLink to="/cccam-servers/add">{t('nav.addServer')}</AddLink>}
    />
  );
}
