import { getAccount } from '@linekeeper/contract/accounts/accounts.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Page } from '../../list/use-list.ts';
import { useCan } from '../../session.ts';

/** The fields of an account that are needed to show it. */
export interface NamedAccount {
  id: string;
  email: string;
  full_name?: string;
}

export function accountQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'one', id],
    queryFn: ({ signal }) => call(getAccount, { params: { id } }, { signal }),
  });
}

/** Emails of accounts by id, as far as known: taken from cached lines, otherwise requested. */
export function useAccountEmails(ids: readonly string[]): Map<string, string> {
  const seesAccounts = useCan(['add_credits', 'manage_resellers']);
  const queryClient = useQueryClient();
  const pages = queryClient.getQueriesData<Page<Line>>({ queryKey: ['lines', 'list'] });
  const found = new Map(
    pages.flatMap(([, page]) =>
      (page?.items ?? []).map(({ owner_id, owner_email }) => [owner_id, owner_email] as const),
    ),
  );
  const missing = ids.filter((id) => seesAccounts && !found.has(id));
  const asked = useQueries({ queries: missing.map((id) => accountQuery(id)) });
  for (const { data } of asked) if (data) found.set(data.id, data.email);
  return found;
}
