import { lacksPorts } from '@linekeeper/contract/lines/receivers.ts';
import type { ServerHealth } from '@linekeeper/contract/servers/health.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { CalendarCheck, Route, Timer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { OnlineDot } from '#domain/lines/presence.tsx';
import { useLengthText, useUptimeText } from '#features/servers/health/use-health-texts.ts';
import { serverHealthQuery } from '#features/servers/queries.ts';
import { useNotKnownText } from '#features/servers/use-presence-texts.ts';
import { Tile } from '#kit/ui/tile.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';

/** The least number of checks for a share of the month; fewer checks prove nothing. */
const CHECKS_OF_AN_HOUR = 60;

/** The tiles of a server's page. */
export function Figures({ server }: { server: Server }) {
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
