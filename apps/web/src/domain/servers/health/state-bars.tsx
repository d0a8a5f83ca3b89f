import { type HealthState, healthStates } from '@linekeeper/contract/servers/health.ts';
import type { PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Row } from '#kit/ui/vocabulary.tsx';
import styles from './state-bars.module.css';

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

/** How a server answered, part by part: the height of a bar says the same as its colour. */
export function StateBars({ label, bars, isLow = false }: StateBarsProps) {
  const name = ({ currentTarget, target }: PointerEvent<HTMLElement>) => {
    const at = [...currentTarget.children].indexOf(target as Element);
    const title = bars[at]?.title?.();
    if (title) (target as HTMLElement).title = title;
  };
  return (
    <Row
      align="end"
      gap={2}
      className={styles.bars}
      data-low={isLow || undefined}
      data-print="drawn"
      role="img"
      aria-label={label}
      onPointerOver={name}
    >
      {bars.map(({ key, state }) => (
        <i key={key} data-state={state} />
      ))}
    </Row>
  );
}

/** What the bars mean. */
export function StateLegend() {
  const { t } = useTranslation();
  return (
    <Row as="ul" align="stretch" wrap muted caption className={styles.legend} data-print="drawn">
      {healthStates.map((state) => (
        <li key={state} data-state={state}>
          {t(`health.state.${state}`)}
        </li>
      ))}
    </Row>
  );
}
