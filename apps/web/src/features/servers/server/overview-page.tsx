import { lacksPorts } from '@linekeeper/contract/lines/receivers.ts';
import { customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import type { ServerHealth } from '@linekeeper/contract/servers/health.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  CalendarCheck,
  Globe,
  LayoutDashboard,
  Route,
  ServerIcon,
  Terminal,
  Timer,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CustomerLine } from '#domain/lines/address-change.tsx';
import { OnlineDot } from '#domain/lines/presence.tsx';
import { ServerAgent } from '#features/servers/agent/server-agent.tsx';
import { serverLines } from '#features/servers/edit/server-form-schemas.ts';
import { useLengthText, useUptimeText } from '#features/servers/health/use-health-texts.ts';
import { serverHealthQuery } from '#features/servers/queries.ts';
import { ServerFrame } from '#features/servers/server-frame.tsx';
import { Troubles } from '#features/servers/trouble/troubles.tsx';
import { cardServerOf, useNotKnownText } from '#features/servers/use-presence-texts.ts';
import { useReloadText, useShortMoment } from '#features/servers/use-reload-text.ts';
import { TooManyLines } from '#features/servers/webif/too-many-lines.tsx';
import { AddressWarningText } from '#kit/ui/address-warning.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { Tile } from '#kit/ui/tile.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { FactsCard } from './facts-card.tsx';
import { SellersCard } from './sellers-card.tsx';

/** The first tab of a server's page, with the overview. */
export function ServerPage() {
  return (
    <ServerFrame tab="overview">
      {(server) => (
        <>
          <ServerAgent server={server} />
          <Troubles server={server} />
          {server.kind === 'oscam_webif' && <TooManyLines count={server.line_count} />}
          <div className="grid grid-cols-1 gap-6 phone:gap-3">
            <Figures server={server} />
            <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,3fr)] gap-6 tablet:grid-cols-1 phone:gap-3">
              <WayCard server={server} />
              <CustomersCard server={server} />
              <FactsCard server={server} />
              <SellersCard server={server} />
            </div>
          </div>
        </>
      )}
    </ServerFrame>
  );
}

/** The least number of checks for a share of the month; fewer checks prove nothing. */
const CHECKS_OF_AN_HOUR = 60;

