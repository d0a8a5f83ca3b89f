import { type HealthState, healthStates } from '@linekeeper/contract/servers/health.ts';
import type { PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';

interface Bar {
  key: string | number;
  state: HealthState;
  /** Made for the one that is pointed at alone. */
  title?(): string;
}

interface StateBarsProps {
  /** All of them in a sentence. */
  label: string;
  bars: readonly Bar[];
  isLow?: boolean;
}

/**
 * A server's states over time as bars. Height and colour of a bar mean the same, for people who do not distinguish the
 * colours.
 */
export function StateBars({ label, bars, isLow = false }: StateBarsProps) {
  const name = ({ currentTarget, target }: PointerEvent<HTMLElement>) => {
    const at = [...currentTarget.children].indexOf(target as Element);
    const title = bars[at]?.title?.();
    if (title) (target as HTMLElement).title = title;
  };
  return (
    <div
      className="flex items-end gap-0.5 [--colour:var(--color-chart-4)] [&_[data-state=slow]]:[--height:65%] [&_[data-state=slow]]:[--colour:var(--color-chart-3)] [&_[data-state=down]]:[--height:35%] [&_[data-state=down]]:[--colour:var(--color-error-fg)] [&_[data-state=unknown]]:[--height:4px] [&_[data-state=unknown]]:[--colour:var(--color-divider-strong)] h-10 data-low:h-7 [&_i]:flex-1 [&_i]:min-w-px [&_i]:h-[var(--height,100%)] [&_i]:rounded-[3px] [&_i]:bg-(--colour)"
      data-low={isLow || undefined}
      data-print="drawn"
      role="img"
      aria-label={label}
      onPointerOver={name}
    >
      {bars.map(({ key, state }) => (
        <i key={key} data-state={state} />
      ))}
    </div>
  );
}

/** The legend of the bars of a server's health: each colour with its state. */
export function StateLegend() {
  const { t } = useTranslation();
  return (
    <ul
      className={`flex flex-wrap items-stretch text-text-2 type-caption [--colour:var(--color-chart-4)] [&_[data-state=slow]]:[--height:65%] [&_[data-state=slow]]:[--colour:var(--color-chart-3)] [&_[data-state=down]]:[--height:35%] [&_[data-state=down]]:[--colour:var(--color-error-fg)] [&_[data-state=unknown]]:[--height:4px] [&_[data-state=unknown]]:[--colour:var(--color-divider-strong)] gap-y-1 gap-x-6 [&_li::before]:content-[''] [&_li::before]:inline-block [&_li::before]:w-2.5 [&_li::before]:h-2.5 [&_li::before]:me-2 [&_li::before]:rounded-[3px] [&_li::before]:bg-(--colour)`}
      data-print="drawn"
    >
      {healthStates.map((state) => (
        <li key={state} data-state={state}>
          {t(`health.state.${state}`)}
        </li>
      ))}
    </ul>
  );
}
