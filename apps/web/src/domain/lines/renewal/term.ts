import { terms } from '@linekeeper/contract/pricing.ts';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';

/** For how many months the account renewed last, on any device; the shortest term before the first time. */
export function useRenewalTerm() {
  const { renewal_months } = usePreferences();
  const { change } = useChangePreferences();
  return {
    term: renewal_months ?? terms[0],
    keepTerm: (months: number) => {
      if (months !== renewal_months) change({ renewal_months: months });
    },
  };
}
