import { type HealthState, healthStates } from '@linekeeper/contract/servers/health.ts';
import { useTranslation } from 'react-i18next';
import styles from './state-bars.module.css';

interface Bar {
  key: string | number;
  state: HealthState;
  title?: string;
}

interface StateBarsProps {
  /** All of them in a sentence. */
  label: string;
  bars: readonly Bar[];
  isLow?: boolean;
}

/** How a server answered, part by part: the height of a bar says the same as its colour. */
export function StateBars({ label, bars, isLow = false }: StateBarsProps) {
  return (
    <div
      className={styles.bars}
      data-low={isLow || undefined}
      data-print="drawn"
      role="img"
      aria-label={label}
    >
      {bars.map(({ key, state, title }) => (
        <i key={key} data-state={state} title={title} />
      ))}
    </div>
  );
}

/** What the bars mean. */
export function StateLegend() {
  const { t } = useTranslation();
  return (
    <ul className={styles.legend} data-print="drawn">
      {healthStates.map((state) => (
        <li key={state} data-state={state}>
          {t(`health.state.${state}`)}
        </li>
      ))}
    </ul>
  );
}
