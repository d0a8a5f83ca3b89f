import { type Day, parseDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { usePriceOf } from '../../../shared/data/prices.ts';
import { useMe } from '../../../shared/data/session.ts';
import { useToday } from '../../../shared/data/settings.ts';
import type { Quote } from '../../../shared/forms/quote-summary.tsx';
import { type RenewalDuration, renewalQuoteQuery } from '../queries.ts';
import { FIRST_RENEWAL_MONTHS, isOffered, lastDayBefore, renewedDay } from './renewal.ts';

export interface AskedQuote {
  /** null while loading, or if there is no term to ask about. */
  quote: Quote | null;
  /** The error of the quote request, if it failed. */
  error: unknown;
}

/**
 * The panel's quote for a renewal. For a number of months price list and calendar say cost and day
 * until the panel replies, or if it does not; only the panel knows the price of a date, and what
 * remains.
 */
export function useRenewalQuote(
  line: Pick<Line, 'id' | 'expiry_date'>,
  duration: RenewalDuration | null,
): AskedQuote {
  const { credits: balance, is_admin } = useMe();
  const today = useToday();
  const priceOf = usePriceOf();
  const asked = duration ?? { subscription_months: FIRST_RENEWAL_MONTHS };
  // Part of the query key because the quote changes if another session renews the line.
  const query = renewalQuoteQuery(line.id, asked, line.expiry_date);
  const { data, error } = useQuery({ ...query, enabled: duration !== null });
  if (duration === null) return { quote: null, error: null };
  const { subscription_months: months } = duration;
  if (data || months === undefined) return { quote: data ?? null, error: data ? null : error };
  const cost = is_admin ? 0 : priceOf(months);
  if (cost === undefined) return { quote: null, error };
  const expiry_date = renewedDay(months, line.expiry_date, today);
  return { quote: { cost, balance, balance_after: null, expiry_date }, error: null };
}

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
