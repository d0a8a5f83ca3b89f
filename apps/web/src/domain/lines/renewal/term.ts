import { termOnSale, useTerms } from '#domain/prices/prices.ts';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';

/**
 * The number of months for which the account last renewed a line, on any device, or the first term on sale if there is
 * none or it is no longer sold; undefined until the terms are known. The terms are those of a plan, or of all.
 */
export function useRenewalTerm(planId?: string) {
  const { renewal_months } = usePreferences();
  const terms = useTerms(planId);
  const { change } = useChangePreferences();
  return {
    term: termOnSale(renewal_months, terms),
    keepTerm: (months: number) => {
      if (months !== renewal_months) change({ renewal_months: months });
    },
  };
}
