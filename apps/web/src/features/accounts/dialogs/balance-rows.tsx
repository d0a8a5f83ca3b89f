import { useTranslation } from 'react-i18next';
import styles from '../accounts.module.css';

interface BalanceRow {
  label: string;
  /** undefined as long as no amount is entered. */
  value: number | undefined;
  /** Shown with its sign. */
  isChange?: boolean;
}

/** What a balance is, what is done to it, and last what comes of it. */
export function BalanceRows({ rows }: { rows: readonly BalanceRow[] }) {
  const { t } = useTranslation();
  const shown = ({ value, isChange }: BalanceRow) => {
    if (value === undefined) return '–';
    const number = t('number', { value: Math.abs(value) });
    if (!isChange) return value < 0 ? `−${number}` : number;
    return `${value < 0 ? '−' : '+'}${number}`;
  };
  return (
    <dl className={styles.balance} aria-live="polite">
      {rows.map((row, index) => (
        <div key={row.label}>
          <dt>{row.label}</dt>
          <dd>
            {index === rows.length - 1 && row.value !== undefined && row.value >= 0
              ? t('credits.amount', { count: row.value })
              : shown(row)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function left(balance: number, taken: number | undefined): number | undefined {
  return taken === undefined ? undefined : balance - taken;
}
