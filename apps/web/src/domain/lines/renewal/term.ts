import { terms } from '@linekeeper/contract/pricing.ts';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';

/**
 * The number of months for which the account last renewed a line, on any device; the shortest term before the first
 * renewal.
 */
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
