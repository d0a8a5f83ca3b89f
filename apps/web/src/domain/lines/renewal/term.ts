import { termOnSale, useTerms } from '#domain/prices/prices.ts';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';

/**
 * For how many months the account renewed last, on any device; the first term that is offered before the first time,
 * and if that term is no longer on sale. undefined until the terms are known.
 */
export function useRenewalTerm() {
  const { renewal_months } = usePreferences();
  const terms = useTerms();
  const { change } = useChangePreferences();
  return {
    term: termOnSale(renewal_months, terms),
    keepTerm: (months: number) => {
      if (months !== renewal_months) change({ renewal_months: months });
    },
  };
}
