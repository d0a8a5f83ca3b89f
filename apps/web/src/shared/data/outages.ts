import { listOutages } from '@linekeeper/contract/servers/outages.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** A change of a server or of a line makes it stale. */
export function outagesQuery() {
  return queryOptions({
    queryKey: ['servers', 'outages'],
    queryFn: ({ signal }) => call(listOutages, {}, { signal }),
  });
}
