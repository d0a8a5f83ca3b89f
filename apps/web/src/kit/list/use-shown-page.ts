import {
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#platform/api/client.ts';
import { useDelayed } from '#platform/browser/use-delayed.ts';
import type { ListState } from './list-body.tsx';

const LATE_MS = 10_000;

interface SomePage {
  items: readonly unknown[];
}

function isUnreachable(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 0;
}

/**
 * The requested page; while it is loading, the previous page, unless that was empty. `isHeldBack`
 * shows no page while preferences are loading, because rows would render twice.
 */
export function useShownPage<Page extends SomePage, Key extends QueryKey>(
  asked: UseQueryOptions<Page, Error, Page, Key>,
  isHeldBack: boolean,
) {
  const queryClient = useQueryClient();
  const { data, isPlaceholderData, error, isFetching, refetch } = useQuery(asked);
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  const isWaiting = isHeldBack || (isPlaceholderData && data?.items.length === 0);
  // Offline, the last page is better than none; the shell warns that it may be outdated.
  const old = isUnreachable(error) && last && last.items.length > 0 ? last : undefined;
  const page = isWaiting ? undefined : (data ?? old);
  // Rows of the previous query are shown but must not be acted on.
  const isAsked = page === data && !isPlaceholderData;
  const state: ListState = {
    count: page?.items.length,
    error,
    isFetching,
    isLate: useDelayed(isFetching && !isAsked, LATE_MS),
    retry: async () => {
      // Without this, `refetch` would wait for the request that hangs.
      await queryClient.cancelQueries({ queryKey: asked.queryKey });
      void refetch();
    },
  };
  return { page, isAsked, state };
}
