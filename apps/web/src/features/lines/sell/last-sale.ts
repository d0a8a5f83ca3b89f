import type { NewLine } from '@linekeeper/contract/lines/lines.ts';
import { useQueryClient } from '@tanstack/react-query';

const KEY = ['last-sale'] as const;

/** Fields that the next line takes over from the line just sold. */
export type LastSale = Pick<NewLine, 'subscription_months' | 'server_id'>;

/** Held in the query cache until sign-out or reload. */
export function useLastSale() {
  const queryClient = useQueryClient();
  return {
    lastSale: queryClient.getQueryData<LastSale>(KEY),
    keepSale: ({ subscription_months, server_id, is_trial }: NewLine) => {
      queryClient.setQueryDefaults(KEY, { gcTime: Number.POSITIVE_INFINITY });
      const before = queryClient.getQueryData<LastSale>(KEY);
      queryClient.setQueryData<LastSale>(KEY, {
        server_id,
        // A trial has no months, so the months of the sale before are kept.
        subscription_months: is_trial ? before?.subscription_months : subscription_months,
      });
    },
  };
}
