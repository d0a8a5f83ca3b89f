import type { ReactNode } from 'react';

export interface SummaryRow {
  label: string;
  value: ReactNode;
  tone?: 'danger' | 'success' | undefined;
}

interface SummaryRowsProps {
  rows: readonly SummaryRow[];
  /**
   * The look of the rows: a box whose last row is the result of the others, a box of equal rows,
   * rows below a line, or rows alone inside a card.
   */
  look?: 'box' | 'facts' | 'plain' | 'bare';
}

const BOX = 'gap-2 p-4 rounded-control bg-head';
const looks = {
  box: `${BOX} [&>:last-child]:pt-2 [&>:last-child]:border-t [&>:last-child]:border-t-divider [&>:last-child>dt]:text-text [&>:last-child>dt]:font-semibold`,
  facts: BOX,
  plain: 'gap-1 mt-2 pt-3 border-t border-t-divider',
  bare: 'gap-2',
};
const tones = { danger: 'text-danger', success: 'text-success-fg' };

/** Rows of a name and a value, such as a balance, its change and the new balance. */
export function SummaryRows({ rows, look = 'box' }: SummaryRowsProps) {
  return (
    <dl className={`grid ${looks[look]}`} aria-live="polite">
      {rows.map(({ label, value, tone }) => (
        <div className="flex items-stretch justify-between gap-4" key={label}>
          <dt className="flex-none max-w-[60%] font-normal">{label}</dt>
          <dd
            className={`flex items-center gap-2 font-semibold text-end [&>span:not([data-tone])]:text-text-2 [&>span:not([data-tone])]:font-normal ${tone ? tones[tone] : ''}`}
          >
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
