import type { ReactNode } from 'react';
import { ColumnsButton } from './columns-button.tsx';
import { DensityButton } from './density-button.tsx';
import { FilterButton } from './filters/filter-button.tsx';
import { FilterChips } from './filters/filter-chips.tsx';
import { SearchBox } from './search-box.tsx';
import { Toolbar } from './toolbar.tsx';
import { useListDefinition, useNeedsSearch } from './use-list.ts';

interface ListToolbarProps {
  /** Before the choice of columns, for a list whose page has no header of its own. */
  end?: ReactNode;
  /** Actions for selected rows. */
  children?: ReactNode;
}

/** Search, filters and columns of a declared list, or the bar of a selection; and the filters' chips. */
export function ListToolbar({ end, children }: ListToolbarProps) {
  const { columns } = useListDefinition().declaration;
  if (!useNeedsSearch()) return null;
  return (
    <>
      <Toolbar
        end={
          <>
            {end}
            {columns.length > 0 && (
              <>
                <DensityButton />
                <ColumnsButton />
              </>
            )}
          </>
        }
      >
        <SearchBox />
        <FilterButton />
      </Toolbar>
      {children}
      <FilterChips />
    </>
  );
}
