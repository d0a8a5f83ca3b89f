import { getConnection, getSetup } from '@linekeeper/contract/system.ts';
import { callQuery } from '#platform/api/call-query.ts';

/** Options of a query that runs each time the page is opened, and never in the background. */
const madeOnce = {
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
};

export const setupQuery = () => callQuery('system', getSetup, madeOnce);

export const connectionQuery = () => callQuery('system', getConnection, madeOnce);
