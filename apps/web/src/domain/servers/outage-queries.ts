import { listOutages, type Outages } from '@linekeeper/contract/servers/outages.ts';
import { callQuery } from '#platform/api/call-query.ts';

/**
 * Milliseconds between refetches, because neither the pending changes of a server nor the end of a
 * notice causes a live change.
 */
const REFETCH_MS = 30_000;
/** Milliseconds between refetches while a server that responds again gets its pending changes, which takes seconds. */
const SENDING_MS = 3000;

const isQuiet = ({ items, over }: Outages) => items.length === 0 && over.length === 0;

/** The query of the servers that do not respond. Events about servers and lines make it stale. */
export const outagesQuery = () =>
  callQuery('servers', listOutages, {
    refetchInterval: ({ state: { data } }) => {
      if (!data || isQuiet(data)) return false;
      return data.over.some(({ waiting }) => waiting > 0) ? SENDING_MS : REFETCH_MS;
    },
  });
