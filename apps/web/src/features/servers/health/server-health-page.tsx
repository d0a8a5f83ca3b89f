import type { HealthRange, Incident, ServerHealth } from '@linekeeper/contract/servers/health.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBars, StateLegend } from '#domain/servers/health/state-bars.tsx';
import { serverHealthQuery } from '#features/servers/queries.ts';
import { ServerFrame } from '#features/servers/server-frame.tsx';
import { useProblemText } from '#features/servers/use-server-problem.ts';
import { ChartCard, ShownOrTableCard } from '#kit/charts/chart-card.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Segments } from '#kit/ui/controls/segments.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { useLengthText, usePartTexts, useUptimeText } from './use-health-texts.ts';

/** The tab with the health of a server: its uptime, latency and incidents. */
export function ServerHealthPage() {
  return <ServerFrame tab="health">{(server) => <Health server={server} />}</ServerFrame>;
}

function Health({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const [range, setRange] = useState<HealthRange>('24h');
  const day = useQuery(serverHealthQuery(server.id, '24h'));
  const month = useQuery(serverHealthQuery(server.id, '30d'));
  const error = day.error ?? month.error;
  const shown = range === '24h' ? day.data : month.data;
  return (
    <div className="grid grid-cols-1 gap-6">
      {error && !shown && (
        <Card>
          <FailedPanel
            error={error}
            onRetry={() => Promise.all([day.refetch(), month.refetch()])}
          />
        </Card>
      )}
      {/* The parts are shown together, because the first ones would be pushed down by the
          others. */}
      {shown && day.data && month.data && (
        <>
          <HealthBars day={day.data} month={month.data} />
          <LatencyChart
            health={shown}
            choice={
              <Segments
                label={t('health.period')}
                value={range}
                options={[
                  { value: '24h', label: t('health.hours24') },
                  { value: '30d', label: t('health.days30') },
                ]}
                onChange={setRange}
              />
            }
          />
          <Incidents health={month.data} isActive={server.status === 'active'} />
        </>
      )}
    </div>
  );
}

interface LatencyChartProps {
  health: ServerHealth;
  /** The control that chooses the range. */
  choice: ReactNode;
}

/** The median latency of each part. A part without measurements is empty, and its text explains that. */
function LatencyChart({ health, choice }: LatencyChartProps) {
  const { t } = useTranslation('servers');
  const { nameOf, axisOf, stateOf, latencyOf } = usePartTexts(health);
  const { parts, slow_from_ms } = health;
  return (
    <ChartCard
      title={t('health.latency')}
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
        columns: [t('health.period'), t('health.latency')],
        rows: parts
          .toReversed()
          .map((part) => ({ key: part.from, cells: [nameOf(part), latencyOf(part)] })),
      })}
    />
  );
}

/**
 * The uptime of a server during a day and a month as bars. Colour and height of a bar show if the server responded, was
 * slow or failed.
 */
function HealthBars({ day, month }: { day: ServerHealth; month: ServerHealth }) {
  const { t } = useTranslation('servers');
  const dayRows = useRows(day);
  const monthRows = useRows(month);
  return (
    <ShownOrTableCard
      title={t('health.bars')}
      table={() => ({
        columns: [
          t('health.period'),
          t('field.status'),
          t('health.checks'),
          t('state.failed'),
          t('health.latency'),
        ],
        rows: [...dayRows(), ...monthRows()],
      })}
    >
      <Strip title={t('health.hours24')} health={day} />
      <Strip title={t('health.days30')} health={month} />
      <StateLegend />
    </ShownOrTableCard>
  );
}

/** The rows, newest first, because people look for recent events. */
function useRows(health: ServerHealth) {
  const { nameOf, stateOf, latencyOf, number } = usePartTexts(health);
  return () =>
    health.parts.toReversed().map((part) => ({
      key: `${health.range} ${part.from}`,
      cells: [
        nameOf(part),
        stateOf(part),
        number(part.checks),
        number(part.failed),
        latencyOf(part),
      ],
    }));
}

function Strip({ title, health }: { title: string; health: ServerHealth }) {
  const { t } = useTranslation('servers');
  const { nameOf, stateOf } = usePartTexts(health);
  const uptimeText = useUptimeText();
  const { parts, failed, checks, uptime } = health;
  const words = t('health.stripOf', {
    title,
    uptime: uptimeText(uptime),
    failed: t('health.failedOf', { count: failed, checks }),
  });
  const [first] = parts;
  return (
    <div className="mb-6 [&_h3]:mb-2 [&_h3]:type-[600_14px/20px_var(--font)]">
      <h3>{title}</h3>
      <StateBars
        label={words}
        bars={parts.map((part) => ({
          key: part.from,
          state: part.state,
          title: () => `${nameOf(part)}: ${stateOf(part)}`,
        }))}
      />
      <p
        className="flex items-stretch justify-between mt-1 text-text-2 type-caption"
        aria-hidden="true"
      >
        <span>{first && nameOf(first)}</span>
        <span>{t('health.now')}</span>
      </p>
    </div>
  );
}

interface IncidentsProps {
  health: ServerHealth;
  /** True if the server is still active: the open incident is one or two failed checks, and the next check decides. */
  isActive: boolean;
}

function Incidents({ health: { incidents, incident_count }, isActive }: IncidentsProps) {
  const { t } = useTranslation('servers');
  return (
    <Card
      title={t('health.incidentsTitle')}
      flush
      className="[&>p]:pt-0 [&>p]:px-(--card-pad) [&>p]:pb-6 [&_li]:py-4 [&_li]:px-(--card-pad) [&_li]:border-t [&_li]:border-t-divider small-phone:[&_li]:flex-wrap small-phone:[&_li>strong]:basis-full small-phone:[&_li>strong]:ps-9"
    >
      {incidents.length === 0 ? (
        <p className="text-text-2">{t('health.noIncidents')}</p>
      ) : (
        <ul>
          {incidents.map((incident) => (
            <OneIncident key={incident.id} incident={incident} isActive={isActive} />
          ))}
        </ul>
      )}
      {incident_count > incidents.length && (
        <p className="text-text-2">
          {t('health.newest', { shown: incidents.length, count: incident_count })}
        </p>
      )}
    </Card>
  );
}

interface OneIncidentProps extends Pick<IncidentsProps, 'isActive'> {
  incident: Incident;
}

function OneIncident({ incident, isActive }: OneIncidentProps) {
  const { t } = useTranslation('servers');
  const problemText = useProblemText();
  const lengthText = useLengthText();
  const { began_at, ended_at, failed, finding } = incident;
  return (
    <li className="flex items-center gap-4">
      <CircleX size={20} color="var(--color-error-fg)" />
      <div className="flex-1 min-w-0 wrap-anywhere">
        <b className="type-strong">{problemText(finding)}</b>
        <p className="text-text-2 type-caption">
          <Timestamp value={began_at} />
          {', '}
          {t('health.failedChecks', { count: failed })}
        </p>
      </div>
      <strong className="flex-none type-strong">
        {ended_at
          ? lengthText(Date.parse(ended_at) - Date.parse(began_at))
          : t(isActive ? 'health.again' : 'health.lasting')}
      </strong>
    </li>
  );
}
