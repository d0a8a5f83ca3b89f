import { bulkLines, type Job } from '@linekeeper/contract/lines/bulk.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';
import { useDebounced } from '../../../shared/browser/use-debounced.ts';
import { type BulkChange, isComplete } from './bulk-change.ts';
import type { BulkLines } from './use-bulk-selection.ts';

const TYPING_PAUSE_MS = 300;

/** Dry run of a job. Not cached, since lines and prices may change meanwhile. */
function previewQuery(change: BulkChange, lines: BulkLines) {
  return queryOptions({
    queryKey: ['bulk-preview', change, lines],
    queryFn: async ({ signal }) => {
      const { job } = await call(
        bulkLines,
        { body: { ...change, ...lines, preview: true } },
        { signal },
      );
      return job;
    },
    enabled: isComplete(change),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

interface Preview {
  /** The last reply, kept while the next is loading. */
  job: Job | undefined;
  /** True if `job` belongs to the current choice; only then may the job be ordered. */
  isFresh: boolean;
  error: unknown;
  retry: () => void;
}

export function usePreview(change: BulkChange, lines: BulkLines): Preview {
  const asked = useDebounced(change, TYPING_PAUSE_MS);
  const { data, isPlaceholderData, isFetching, error, refetch } = useQuery(
    previewQuery(asked, lines),
  );
  const isAsked = asked === change && isComplete(change);
  return {
    job: isComplete(change) && !error ? data : undefined,
    isFresh: isAsked && data !== undefined && !isPlaceholderData && !isFetching && !error,
    error: isAsked ? error : null,
    retry: () => void refetch(),
  };
}
