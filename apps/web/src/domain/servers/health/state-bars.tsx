import { type HealthState, healthStates } from '@linekeeper/contract/servers/health.ts';
import type { PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';

const looks: Record<HealthState, string> = {
  up: '[--colour:var(--color-chart-4)]',
  slow: '[--height:65%] [--colour:var(--color-chart-3)]',
  down: '[--height:35%] [--colour:var(--color-error-fg)]',
  unknown: '[--height:4px] [--colour:var(--color-divider-strong)]',
};
const BAR = 'flex-1 min-w-px h-[var(--height,100%)] rounded-[3px] bg-(--colour)';
const SQUARE =
  "before:content-[''] before:inline-block before:w-2.5 before:h-2.5 before:me-2 before:rounded-[3px] before:bg-(--colour)";

interface Bar {
  key: string | number;
  state: HealthState;
  /** The text of the bar under the pointer, made only for that bar. */
  title?(): string;
}

interface StateBarsProps {
  /** A sentence that describes all bars together. */
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
      className="flex items-end gap-0.5 h-10 data-low:h-7"
      data-low={isLow || undefined}
      data-print="drawn"
      role="img"
      aria-label={label}
      onPointerOver={name}
    >
      {bars.map(({ key, state }) => (
        <i key={key} className={`${BAR} ${looks[state]}`} data-state={state} />
      ))}
    </div>
  );
}

/** The legend of the bars of a server's health: each colour with its state. */
export function StateLegend() {
  const { t } = useTranslation();
  return (
    <ul
      className="flex flex-wrap items-stretch text-text-2 type-caption gap-y-1 gap-x-6"
      data-print="drawn"
    >
      {healthStates.map((state) => (
        <li key={state} className={`${SQUARE} ${looks[state]}`} data-state={state}>
          {t(`health.state.${state}`)}
        </li>
      ))}
    </ul>
  );
}
