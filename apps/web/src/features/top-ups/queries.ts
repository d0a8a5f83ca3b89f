import { listPackages } from '@linekeeper/contract/credits/top-ups.ts';
import { callQuery } from '#platform/api/call-query.ts';

export const packagesQuery = () => callQuery('packages', listPackages);

/** Options of the commands that begin a card payment: they open the page at Stripe that the reply names. */
export const checkingOut = {
  refreshes: ['top-ups'],
  done: ({ url }: { url: string }) => location.assign(url),
} as const;
