import type { NewLine } from '@linekeeper/contract/lines/lines.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';

const KEY = ['last-sale'] as const;

interface Kept {
  serverId: string | undefined;
  planId: string | undefined;
  /** The months of the sale before this one, which are restored if this sale is undone. */
  monthsBefore: number | null;
}

/**
 * Values of the last sale that the next sale starts with: the duration, on every device of the account, and the server
 * and the plan, until sign-out or reload.
 */
export function useLastSale() {
  const queryClient = useQueryClient();
  const { sale_months } = usePreferences();
  const { change } = useChangePreferences();
  const kept = queryClient.getQueryData<Kept>(KEY);
  return {
    months: sale_months,
    serverId: kept?.serverId,
    planId: kept?.planId,
    forgetSale: () => {
      const before = kept?.monthsBefore ?? null;
      if (before !== sale_months) change({ sale_months: before });
    },
    keepSale: ({ subscription_months, server_id, plan_id }: NewLine) => {
      queryClient.setQueryDefaults(KEY, { gcTime: Number.POSITIVE_INFINITY });
      queryClient.setQueryData<Kept>(KEY, {
        serverId: server_id ?? kept?.serverId,
        planId: plan_id,
        monthsBefore: sale_months,
      });
      // A trial has no months, and the next line shall not become a trial because of it.
      if (subscription_months !== undefined && subscription_months !== sale_months)
        change({ sale_months: subscription_months });
    },
  };
}
