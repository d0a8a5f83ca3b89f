import { type Day, parseDay } from '@linekeeper/contract/dates.ts';
import type { DateOrder } from '@linekeeper/contract/lines/import-limits.ts';
import { UnreadableRow } from './faults.ts';

/** Dates with all digits of their year, in either order, with one sign throughout. */
const WHOLE =
  /(?<!\d|\d[-./])(?:(?<d1>\d{1,2})(?<s1>[-./])(?<m1>\d{1,2})\k<s1>(?<y1>(?:19|20)\d\d)|(?<y2>(?:19|20)\d\d)(?<s2>[-./])(?<m2>\d{1,2})\k<s2>(?<d2>\d{1,2}))(?!\d|[-./]\d)/g;

/** Whole dates in a comment; the day of one is null if the calendar does not have it. */
export function datesIn(comment: string) {
  return [...comment.matchAll(WHOLE)].map(({ 0: text, groups = {} }) => {
    const { y1, m1, d1, y2, m2, d2 } = groups;
    const [month = '', day = ''] = [m1 ?? m2, d1 ?? d2];
    return {
      text,
      order: y1 === undefined ? ('y-m-d' as const) : ('d-m-y' as const),
      day: parseDay(`${y1 ?? y2}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`),
    };
  });
}

/**
 * The expiry date in a comment with exactly one whole date, in the chosen order; null if there is none. Throws an
 * UnreadableRow for an ambiguous date, because another expiry date would give the line free months.
 */
export function dateInComment(comment: string, order: DateOrder | null): Day | null {
  const [found, ...others] = datesIn(comment);
  if (!found || order === 'none') return null;
  const { text, day } = found;
  if (order === null) throw new UnreadableRow('expiry_date', 'DATE_WITHOUT_CHOICE', { text });
  if (others.length > 0) throw new UnreadableRow('expiry_date', 'DAYS_SEVERAL');
  if (found.order !== order) throw new UnreadableRow('expiry_date', 'DAY_OTHER_ORDER', { text });
  if (day === null) throw new UnreadableRow('expiry_date', 'DAY_NOT_IN_CALENDAR', { text });
  return day;
}
