import type { Line } from '@linekeeper/contract/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../shared/session.ts';
import { useToday } from '../../shared/settings.ts';
import { type RenewalTerm, renewalQuoteQuery } from './queries.ts';
import { type Renewal, renewalOf } from './renewal.ts';

export interface RenewalQuote extends Renewal {
  balance: number;
  balance_after: number;
}

/** What is reckoned here stands until the panel has answered, and where it does not. */
export function useRenewalQuote(
  line: Pick<Line, 'id' | 'expiry_date'>,
  term: RenewalTerm | null,
): RenewalQuote {
  const { credits, is_admin } = useMe();
  const today = useToday();
  const asked = term ?? { subscription_months: 1 };
  // The line's expiry belongs to the question: renewed by somebody else, it has another answer.
  const query = renewalQuoteQuery(line.id, asked, line.expiry_date);
  const { data } = useQuery({ ...query, enabled: term !== null });
  const { cost, expiry_date } = renewalOf(asked, line.expiry_date, today);
  const paid = is_admin ? 0 : cost;
  return data ?? { cost: paid, expiry_date, balance: credits, balance_after: credits - paid };
}
