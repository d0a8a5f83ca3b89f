import type { ServerHealth } from '@linekeeper/contract/servers/health.ts';
import { useTranslation } from 'react-i18next';
import { StateBars, StateLegend } from '#domain/servers/health/state-bars.tsx';
import { ShownOrTableCard } from '#kit/charts/chart-card.tsx';
import { usePartTexts, useUptimeText } from './use-health-texts.ts';

/**
 * The uptime of a server during a day and a month as bars. Colour and height of a bar show if the server responded, was
 * slow or failed.
 */
export function HealthBars({ day, month }: { day: ServerHealth; month: ServerHealth }) {
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
