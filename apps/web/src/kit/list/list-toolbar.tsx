import { Rows3, Rows4 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { ColumnsButton } from './columns-button.tsx';
import { FilterButton } from './filters/filter-button.tsx';
import { FilterChips } from './filters/filter-chips.tsx';
import { SearchBox } from './search-box.tsx';
import { Toolbar } from './toolbar.tsx';
import { useListDefinition, useNeedsSearch } from './use-list.ts';
import { useChangeListPreferences, useListPreferences } from './use-list-preferences.ts';

interface ListToolbarProps {
  /** Content before the choice of columns, for a list whose page has no header. */
  end?: ReactNode;
  /** Actions for selected rows. */
  children?: ReactNode;
}

/** Search, filters and columns of a declared list, or the bar of a selection; below them the filters' chips. */
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

/** Switches between row heights of 52 and 36 pixels. */
function DensityButton() {
  const { t } = useTranslation();
  const { density } = useListPreferences();
  const { change, offerUndo } = useChangeListPreferences();
  const isCompact = density === 'compact';
  const toggle = () => {
    change({ density: isCompact ? 'comfortable' : 'compact' });
    offerUndo(isCompact ? t('list.density.nowComfortable') : t('list.density.nowCompact'), {
      density,
    });
  };
  return (
    <span className="inline-flex items-stretch only-wide">
      <IconButton label={t('list.density.compact')} aria-pressed={isCompact} onClick={toggle}>
        {isCompact ? <Rows4 size={20} /> : <Rows3 size={20} />}
      </IconButton>
    </span>
  );
}
