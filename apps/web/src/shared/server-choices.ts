import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { serverChoices } from '@linekeeper/contract/servers/servers.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api/client.ts';

type Choice = Reply<typeof serverChoices>[number];

/** Active, and neither closed nor full. */
export function takesLines({ status, takes_no_lines }: Choice): boolean {
  return status === 'active' && takes_no_lines === null;
}

/** Servers to choose from, newest first. */
export function serverChoicesQuery() {
  return queryOptions({
    queryKey: ['servers', 'choices'],
    queryFn: ({ signal }) => call(serverChoices, {}, { signal }),
  });
}
