import { listPackages } from '@linekeeper/contract/credits/top-ups.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

export function packagesQuery() {
  return queryOptions({
    queryKey: ['packages'],
    queryFn: ({ signal }) => call(listPackages, {}, { signal }),
  });
}

/** Leads the browser to the page where the top-up is paid. */
export const checkingOut = {
  refreshes: ['top-ups'],
  done: ({ url }: { url: string }) => location.assign(url),
} as const;
