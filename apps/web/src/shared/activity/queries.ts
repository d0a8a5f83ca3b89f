import {
  type ActivityEntry,
  accountActivity,
  lineActivity,
} from '@linekeeper/contract/activity.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Page } from '../list/use-list.ts';

/** The line or account that a story is about. */
export type StoryOf = { line: string } | { account: string };

/** All keys begin with 'activity', which live changes of lines and accounts make stale. */
export function storyQuery(of: StoryOf) {
  return infiniteQueryOptions({
    queryKey: ['activity', of],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }): Promise<Page<ActivityEntry>> =>
      'line' in of
        ? call(lineActivity, { params: { id: of.line }, query: { cursor } }, { signal })
        : call(accountActivity, { params: { id: of.account }, query: { cursor } }, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}
