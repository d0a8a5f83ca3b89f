import { listServers } from '@linekeeper/contract/servers.ts';
import { listPushes, type Push, retryPushes } from '@linekeeper/contract/sync.ts';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { SyncSearch } from '../../shared/sync-search.ts';

/** A push that is carried out announces nothing: the screen looks again by itself. */
const LOOK_AGAIN_MS = 2000;

export function pushesQuery({ state, server }: SyncSearch) {
  return infiniteQueryOptions({
    queryKey: ['sync', 'list', { state, server }],
    queryFn: ({ pageParam, signal }) =>
      call(
        listPushes,
        // By a name that stays: rows do not change places while one looks.
        { query: { state, server_id: server, sort: 'username', cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: ({ pages }) => ({
      items: pages.flatMap((page) => page.items),
      total: pages[0]?.total ?? 0,
      isExact: pages[0]?.total_is_exact !== false,
    }),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
}

/** Servers to choose from, by name. */
export function serverNamesQuery() {
  return queryOptions({
    queryKey: ['servers', 'names'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'server_name', limit: 100 } as const;
      const { items } = await call(listServers, { query }, { signal });
      return items.map(({ id, server_name }) => ({ id, server_name }));
    },
  });
}

export function useRetryPushes() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (which: Push | 'all') =>
      call(retryPushes, { body: which === 'all' ? { all: true } : { ids: [which.id] } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sync'] }),
  });
}
