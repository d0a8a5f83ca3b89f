import { listOutages, type Outages } from '@linekeeper/contract/servers/outages.ts';
import { callQuery } from '#platform/api/call-query.ts';

/** Neither what a server still has to take, nor the end of what is said about it, is a live change. */
const REFETCH_MS = 30_000;
/** A server that responds again gets what waited within seconds. */
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
