import { listPackages } from '@linekeeper/contract/credits/top-ups.ts';
import { callQuery } from '#platform/api/call-query.ts';

export const packagesQuery = () => callQuery('packages', listPackages);

/** Leads the browser to the page where the top-up is paid. */
export const checkingOut = {
  refreshes: ['top-ups'],
  done: ({ url }: { url: string }) => location.assign(url),
} as const;
