import { getAccount } from '@linekeeper/contract/accounts/accounts.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { listLines } from '@linekeeper/contract/lines/lines.ts';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callQuery } from '#platform/api/call-query.ts';
import { ApiError } from '#platform/api/client.ts';
import { useCan, useMe } from '#platform/data/session.ts';

/** The fields of an account that are needed to show it. */
export interface NamedAccount {
  id: string;
  email: string;
  full_name?: string;
}

export const accountQuery = (id: string) => callQuery('accounts', getAccount, { params: { id } });

/**
 * Names accounts by their emails, from cached lines or, if they are not there, from a request. Only administrators see
 * every account, so only for them a missing account was deleted; for others it may be hidden.
 */
export function useAccountText(ids: readonly string[]): (id: string) => string {
  const { t } = useTranslation();
  const { is_admin } = useMe();
  const seesAccounts = useCan(['add_credits', 'manage_resellers', 'view_resellers']);
  const queryClient = useQueryClient();
  const pages = queryClient.getQueriesData<Reply<typeof listLines>>({
    queryKey: ['lines', 'list'],
  });
  const found = new Map(
    pages.flatMap(([, page]) =>
      (page?.items ?? []).map(({ owner_id, owner_email }) => [owner_id, owner_email] as const),
    ),
  );
  const missing = ids.filter((id) => seesAccounts && !found.has(id));
  const asked = useQueries({ queries: missing.map((id) => accountQuery(id)) });
  for (const { data } of asked) if (data) found.set(data.id, data.email);
  const deleted = missing.filter((_, index) => {
    const error = asked[index]?.error;
    return is_admin && error instanceof ApiError && error.code === 'USER_NOT_FOUND';
  });
  return (id) =>
    found.get(id) ??
    t(deleted.includes(id) ? 'list.filter.deletedAccount' : 'list.filter.oneAccount');
}
