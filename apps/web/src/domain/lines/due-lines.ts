import { DASHBOARD_DAYS } from '@linekeeper/contract/dashboard.ts';
import { type Day, daysBetween, formatDay } from '@linekeeper/contract/dates.ts';
import { type Line, listLines } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { callQuery } from '#platform/api/call-query.ts';
import { useToday } from '#platform/data/settings.ts';
import { expiryWords } from './expiry.tsx';

const MOST = 100;

/** The query of the lines that expire next: those of an account, or all that the signed-in account may see. */
export const dueLinesQuery = (owner_id?: string) =>
  callQuery('lines', listLines, {
    query: {
      expires_within: DASHBOARD_DAYS,
      sort: 'expiry_date',
      limit: MOST,
      ...(owner_id && { owner_id }),
    },
  });

/** The lines of the first day on which any of them expires. */
export function firstDue(lines: readonly Line[]): { day: Day; lines: Line[] } | undefined {
  const [first] = lines;
  if (!first) return undefined;
  const { expiry_date: day } = first;
  return { day, lines: lines.filter(({ expiry_date }) => expiry_date === day) };
}

/** Returns the day on which the next lines expire, such as 'Next: tomorrow, 6 lines.' */
export function useNextText(): (lines: readonly Line[]) => string {
  const { t, i18n } = useTranslation();
  const today = useToday();
  return (lines) => {
    const next = firstDue(lines);
    if (!next) return t('due.none', { count: DASHBOARD_DAYS });
    const days = daysBetween(today, next.day);
    const when = days <= 1 ? expiryWords(days, i18n.language) : formatDay(next.day);
    return t('due.next', { when, count: next.lines.length });
  };
}
