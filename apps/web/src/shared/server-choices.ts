import { serverChoices } from '@linekeeper/contract/servers.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api/client.ts';

/** The servers a seller may name, newest first. */
export function serverChoicesQuery() {
  return queryOptions({
    queryKey: ['servers', 'choices'],
    queryFn: ({ signal }) => call(serverChoices, {}, { signal }),
  });
}
