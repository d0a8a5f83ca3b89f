import type { Body } from '@linekeeper/contract/endpoint.ts';
import {
  createServer,
  deleteServer,
  editServer,
  getServer,
  listServers,
} from '@linekeeper/contract/servers.ts';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

/** Live changes and every mutation here refetch whatever has a key beginning with 'servers'. */
export function serversQuery() {
  return infiniteQueryOptions({
    queryKey: ['servers', 'list'],
    queryFn: ({ pageParam, signal }) =>
      call(listServers, { query: { cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  });
}

export function serverQuery(id: string) {
  return queryOptions({
    queryKey: ['servers', 'one', id],
    queryFn: ({ signal }) => call(getServer, { params: { id } }, { signal }),
  });
}

/** The promise ends when what is on the screen is fresh. */
export function useRefreshServers(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['servers'] });
}

/**
 * What a form sends, with the key that belongs to exactly this content. It may hold a password,
 * which no cache keeps after the form is gone: hence `gcTime: 0` below.
 */
interface Filled<Content> {
  body: Content;
  idempotencyKey: string;
}

export function useCreateServer() {
  const refresh = useRefreshServers();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: Filled<Body<typeof createServer>>) =>
      call(createServer, { body }, { idempotencyKey }),
    onSuccess: () => void refresh(),
    gcTime: 0,
  });
}

export function useEditServer(id: string) {
  const refresh = useRefreshServers();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: Filled<Body<typeof editServer>>) =>
      call(editServer, { params: { id }, body }, { idempotencyKey }),
    onSuccess: () => void refresh(),
    gcTime: 0,
  });
}

export function useDeleteServer(id: string) {
  const refresh = useRefreshServers();
  return useMutation({
    mutationFn: (idempotencyKey: string) =>
      call(deleteServer, { params: { id } }, { idempotencyKey }),
    onSuccess: () => void refresh(),
  });
}
