import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { lineQuery } from '#domain/lines/queries.ts';
import { pricesQuery } from '#domain/prices/prices.ts';
import { listedLine } from '#features/lines/queries.ts';

/** Fetches a line. If a list shows it already, its values there are shown until the reply arrives. */
export function useLine(id: string) {
  const queryClient = useQueryClient();
  // The prices of renewals are fetched together with the line.
  usePrefetchQuery(pricesQuery());
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...lineQuery(id),
    placeholderData: () => listedLine(queryClient, id),
  });
  return {
    line: data,
    error,
    isPending,
    isFresh: data !== undefined && !isPlaceholderData,
    refetch,
  };
}

export type LineShown = ReturnType<typeof useLine>;
