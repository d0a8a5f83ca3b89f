import { type Day, parseDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQueryClient } from '@tanstack/react-query';
import { renewalQuoteQuery } from '#domain/lines/queries.ts';
import { isOffered, lastDayBefore } from '#domain/lines/renewal/days.ts';
import { type AskedQuote, useRenewalQuote } from '#domain/lines/renewal/use-renewal-quote.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';

export interface LaterDate extends AskedQuote {
  /** True if the entered date is valid and differs from the line's. */
  isAsked: boolean;
  /** The day that the entered date must exceed; null unless the date is too early. */
  tooEarly: Day | null;
}

const durationUntil = (day: Day) => ({ expiry_date: day, may_shorten: true });

/**
 * Returns the price of a new expiry date, as the form shows it; undefined for an unchanged date, and for
 * administrators.
 */
export function useShownCost(line: Line): (day: Day) => number | undefined {
  const queryClient = useQueryClient();
  const { is_admin } = useMe();
  return (day) => {
    const { queryKey } = renewalQuoteQuery(line, durationUntil(day));
    return is_admin ? undefined : queryClient.getQueryData(queryKey)?.cost;
  };
}

/** The quote for another expiry date, which may also be earlier, or the reason why that date is refused. */
export function useLaterDate(line: Line, text: string): LaterDate {
  const { is_admin } = useMe();
  const after = lastDayBefore(line.expiry_date, useToday(), is_admin);
  const day = parseDay(text.trim());
  const isAnother = day !== null && day !== line.expiry_date;
  const isAsked = isAnother && isOffered(day, after);
  const asked = useRenewalQuote(line, isAsked ? durationUntil(day) : null);
  return {
    ...asked,
    isAsked,
    tooEarly: isAnother && after !== null && day <= after ? after : null,
  };
}
