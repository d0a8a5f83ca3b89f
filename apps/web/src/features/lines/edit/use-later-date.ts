import { type Day, parseDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { isOffered, lastDayBefore } from '#domain/lines/renewal/days.ts';
import { type AskedQuote, useRenewalQuote } from '#domain/lines/renewal/use-renewal-quote.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';

export interface LaterDate extends AskedQuote {
  /** True if the entered date is valid and differs from the line's. */
  isAsked: boolean;
  /** If the entered date is too early: the day it must be later than. Otherwise null. */
  tooEarly: Day | null;
}

/** The quote for another expiry date, also an earlier one, or why that date is refused. */
export function useLaterDate(line: Line, text: string): LaterDate {
  const { is_admin } = useMe();
  const after = lastDayBefore(line.expiry_date, useToday(), is_admin);
  const day = parseDay(text.trim());
  const isAnother = day !== null && day !== line.expiry_date;
  const isAsked = isAnother && isOffered(day, after);
  const asked = useRenewalQuote(line, isAsked ? { expiry_date: day, may_shorten: true } : null);
  return {
    ...asked,
    isAsked,
    tooEarly: isAnother && after !== null && day <= after ? after : null,
  };
}