/** The tiles of a server's page. */
function Figures({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const { data: day } = useQuery(serverHealthQuery(server.id, '24h'));
  const { data: month } = useQuery(serverHealthQuery(server.id, '30d'));
  const uptimeText = useUptimeText();
  const downText = useDownText();
  const number = (value: number) => formatNumber(value, i18n.language);
  const latency =
    day && (day.latency_ms === null ? '–' : `${number(day.latency_ms)} ${t('card.milliseconds')}`);
  return (
    <div className="grid grid-cols-4 gap-6 small-tablet:grid-cols-2 phone:gap-2 phone:[&>*>:last-child]:min-h-9">
      <ClientsTile server={server} />
      <Tile
        label={t('nav.lines')}
        value={number(server.line_count)}
        hint={
          server.closed_to_new_lines || lacksPorts(server)
            ? t('serverCard.state.closed')
            : server.max_lines !== null &&
              t('card.linesOfMost', { lines: server.line_count, most: server.max_lines })
        }
        icon={<Route />}
        tone="primary"
        link={{ to: '/cccam-servers/$id/lines', params: { id: server.id } }}
      />
      <Tile label={t('health.latency')} value={latency} icon={<Timer />} tone="primary" />
      <Tile
        label={t('health.up30')}
        value={month && (month.checks < CHECKS_OF_AN_HOUR ? '–' : uptimeText(month.uptime))}
        hint={
          month &&
          [downText(month), t('health.incidents', { count: month.incident_count })]
            .filter(Boolean)
            .join(', ')
        }
        icon={<CalendarCheck />}
        tone={month?.failed ? 'warning' : 'success'}
      />
    </div>
  );
}

/** The number of lines online, or the reason why it is unknown. */
function ClientsTile({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const notKnown = useNotKnownText()(server);
  const { presence, line_count: count } = server;
  const connections = t('presence.connections', { count: presence?.connections ?? 0 });
  return (
    <Tile
      label={t('page.clients.online')}
      value={notKnown ? '–' : formatNumber(presence?.lines_online ?? 0, i18n.language)}
      hint={notKnown ?? t('page.clients.of', { count, connections })}
      icon={<OnlineDot look={notKnown ? 'unknown' : 'online'} />}
      tone={notKnown ? 'primary' : 'success'}
      link={{ to: '/cccam-servers/$id/clients', params: { id: server.id } }}
    />
  );
}

/** Returns the downtime in a range, from its incidents; undefined without any. */
function useDownText() {
  const { t } = useTranslation('servers');
  const lengthText = useLengthText();
  return ({ parts, incidents }: ServerHealth) => {
    const begins = Date.parse(parts[0]?.from ?? '');
    const lasted = incidents.reduce((sum, { began_at, ended_at }) => {
      const ended = ended_at === null ? Date.now() : Date.parse(ended_at);
      return sum + Math.max(0, ended - Math.max(begins, Date.parse(began_at)));
    }, 0);
    return lasted > 0 ? t('health.downFor', { length: lengthText(lasted) }) : undefined;
  };
}

/** The card that shows how far changes have got: from the panel to the agent, and from there to the card server. */
function WayCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const shortMoment = useShortMoment();
  const { status, line_count, pushes_due, last_connection, kind } = server;
  const isWebif = kind === 'oscam_webif';
  const takes = useReloadText()(server);
  const answers = status === 'active';
  const agentText = () => {
    if (status === 'inactive' || !last_connection) return t('card.notTested');
    if (!answers) return t('serverCard.state.error');
    if (pushes_due > 0) return t('compare.queued', { count: pushes_due });
    return t('page.way.agentHas', { time: shortMoment(last_connection) });
  };
  const agentTone = answers ? (pushes_due > 0 ? 'warning' : 'success') : 'neutral';
  return (
    <Card title={t('page.way.title')}>
      <ol className="grid grid-cols-3 gap-4 phone:grid-cols-1 [&>[data-tone=success]+[data-tone=success]]:before:bg-success-fg">
        <Step icon={<LayoutDashboard size={20} />} tone="success" name={t('field.panel')}>
          {t('page.way.lines', { count: line_count })}
        </Step>
        <Step
          icon={isWebif ? <Globe size={20} /> : <Terminal size={20} />}
          tone={status === 'error' ? 'error' : agentTone}
          name={t(isWebif ? 'kind.oscam_webif.title' : 'page.way.agent')}
        >
          {agentText()}
        </Step>
        <Step
          icon={<ServerIcon size={20} />}
          tone={answers ? takes.tone : 'neutral'}
          name={cardServerOf(server).program ?? t('page.facts.program')}
        >
          {takes.text}
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  icon: ReactNode;
  tone: 'success' | 'warning' | 'error' | 'neutral';
  name: string;
  children: string;
}

/** The look of the line between two steps. */
const WAY =
  'before:absolute before:[inset-inline:calc(-100%_+_36px)_calc(100%_+_4px)] before:top-[19px] before:h-0.5 before:bg-divider-strong first:before:hidden';
const WAY_ON_PHONE =
  'phone:before:[inset:-14px_auto_auto_19px] phone:before:w-0.5 phone:before:h-3';

function Step({ icon, tone, name, children }: StepProps) {
  return (
    <li
      className={`relative flex flex-col gap-3 wrap-anywhere phone:flex-row ${WAY} ${WAY_ON_PHONE}`}
      data-tone={tone}
    >
      <IconTile tone={tone}>{icon}</IconTile>
      <div>
        <b className="type-strong">
          <TypedText>{name}</TypedText>
        </b>
        <p className="mt-0.5 text-text-2 type-caption">{children}</p>
      </div>
    </li>
  );
}

/** The card with the address that customers of the server enter into their receivers. */
function CustomersCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const address = customerAddress(server);
  const lines = serverLines(server, address);
  return (
    <Card
      title={t('field.public_host')}
      action={
        <Link
          to="/cccam-servers/$id/edit"
          params={{ id: server.id }}
          className="text-primary font-semibold"
        >
          {t('action.edit')}
        </Link>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <div className="flex items-start justify-between gap-2 pt-3 pr-2 pb-3 pl-4 rounded-[12px] bg-head type-[500_13px/22px_var(--mono)] wrap-anywhere">
          <div className="grid grid-cols-1">
            {lines.map((line) => (
              <p key={line}>
                <CustomerLine line={line} />
              </p>
            ))}
          </div>
          <CopyButton value={lines.join('\n')} label={t('share.copy')} size="small" />
        </div>
        <AddressWarningText host={address.host} />
      </div>
    </Card>
  );
}
