import type { HealthRange, ServerHealth } from '@linekeeper/contract/servers/health.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Activity, CalendarCheck, Route, Timer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { InTurn, useDrawnInSlices } from '../../../shared/start/later.tsx';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { ChartCard } from '../../../shared/ui/charts/chart-card.tsx';
import { Segments } from '../../../shared/ui/controls/segments.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { Tile } from '../../../shared/ui/tile.tsx';
import { TimeAgo } from '../../../shared/ui/timestamp.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Stack } from '../../../shared/ui/vocabulary.tsx';
import { serverHealthQuery, serverQuery } from '../queries.ts';
import { ServerFormSkeleton } from '../server-skeletons.tsx';
import { statusTones } from '../status-tones.ts';
import { useIsTesting, useTestServer } from '../use-server-tests.ts';
import { HealthBars } from './health-bars.tsx';
import { Incidents } from './incidents.tsx';
import styles from './server-health.module.css';
import { useLengthText, usePartTexts, useUptimeText } from './use-health-texts.ts';

export function ServerHealthPage() {
  const { id = '' } = useParams({ from: '/shell/cccam-servers/health/$id' });
  const server = useQuery(serverQuery(id));
  const drawn = useDrawnInSlices(server.data);
  if (drawn) return <Loaded server={drawn} />;
  return (
    <>
      <PageHeader />
      {server.isPending || server.data ? (
        <ServerFormSkeleton />
      ) : (
        <Card>
          <FailedPanel error={server.error} onRetry={() => server.refetch()} />
        </Card>
      )}
    </>
  );
}

function Loaded({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const [range, setRange] = useState<HealthRange>('24h');
  const day = useQuery(serverHealthQuery(server.id, '24h'));
  const month = useQuery(serverHealthQuery(server.id, '30d'));
  const error = day.error ?? month.error;
  const shown = range === '24h' ? day.data : month.data;
  return (
    <>
      <PageHeader
        title={t('health.titleOf', { name: server.server_name })}
        badges={<Badge tone={statusTones[server.status]}>{t(`status.${server.status}`)}</Badge>}
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
        actions={<TestButton server={server} />}
      />
      <Stack gap={24}>
        <Figures server={server} day={day.data} month={month.data} />
        {error && !shown && (
          <Card>
            <FailedPanel
              error={error}
              onRetry={() => Promise.all([day.refetch(), month.refetch()])}
            />
          </Card>
        )}
        {/* Together: what is there first would be pushed down by the rest. */}
        {shown && day.data && month.data && (
          <InTurn>
            <HealthBars day={day.data} month={month.data} />
            <LatencyChart
              health={shown}
              choice={
                <Segments
                  label={t('health.range')}
                  value={range}
                  options={[
                    { value: '24h', label: t('health.hours24') },
                    { value: '30d', label: t('health.days30') },
                  ]}
                  onChange={setRange}
                />
              }
            />
            <Incidents health={month.data} apiPort={server.api_port} />
          </InTurn>
        )}
      </Stack>
    </>
  );
}

function TestButton({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const test = useTestServer();
  return (
    <Button
      variant="solid"
      icon={<Activity />}
      pending={useIsTesting(server.id)}
      onClick={() => void test.send(server)}
    >
      {t('test.connection')}
    </Button>
  );
}

interface FiguresProps {
  server: Server;
  day: ServerHealth | undefined;
  month: ServerHealth | undefined;
}

function Figures({ server, day, month }: FiguresProps) {
  const { t, i18n } = useTranslation('servers');
  const uptimeText = useUptimeText();
  const downText = useDownText();
  const number = (value: number) => formatNumber(value, i18n.language);
  const latency =
    day && (day.latency_ms === null ? '–' : `${number(day.latency_ms)} ${t('card.milliseconds')}`);
  return (
    <div className={styles.tiles}>
      <Tile
        label={t('health.up24')}
        value={day && uptimeText(day.uptime)}
        hint={
          day && (downText(day) ?? t('health.failedOf', { count: day.failed, checks: day.checks }))
        }
        icon={<Activity />}
        tone={day?.failed ? 'warning' : 'success'}
      />
      <Tile
        label={t('health.up30')}
        value={month && uptimeText(month.uptime)}
        hint={
          month &&
          [downText(month), t('health.incidents', { count: month.incident_count })]
            .filter(Boolean)
            .join(', ')
        }
        icon={<CalendarCheck />}
        tone={month?.failed ? 'warning' : 'success'}
      />
      <Tile
        label={t('card.latency')}
        value={latency}
        hint={t('health.median24')}
        icon={<Timer />}
        tone="primary"
      />
      <Tile
        label={t('card.lines')}
        value={number(server.line_count)}
        hint={
          server.closed_to_new_lines
            ? t('card.closed')
            : server.max_lines !== null &&
              t('card.linesOfMost', { lines: server.line_count, most: server.max_lines })
        }
        icon={<Route />}
        tone="primary"
        link={{ to: '/users/all', search: { server: server.id } }}
      />
    </div>
  );
}

/** How long it was down in a range, from its incidents; undefined without any. */
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

interface LatencyChartProps {
  health: ServerHealth;
  /** Chooses the range. */
  choice: ReactNode;
}

/** The median latency of each part. What was not measured is an empty place, and said so. */
function LatencyChart({ health, choice }: LatencyChartProps) {
  const { t } = useTranslation('servers');
  const { nameOf, axisOf, stateOf, latencyOf } = usePartTexts(health);
  const { parts, slow_from_ms } = health;
  return (
    <ChartCard
      title={t('card.latency')}
      summary={
        slow_from_ms === null
          ? t('health.notMeasured')
          : t('health.slowFrom', { milliseconds: slow_from_ms })
      }
      choice={choice}
      chart={{
        points: parts.map((part) => ({
          label: axisOf(part),
          value: part.latency_ms ?? 0,
          text: () =>
            `${nameOf(part)}: ${part.latency_ms === null ? stateOf(part) : latencyOf(part)}`,
          ...(part.state === 'slow' ? { tone: 'warning' as const } : {}),
        })),
        shape: 'bars',
        begins: 'last',
      }}
      table={() => ({
        columns: [t('health.time'), t('card.latency')],
        rows: parts
          .toReversed()
          .map((part) => ({ key: part.from, cells: [nameOf(part), latencyOf(part)] })),
      })}
    />
  );
}
