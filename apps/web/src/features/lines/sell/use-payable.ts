import { useWatch } from 'react-hook-form';
import { isShort } from '#domain/prices/is-short.ts';
import { longestPayable, termOnSale, usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { useMe } from '#platform/data/session.ts';
import type { NewLineForm } from './add-line-types.ts';

/** Returns whether the account can pay for a term of a plan. True until its price is known, and for administrators. */
export function useCanPay(planId: string | undefined): (months: number) => boolean {
  const { is_admin, credits } = useMe();
  const priceOf = usePriceOf(planId);
  return (months) => is_admin || !isShort({ cost: priceOf(months) ?? 0, balance: credits });
}

/**
 * The longest term of a plan that the balance can pay, up to the remembered one, or up to the first offered one if that
 * is not on sale; the same one if the balance can pay for none. Undefined until the terms are known.
 */
export function useFirstMonths(
  remembered: number | null,
  planId: string | undefined,
): number | undefined {
  const canPay = useCanPay(planId);
  const terms = useTerms(planId);
  const months = termOnSale(remembered, terms);
  return months && longestPayable(months, terms ?? [], canPay);
}

/** True if the account cannot pay for the chosen term. */
export function useIsUnpayable({ control }: NewLineForm): boolean {
  const [isTrial, months = 0, planId] = useWatch({
    control,
    name: ['is_trial', 'subscription_months', 'plan_id'],
  });
  const canPay = useCanPay(planId);
  return !isTrial && !canPay(months);
}
