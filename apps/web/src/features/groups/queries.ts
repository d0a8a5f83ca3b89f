import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { createGroup, deleteGroup, editGroup } from '@linekeeper/contract/accounts/groups.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';

function useRefreshGroups() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['groups'] });
}

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

/* Each waits for the list, which then has the group as it is now. */

export function useCreateGroup() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createGroup>>) =>
      call(createGroup, { body }, { idempotencyKey }),
    onSuccess: useRefreshGroups(),
  });
}

export function useEditGroup(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof editGroup>>) =>
      call(editGroup, { params: { id }, body }, { idempotencyKey }),
    onSuccess: useRefreshGroups(),
  });
}

export function useDeleteGroup(id: string) {
  const refresh = useRefreshGroups();
  return useMutation({
    mutationFn: ({ idempotencyKey }: WithIdempotencyKey<null>) =>
      call(deleteGroup, { params: { id } }, { idempotencyKey }),
    // Not awaited: the page of the deleted group is left first.
    onSettled: () => void refresh(),
  });
}
