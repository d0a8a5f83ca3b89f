import type { Figure } from '@linekeeper/contract/dashboard.ts';
import { type Day, formatDay } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';

/** Day and month, for the axis of a chart. */
export const axisDay = (day: Day) => formatDay(day).slice(0, 5);

/** The sum of figures, as a list of the same rows would say its total. */
export function sumOf(figures: readonly Figure[]): Figure {
  const total = figures.reduce((sum, figure) => sum + figure.total, 0);
  const isExact = total <= MOST_COUNTED && figures.every(({ total_is_exact }) => total_is_exact);
  return { total: Math.min(total, MOST_COUNTED), total_is_exact: isExact };
}
