import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';

interface BalanceRow {
  label: string;
  /** The amount; undefined while it is unknown, for example because none is entered. */
  value?: number | undefined;
  /** A text instead of a number. */
  text?: ReactNode;
  /** True to show the amount with its sign. */
  isChange?: boolean;
}

/** A balance, its changes and the resulting balance, one below the other. */
export function BalanceRows({ rows }: { rows: readonly BalanceRow[] }) {
  const { t } = useTranslation();
  const shown = ({ value, text, isChange }: BalanceRow, isLast: boolean) => {
    if (text !== undefined) return text;
    if (value === undefined) return '–';
    if (isLast && value >= 0) return t('credits.amount', { count: value });
    const number = t('number', { value: Math.abs(value) });
    if (value < 0) return `−${number}`;
    return isChange ? `+${number}` : number;
  };
  return (
    <SummaryRows
      rows={rows.map((row, index) => ({
        label: row.label,
        value: shown(row, index === rows.length - 1),
        tone: row.isChange && (row.value ?? 0) > 0 ? 'success' : undefined,
      }))}
    />
  );
}

export function left(balance: number, taken: number | undefined): number | undefined {
  return taken === undefined ? undefined : balance - taken;
}
