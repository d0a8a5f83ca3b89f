import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { type RenewalDuration, renewalQuoteQuery } from '#domain/lines/queries.ts';
import { usePriceOf } from '#domain/prices/prices.ts';
import type { Quote } from '#domain/prices/quote-summary.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { renewedDay } from './days.ts';

/** True for the panel's refusal because the account may no longer sell. */
export const isEnd = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'ACCOUNT_ENDED';

export interface AskedQuote {
  /** The quote; null while loading, or without a term. */
  quote: Quote | null;
  /** The error of the quote request, if it failed. */
  error: unknown;
}

/**
 * The panel's quote for a renewal. For a number of months, cost and day are computed from price list and calendar until
 * the panel replies, and if it is not asked. Only the panel knows the price of a date, and the balance that remains.
 */
export function useRenewalQuote(
  line: Pick<Line, 'id' | 'expiry_date' | 'plan_id'>,
  duration: RenewalDuration | null,
  isAsked = true,
): AskedQuote {
  const { credits: balance, is_admin } = useMe();
  const today = useToday();
  const priceOf = usePriceOf(line.plan_id);
  const query = renewalQuoteQuery(line, duration ?? {});
  const { data: said, error } = useQuery({ ...query, enabled: isAsked && duration !== null });
  if (duration === null) return { quote: null, error: null };
  // A quote that another part of the page requested is not updated here, so it is not used.
  const data = isAsked ? said : undefined;
  if (data) {
    return { quote: { ...data, balance, balance_after: balance - data.cost }, error: null };
  }
  const { subscription_months: months } = duration;
  // The price list does not show that the account may no longer sell, so that error comes first.
  if (isEnd(error)) return { quote: null, error };
  if (months === undefined) return { quote: null, error };
  const cost = is_admin ? 0 : priceOf(months);
  if (cost === undefined) return { quote: null, error };
  const expiry_date = renewedDay(months, line.expiry_date, today);
  return { quote: { cost, balance, balance_after: null, expiry_date }, error: null };
}
