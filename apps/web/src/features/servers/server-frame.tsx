import { lacksPorts } from '@linekeeper/contract/lines/receivers.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Activity, ServerOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TabBar, TabCount, TabLink } from '#kit/list/views/tab-bar.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { isGone } from '#platform/api/client.ts';
import { formatCount } from '#platform/i18n/format-number.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { comparisonQuery, differencesOf, serverQuery } from './queries.ts';
import { ServerMenu } from './server-menu.tsx';
import { ServerFormSkeleton } from './server-skeletons.tsx';
import { statusTones } from './status-tones.ts';
import { useIsTesting, useTestServer } from './use-server-tests.ts';

const tabs = {
  overview: '/cccam-servers/$id',
  clients: '/cccam-servers/$id/clients',
  lines: '/cccam-servers/$id/lines',
  differences: '/cccam-servers/$id/differences',
  health: '/cccam-servers/$id/health',
  test: '/cccam-servers/$id/test',
  edit: '/cccam-servers/$id/edit',
} as const;
type ServerTab = keyof typeof tabs;
const tabNames = Object.keys(tabs) as ServerTab[];

const tabTexts = {
  overview: 'recurring.overview',
  clients: 'page.clients.online',
  lines: 'nav.lines',
  differences: 'page.differences',
  health: 'test.health',
  test: 'page.test.tab',
  edit: 'action.edit',
} as const satisfies Record<ServerTab, string>;

/** Completed pushes send no live change, so the page polls. */
const REFETCH_MS = 10_000;

interface ServerFrameProps {
  tab: ServerTab;
  children: (server: Server) => ReactNode;
}

/** The frame around all tabs of a server's page. */
export function ServerFrame({ tab, children }: ServerFrameProps) {
  const { t } = useTranslation(['servers', 'errors']);
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    ...serverQuery(id),
    refetchInterval: REFETCH_MS,
  });
  if (data && !isGone(error)) {
    return (
      <>
        <ServerHeader server={data} />
        <ServerTabs server={data} current={tab} />
        {children(data)}
      </>
    );
  }
  if (!error) {
    return (
      <>
        <PageHeader title={t('field.server')} />
        <ServerFormSkeleton />
      </>
    );
  }
  return (
    <>
      <PageHeader title={t('field.server')} />
      <Card>
        {isGone(error) ? (
          <EmptyPanel
            icon={<ServerOff />}
            title={t('errors:SERVER_NOT_FOUND')}
            action={
              <ButtonLink to="/cccam-servers/manage" variant="solid">
                {t('nav.servers')}
              </ButtonLink>
            }
          />
        ) : (
          <FailedPanel error={error} onRetry={refetch} />
        )}
      </Card>
    </>
  );
}

function ServerHeader({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const navigate = useNavigate();
  const test = useTestServer();
  const { id, server_name: name, status } = server;
  return (
    <PageHeader
      title={isolate(name)}
      badges={
        <>
          <Badge tone={statusTones[status]}>{t(`status.${status}`)}</Badge>
          {(server.closed_to_new_lines || lacksPorts(server)) && (
            <Badge tone="neutral">{t('serverCard.state.closed')}</Badge>
          )}
        </>
      }
      text={
        <>
          <TypedText>{server.host_ip}</TypedText>
          {server.last_connection && (
            <>
              {' · '}
              {t('card.lastConnection')}: <TimeAgo value={server.last_connection} />
            </>
          )}
        </>
      }
      actions={
        <>
          <Button
            variant="solid"
            icon={<Activity aria-hidden="true" />}
            pending={useIsTesting(id)}
            onClick={() => void test.send(server)}
          >
            {t('test.connection')}
          </Button>
          <ServerMenu
            server={server}
            onDeleted={() => void navigate({ to: '/cccam-servers/manage' })}
          />
        </>
      }
    />
  );
}

/** Links to the tabs of the page. Following one keeps the scroll position. */
function ServerTabs({ server, current }: { server: Server; current: ServerTab }) {
  const { t, i18n } = useTranslation('servers');
  const { data: comparison } = useQuery({
    ...comparisonQuery(server.id),
    // Only an active server is asked, because one that does not respond would delay the page.
    enabled: server.status === 'active',
  });
  const { presence } = server;
  const counts: Partial<Record<ServerTab, number | undefined>> = {
    clients: presence?.is_known ? presence.lines_online : undefined,
    lines: server.line_count,
    differences: comparison ? differencesOf(comparison) : 0,
  };
  return (
    <div className="[--list-side:0] mb-6 phone:mb-4">
      <TabBar aria-label={t('sections')}>
        {tabNames.map((name) => (
          <TabLink
            key={name}
            to={tabs[name]}
            params={{ id: server.id }}
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: false }}
            isCurrent={name === current}
          >
            {t(tabTexts[name])}
            {counts[name] !== undefined && (name !== 'differences' || counts[name] > 0) && (
              <TabCount tone={name === 'differences' ? 'warning' : 'neutral'}>
                {formatCount(counts[name], i18n.language)}
              </TabCount>
            )}
          </TabLink>
        ))}
      </TabBar>
    </div>
  );
}
