import { useQueries } from '@tanstack/react-query';
import { metaOf, useListDefinition } from './use-list.ts';

/** Row counts of the ready-made views, one call each, for lists whose API has no counts. */
export function useCountedViews(): Record<string, number> {
  const { declaration, queryKey, isKept, fetchPage } = useListDefinition();
  const views = Object.entries(declaration.views);
  const counts = useQueries({
    queries: views.map(([, search]) => ({
      queryKey: [...queryKey, 'count', search] as const,
      ...metaOf(isKept),
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchPage(search, { signal, limit: 1 }),
    })),
  });
  const known = views.flatMap(([view], index): [string, number][] => {
    const total = counts[index]?.data?.total;
    return total == null ? [] : [[view, total]];
  });
  return Object.fromEntries(known);
}
