import { type Line, listLines } from '@linekeeper/contract/lines/lines.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callQuery } from '#platform/api/call-query.ts';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import { useCan } from '#platform/data/session.ts';

const DEBOUNCE_MS = 200;
const MOST_SHOWN = 5;

interface LineSearch {
  lines: readonly Line[];
  /** True while the shown results may still change. */
  isSearching: boolean;
  error: Error | null;
}

const noLines: readonly Line[] = [];

/** The lines that match, if the account may see lines. Earlier results stay until the next ones arrive. */
export function useLineSearch(query: string): LineSearch {
  const maySearch = useCan(listLines.access);
  const q = useDebounced(query, DEBOUNCE_MS);
  const isAsked = maySearch && query !== '';
  const search = useQuery(
    callQuery('lines', listLines, {
      query: { q, limit: MOST_SHOWN },
      enabled: isAsked && q !== '',
      placeholderData: keepPreviousData,
    }),
  );
  return {
    lines: isAsked ? (search.data?.items ?? noLines) : noLines,
    isSearching: isAsked && (q !== query || search.isFetching),
    error: isAsked ? search.error : null,
  };
}
