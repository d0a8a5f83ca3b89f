import type { ReactNode } from 'react';
import styles from './summary-rows.module.css';

export interface SummaryRow {
  label: string;
  value: ReactNode;
  tone?: 'danger' | 'success' | undefined;
}

interface SummaryRowsProps {
  rows: readonly SummaryRow[];
  /**
   * A box whose last row is what comes of the others, one of equal rows, rows below a line, or rows
   * alone, where a card is already the box.
   */
  look?: 'box' | 'facts' | 'plain' | 'bare';
}

/** Rows of a name and a value, such as a balance, its change and the new balance. */
export function SummaryRows({ rows, look = 'box' }: SummaryRowsProps) {
  return (
    <dl className={styles.summary} data-look={look} aria-live="polite">
      {rows.map(({ label, value, tone }) => (
        <div className="flex items-stretch justify-between gap-4" key={label}>
          <dt>{label}</dt>
          <dd className="flex items-center gap-2" data-tone={tone}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
