import { sessionsList } from '@linekeeper/contract/lists/lists.ts';
import { type ServerPresence, serverSessions } from '@linekeeper/contract/servers/presence.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Wifi, WifiOff } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { ServerFrame } from '#features/servers/server-frame.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { ListCard } from '#kit/list/list-body.tsx';
import { ListRows, type ShownRows } from '#kit/list/list-rows.tsx';
import { ListToolbar } from '#kit/list/list-toolbar.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { type ListDefinition, ListProvider, type Page, useListSearch } from '#kit/list/use-list.ts';
import { ArticleLink } from '#kit/ui/article-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { call } from '#platform/api/client.ts';
import { useShowsCards } from '#platform/browser/use-is-phone.ts';
import { formatSince } from '#platform/format/format-moment.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { listQuery } from '#screens/address.ts';
import { Actions, type Client, END_WIDTH, useClientColumns } from './columns.tsx';
import { useHeldOrder } from './use-held-order.ts';

/** The tab with a server's lines that are online, updated once a minute. */
export function ClientsPage() {
  return (
    <ServerFrame tab="clients">
      {({ presence, ...server }) =>
        presence?.at ? (
          <Clients server={server} presence={presence} at={presence.at} />
        ) : (
          <NotSaid kind={server.kind} />
        )
      }
    </ServerFrame>
  );
}

function NotSaid({ kind }: Pick<Server, 'kind'>) {
  const { t } = useTranslation('clients');
  const { t: own } = useTranslation('servers');
  if (kind === 'oscam_webif') {
    return (
      <Card>
        <EmptyPanel icon={<WifiOff />} title={t('notRead')} text={t('noneText')} />
      </Card>
    );
  }
  return (
    <Card>
      <EmptyPanel
        icon={<WifiOff />}
        title={t('notSaid')}
        text={t('notSaidText')}
        action={<ArticleLink title={own('article')} />}
      />
    </Card>
  );
}

/** The rows of the endpoint get an id when they arrive, because all rows of lists have one. */
const endpoint = serverSessions as unknown as Omit<typeof serverSessions, 'output'> & {
  output: z.ZodType<Page<Client>>;
};

const clients = defineList(sessionsList, {
  path: '/cccam-servers/$id/clients',
  isPart: true,
  queryKey: ['presence', 'sessions'],
  endpoint,
  texts: 'clients',
  refetchMs: 60_000,
});

/** The list of one server, whose id is in the call's path. */
function clientsOf(id: string): ListDefinition<Client> {
  return {
    ...clients,
    queryKey: [...clients.queryKey, id],
    fetchPage: async (search, { signal, limit }) => {
      const query = { ...listQuery(sessionsList, search), ...(limit ? { limit } : {}) };
      const page = await call(serverSessions, { params: { id }, query }, { signal });
      return { ...page, items: page.items.map((line) => ({ ...line, id: line.line_id })) };
    },
  };
}

interface ClientsProps {
  server: Omit<Server, 'presence'>;
  presence: ServerPresence;
  at: string;
}

function Clients({ server: { id }, presence, at }: ClientsProps) {
  const { t } = useTranslation('clients');
  const list = useMemo(() => clientsOf(id), [id]);
  const hasCards = useShowsCards();
  const summary = <Summary presence={presence} at={at} />;
  return (
    <ListProvider value={list}>
      {!presence.is_known && <NotKnown presence={presence} at={at} />}
      <ListCard label={t('nav.servers')} hasCards>
        <PagedList
          list={list}
          toolbar={
            <>
              <ListToolbar end={!hasCards && summary} />
              {hasCards && summary}
            </>
          }
          firstUse={<EmptyPanel icon={<Wifi />} title={t('none')} text={t('noneText')} />}
        >
          {(rows) => <ClientRows {...rows} presence={presence} />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function NotKnown({ presence: { finding }, at }: Pick<ClientsProps, 'presence' | 'at'>) {
  const { t, i18n } = useTranslation('clients');
  const findingText = useFindingText();
  const time = formatSince(Date.parse(at), i18n.language);
  return (
    <div className="mb-4" role="status">
      <Banner tone="warning" icon={<WifiOff />} title={t('notKnown', { time })}>
        {finding && <p>{findingText(finding)}</p>}
        <p>{t('lastKnown')}</p>
      </Banner>
    </div>
  );
}

function Summary({ presence, at }: Pick<ClientsProps, 'presence' | 'at'>) {
  const { t, i18n } = useTranslation('clients');
  return (
    <p className="text-text-2 phone:pt-0 phone:px-0 phone:pb-2 phone:type-caption">
      {t('summary', {
        lines: t('serverCard.lines', { count: presence.lines_online }),
        connections: t('presence.connections', { count: presence.connections }),
        time: formatSince(Date.parse(at), i18n.language),
      })}
    </p>
  );
}

function ClientRows(props: ShownRows<Client> & { presence: ServerPresence }) {
  const { presence, rows, ...state } = props;
  const { search } = useListSearch();
  const hasCards = useShowsCards();
  const columns = useClientColumns(hasCards);
  const { shown, holding } = useHeldOrder(rows, JSON.stringify(search));
  return (
    <div
      {...holding}
      className={
        presence.is_known
          ? undefined
          : '[&_b]:text-text-2 [&_th]:text-text-2 [&_td]:text-text-2 [&_i]:opacity-30'
      }
    >
      <ListRows
        {...state}
        rows={shown}
        columns={columns}
        Actions={presence.can_end_sessions && presence.is_known ? Actions : undefined}
        actionsWidth={END_WIDTH}
      />
    </div>
  );
}
