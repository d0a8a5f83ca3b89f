import { serverChoices } from '@linekeeper/contract/servers/servers.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api/client.ts';

/** Servers to choose from, newest first. */
export function serverChoicesQuery() {
  return queryOptions({
    queryKey: ['servers', 'choices'],
    queryFn: ({ signal }) => call(serverChoices, {}, { signal }),
  });
}
