import { useWatch } from 'react-hook-form';
import { isShort } from '#domain/prices/is-short.ts';
import { usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { useMe } from '#platform/data/session.ts';
import type { NewLineForm } from './add-line-types.ts';

/** Whether the account can pay for a term; true until its price is known, and for administrators. */
export function useCanPay(): (months: number) => boolean {
  const { is_admin, credits } = useMe();
  const priceOf = usePriceOf();
  return (months) => is_admin || !isShort({ cost: priceOf(months) ?? 0, balance: credits });
}

/** The longest term up to the given one that can be paid; the given one if there is none. */
export function useFirstMonths(months: number | undefined): number | undefined {
  const canPay = useCanPay();
  const terms = useTerms();
  return months && longestPayable(months, terms ?? [], canPay);
}

export function longestPayable(
  months: number,
  terms: readonly number[],
  canPay: (months: number) => boolean,
): number {
  const payable = terms.filter((term) => term <= months && canPay(term));
  return payable.length > 0 ? Math.max(...payable) : months;
}

/** True if the chosen term cannot be paid. */
export function useIsUnpayable({ control }: NewLineForm): boolean {
  const canPay = useCanPay();
  const [isTrial, months = 0] = useWatch({ control, name: ['is_trial', 'subscription_months'] });
  return !isTrial && !canPay(months);
}
