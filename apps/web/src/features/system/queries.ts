import { getConnection, getSetup } from '@linekeeper/contract/system.ts';
import { callQuery } from '#platform/api/call-query.ts';

/** Made anew whenever the page is opened, and not behind the reader's back. */
const madeOnce = {
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
};

export const setupQuery = () => callQuery('system', getSetup, madeOnce);

export const connectionQuery = () => callQuery('system', getConnection, madeOnce);
