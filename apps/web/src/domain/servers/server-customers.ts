import type { CallInput } from '@linekeeper/contract/endpoint.ts';
import { serverCustomers } from '@linekeeper/contract/servers/servers.ts';
import { callQuery } from '#platform/api/call-query.ts';

/** The address, port, key and protocol that a server would have after a change that is not saved yet. */
export type ServerAsItWouldBe = NonNullable<CallInput<typeof serverCustomers>['query']>;

/** The query of the lines on the server whose customers would have to change their receiver. */
export const serverCustomersQuery = (id: string, query: ServerAsItWouldBe) =>
  callQuery('servers', serverCustomers, { params: { id }, query, staleTime: 0 });

/** The file of these lines, each with the present and the new settings of its customer. */
export function customersFile(id: string, query: ServerAsItWouldBe): string {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `/api/servers/${id}/customers/csv?${new URLSearchParams(given)}`;
}
