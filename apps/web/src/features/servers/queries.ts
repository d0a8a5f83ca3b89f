import { compareServer, mendServer } from '@linekeeper/contract/compare.ts';
import { type Body, MAX_PAGE_SIZE } from '@linekeeper/contract/endpoint.ts';
import {
  createServer,
  deleteServer,
  editServer,
  getServer,
  listServerChecks,
  listServers,
  moveLines,
  type Server,
  serverChoices,
} from '@linekeeper/contract/servers.ts';
import {
  infiniteQueryOptions,
  keepPreviousData,
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

/** All of them at once, for what is done with every server. */
export function everyServerQuery() {
  return queryOptions({
    queryKey: ['servers', 'every'],
    queryFn: async ({ signal }) => {
      const all: Server[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: MAX_PAGE_SIZE, cursor };
        const page = await call(listServers, { query }, { signal });
        all.push(...page.items);
        cursor = page.next_cursor ?? undefined;
      } while (cursor);
      return all;
    },
  });
}

export function serverChoicesQuery() {
  return queryOptions({
    queryKey: ['servers', 'choices'],
    queryFn: ({ signal }) => call(serverChoices, {}, { signal }),
  });
}

/** Asked again when this server was tested again, not whenever any server changes. */
export function serverChecksQuery({ id, status, latency_ms, last_connection }: Server) {
  return queryOptions({
    queryKey: ['server-checks', id, status, latency_ms, last_connection],
    queryFn: async ({ signal }) => {
      const { items } = await call(listServerChecks, { params: { id } }, { signal });
      return items;
    },
    placeholderData: keepPreviousData,
  });
}

/** What a server has is asked anew whenever somebody wants to compare. */
export function comparisonQuery(id: string) {
  return queryOptions({
    queryKey: ['server-comparison', id],
    queryFn: ({ signal }) => call(compareServer, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

export function useMendServer(id: string) {
  const refresh = useRefreshServers();
  return useMutation({
    mutationFn: (remove_unknown: boolean) =>
      call(mendServer, { params: { id }, body: { remove_unknown } }),
    onSettled: () => void refresh(),
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
    mutationFn: ({ isForced, idempotencyKey }: { isForced: boolean; idempotencyKey: string }) =>
      call(
        deleteServer,
        { params: { id }, query: isForced ? { force: 'true' } : {} },
        { idempotencyKey },
      ),
    onSettled: () => void refresh(),
  });
}

export function useMoveLines(id: string) {
  const refresh = useRefreshServers();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: Filled<Body<typeof moveLines>>) =>
      call(moveLines, { params: { id }, body }, { idempotencyKey }),
    onSettled: refresh,
  });
}
