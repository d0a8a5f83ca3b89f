import { getAccount } from '@linekeeper/contract/accounts.ts';
import type { JobItem } from '@linekeeper/contract/bulk.ts';
import { useQueries } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useMe } from '../session.ts';

/** Of a table that shows hundreds of owners the rest stay unnamed: each is a call. */
const MOST = 30;

/** The owners that a job's lines had or have, by their ids; only administrators see other owners. */
export function useOwnerEmails(items: readonly JobItem[]): ReadonlyMap<string, string> {
  const { is_admin } = useMe();
  const ids = items.flatMap(({ before, after }) => [before?.owner_id, after?.owner_id]);
  const distinct = [...new Set(ids)].filter((id) => typeof id === 'string').slice(0, MOST);
  return useQueries({
    queries: (is_admin ? distinct : []).map((id) => ({
      queryKey: ['accounts', 'one', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(getAccount, { params: { id } }, { signal }),
    })),
    combine: (found) => new Map(found.flatMap(({ data }) => (data ? [[data.id, data.email]] : []))),
  });
}
