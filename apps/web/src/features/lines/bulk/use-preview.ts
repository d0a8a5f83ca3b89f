import { bulkLines, type Job } from '@linekeeper/contract/bulk.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../shared/api/client.ts';
import { isComplete, type Term } from './term.ts';
import type { BulkLines } from './use-bulk-selection.ts';

const TYPING_PAUSE_MS = 300;

/** What a job would do, asked anew whenever it is looked at: nothing of it is stored. */
function previewQuery(term: Term, lines: BulkLines) {
  return queryOptions({
    queryKey: ['bulk-preview', term, lines],
    queryFn: async ({ signal }) => {
      const { job } = await call(
        bulkLines,
        { body: { ...term, ...lines, preview: true } },
        { signal },
      );
      return job;
    },
    enabled: isComplete(term),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

interface Preview {
  /** The last answer, shown while the next is on its way. */
  job: Job | undefined;
  /** Whether it answers what is chosen now: only then may it be ordered. */
  isFresh: boolean;
  error: unknown;
  retry: () => void;
}

export function usePreview(term: Term, lines: BulkLines): Preview {
  const asked = usePaused(term);
  const { data, isPlaceholderData, isFetching, error, refetch } = useQuery(
    previewQuery(asked, lines),
  );
  const isAsked = asked === term && isComplete(term);
  return {
    job: isComplete(term) && !error ? data : undefined,
    isFresh: isAsked && data !== undefined && !isPlaceholderData && !isFetching && !error,
    error: isAsked ? error : null,
    retry: () => void refetch(),
  };
}
