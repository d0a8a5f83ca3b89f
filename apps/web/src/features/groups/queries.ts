import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

const FACES = 3;

/** Some members of a group, to show who they are. */
export function someMembersQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'members', id],
    queryFn: async ({ signal }) => {
      const query = { group_id: id, limit: FACES };
      return (await call(listAccounts, { query }, { signal })).items;
    },
    placeholderData: keepPreviousData,
  });
}
