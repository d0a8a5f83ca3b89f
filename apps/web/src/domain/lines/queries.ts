import type { Body } from '@linekeeper/contract/endpoint.ts';
import type { renewLine } from '@linekeeper/contract/lines/line-changes.ts';
import {
  getLine,
  type Line,
  lineServer,
  lineState,
  quoteLine,
  revealLine,
} from '@linekeeper/contract/lines/lines.ts';
import { type QueryClient, queryOptions, useMutation } from '@tanstack/react-query';
import { callQuery } from '#platform/api/call-query.ts';
import { call } from '#platform/api/client.ts';

/**
 * The dots for a password that has not been revealed. Replies do not contain the password, so their
 * number does not reveal its length.
 */
export const PASSWORD_DOTS = '••••••••';

/**
 * Fetches a line's password. This is a command and not a query, because each reveal is written to the audit log, and no
 * cache may keep a password.
 */
export function useRevealLine() {
  return useMutation({
    mutationFn: (id: string) => call(revealLine, { params: { id } }),
    gcTime: 0,
  });
}

/** The query of a line's server with the fields that a customer needs; refetched after changes of servers. */
export const lineServerQuery = (lineId: string) =>
  callQuery('servers', lineServer, { params: { id: lineId } });

export const lineQuery = (id: string) => callQuery('lines', getLine, { params: { id } });

/** The query of a line's last delivery and of its last renewal, if that was a moment ago. */
export const lineStateQuery = (id: string) => callQuery('lines', lineState, { params: { id } });

export type RenewalDuration = NonNullable<Body<typeof renewLine>>;

/** The price and new expiry date of a renewal for the signed-in account. */
export function renewalQuoteQuery(
  { id: line_id, expiry_date }: Pick<Line, 'id' | 'expiry_date'>,
  duration: RenewalDuration,
) {
  return queryOptions({
    // The key contains everything that the quote depends on, so that after a renewal the next quote is fetched once.
    queryKey: ['credits', 'quote', line_id, duration, expiry_date],
    queryFn: ({ signal }) =>
      call(quoteLine, { body: { action: 'renew', line_id, ...duration } }, { signal }),
  });
}

/** Shows a line as a reply has it in the rows of lists and on its page. */
export function showLine(queryClient: QueryClient, line: Line): void {
  const here = (one: Line) => (one.id === line.id ? line : one);
  queryClient.setQueryData(lineQuery(line.id).queryKey, (shown) => shown && line);
  queryClient.setQueriesData<{ items: Line[] }>(
    { queryKey: ['lines', 'list'] },
    (page) => page && { ...page, items: page.items.map(here) },
  );
}
