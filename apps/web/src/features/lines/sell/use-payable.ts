import { useWatch } from 'react-hook-form';
import { isShort } from '#domain/prices/is-short.ts';
import { longestPayable, usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { useMe } from '#platform/data/session.ts';
import type { NewLineForm } from './add-line-types.ts';

/** Gives whether the account can pay for a term. True until its price is known, and for administrators. */
export function useCanPay(): (months: number) => boolean {
  const { is_admin, credits } = useMe();
  const priceOf = usePriceOf();
  return (months) => is_admin || !isShort({ cost: priceOf(months) ?? 0, balance: credits });
}

/**
 * The longest duration that the balance can pay, up to the given duration; the given duration if the balance can pay
 * none.
 */
export function useFirstMonths(months: number | undefined): number | undefined {
  const canPay = useCanPay();
  const terms = useTerms();
  return months && longestPayable(months, terms ?? [], canPay);
}

/** True if the account cannot pay for the chosen term. */
export function useIsUnpayable({ control }: NewLineForm): boolean {
  const canPay = useCanPay();
  const [isTrial, months = 0] = useWatch({ control, name: ['is_trial', 'subscription_months'] });
  return !isTrial && !canPay(months);
}
