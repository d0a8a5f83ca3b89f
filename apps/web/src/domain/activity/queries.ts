import {
  type ActivityEntry,
  accountActivity,
  lineActivity,
} from '@linekeeper/contract/activity.ts';
import type { activityList } from '@linekeeper/contract/lists/lists.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Page } from '#kit/list/use-list.ts';
import { call } from '#platform/api/client.ts';
import type { unpagedQuery } from '#screens/address.ts';

/** The line or account that an activity is about. */
export type ActivitySubject = { line: string } | { account: string };

/** Filters of an account's history. A line's history is short and has none. */
type ActivityFilters = ReturnType<typeof unpagedQuery<typeof activityList>>;

/**
 * The query of one page of a history. Its key begins with 'activity', by which events about lines
 * and accounts make it stale.
 */
export function activityQuery(of: ActivitySubject, filters: ActivityFilters = {}) {
  return infiniteQueryOptions({
    queryKey: ['activity', of, filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }): Promise<Page<ActivityEntry>> =>
      'line' in of
        ? call(lineActivity, { params: { id: of.line }, query: { cursor } }, { signal })
        : call(
            accountActivity,
            { params: { id: of.account }, query: { ...filters, cursor } },
            { signal },
          ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}
