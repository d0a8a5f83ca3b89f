import { type ReactNode, useMemo } from 'react';
import { filterText } from '#screens/address.ts';
import { SelectionProvider } from './selection/selection-context.tsx';
import { useAskedPage, useListDefinition, useListSearch } from './use-list.ts';

/** Keeps which rows are selected. A row that leaves the only page is selected no more. */
export function ListSelection({ children }: { children: ReactNode }) {
  const definition = useListDefinition();
  const { search } = useListSearch();
  const page = useAskedPage(definition);
  const matchingIds = useMemo(() => {
    const isEverything = search.cursor === undefined && page?.next_cursor === null;
    return isEverything ? page.items.map(({ id }) => id) : undefined;
  }, [search.cursor, page]);
  return (
    <SelectionProvider
      filterKey={filterText(definition.declaration, search)}
      matchingIds={matchingIds}
    >
      {children}
    </SelectionProvider>
  );
}
