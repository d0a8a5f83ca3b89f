import type { Figure } from '@linekeeper/contract/dashboard.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '#platform/i18n/format-number.ts';

/** Returns a figure as the totals of lists are written: "10,000+" if counting stopped there. */
export function useFigureText(): (figure: Figure) => string {
  const { i18n } = useTranslation();
  return ({ total, total_is_exact }) =>
    formatNumber(total, i18n.language) + (total_is_exact ? '' : '+');
}

interface ChangeProps {
  change: Figure;
  /** The value 'good' if an increase is good, and otherwise 'bad'. It decides the colour. */
  more: 'good' | 'bad';
  /** The text about the period of the change. */
  text: string;
}

/** The change of a figure since the period before, by sign, arrow and colour. */
export function Change({ change: figure, more, text }: ChangeProps) {
  const figureText = useFigureText();
  const isUp = figure.total > 0;
  const isGood = isUp === (more === 'good');
  const amount = figureText({ ...figure, total: Math.abs(figure.total) });
  if (figure.total === 0) return `${amount} ${text}`;
  return (
    <>
      <span
        className={`inline-flex items-center gap-0.5 align-top font-bold ${isGood ? 'text-success-fg' : 'text-error-fg'}`}
      >
        {isUp ? <ArrowUp size={16} /> : <ArrowDown size={16} />}
        {isUp ? '+' : '−'}
        {amount}
      </span>{' '}
      {text}
    </>
  );
}
