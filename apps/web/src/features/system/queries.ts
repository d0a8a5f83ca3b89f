import { getConnection, getSetup } from '@linekeeper/contract/system.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

/** Made anew whenever the page is opened, and not behind the reader's back. */
const madeOnce = {
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
};

export function setupQuery() {
  return queryOptions({
    queryKey: ['system', 'setup'],
    queryFn: ({ signal }) => call(getSetup, {}, { signal }),
    ...madeOnce,
  });
}

export function connectionQuery() {
  return queryOptions({
    queryKey: ['system', 'connection'],
    queryFn: ({ signal }) => call(getConnection, {}, { signal }),
    ...madeOnce,
  });
}
