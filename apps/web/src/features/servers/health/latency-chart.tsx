import type { ServerHealth } from '@linekeeper/contract/servers/health.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../../shared/ui/charts/chart-card.tsx';
import { usePartTexts } from './use-part-texts.ts';

interface LatencyChartProps {
  health: ServerHealth;
  /** Chooses the range. */
  choice: ReactNode;
}

/** The median latency of each part. What was not measured is an empty place, and said so. */
export function LatencyChart({ health, choice }: LatencyChartProps) {
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
