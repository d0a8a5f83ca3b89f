import type { HealthRange, ServerHealth } from '@linekeeper/contract/servers/health.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverHealthQuery } from '#features/servers/queries.ts';
import { ServerFrame } from '#features/servers/server-frame.tsx';
import { ChartCard } from '#kit/charts/chart-card.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Segments } from '#kit/ui/controls/segments.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { HealthBars } from './health-bars.tsx';
import { Incidents } from './incidents.tsx';
import { usePartTexts } from './use-health-texts.ts';

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
