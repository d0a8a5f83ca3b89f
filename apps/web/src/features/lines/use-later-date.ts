import { parseDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import { isSoldUntil } from './renewal.ts';
import { type RenewalQuote, useRenewalQuote } from './use-renewal-quote.ts';

/** What another expiry date costs; null while the entered text is none, or the date there is. */
export function useLaterDate(line: Line, text: string): RenewalQuote | null {
  const day = parseDay(text.trim());
  const term = day && day !== line.expiry_date && isSoldUntil(day) ? { expiry_date: day } : null;
  const quote = useRenewalQuote(line, term);
  return term && quote;
}
