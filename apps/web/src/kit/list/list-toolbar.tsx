import { Columns3, Rows3, Rows4 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Popover } from '#kit/overlays/late-overlays.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Checkbox } from '#kit/ui/controls/checkbox.tsx';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { FilterButton } from './filters/filter-button.tsx';
import { FilterChips } from './filters/filter-chips.tsx';
import { SearchBox } from './search-box.tsx';
import { Toolbar } from './toolbar.tsx';
import { useListDefinition, useNeedsSearch } from './use-list.ts';
import {
  useChangeListPreferences,
  useListPreferences,
  useOfferedColumns,
} from './use-list-preferences.ts';

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

/**
 * The button for the choice of visible columns. Changes apply immediately; after the choice is closed, the result
 * offers to undo all of them.
 */
function ColumnsButton() {
  const { t } = useTranslation();
  const { declaration } = useListDefinition();
  const { columns } = useListPreferences();
  const { change, offerUndo } = useChangeListPreferences();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const before = useRef(columns);
  useEffect(() => prefetchOnceUsed([Popover.fetch]), []);
  const open = (button: HTMLElement) => {
    before.current = columns;
    setAnchor(button);
  };
  const close = () => {
    setAnchor(null);
    const isChanged = before.current.join() !== columns.join();
    if (isChanged) offerUndo(t('list.columns.changed'), { columns: before.current });
  };
  const toggle = (column: string, isOn: boolean) =>
    change({
      columns: declaration.columns.filter((one) => (one === column ? isOn : columns.includes(one))),
    });
  return (
    <span className="inline-flex items-stretch only-wide">
      <IconButton
        label={t('field.columns')}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onPointerEnter={Popover.fetch}
        onFocus={Popover.fetch}
        onClick={({ currentTarget }) => open(currentTarget)}
      >
        <Columns3 size={20} />
      </IconButton>
      <Popover anchor={anchor} align="end" gap={8} aria-label={t('field.columns')} onClose={close}>
        <ColumnChoices columns={columns} onToggle={toggle} />
      </Popover>
    </span>
  );
}

interface ColumnChoicesProps {
  columns: readonly string[];
  onToggle: (column: string, isOn: boolean) => void;
}

function ColumnChoices({ columns, onToggle }: ColumnChoicesProps) {
  const { t } = useTranslation();
  const texts = useListDefinition().useTexts();
  const id = useId();
  const offered = useOfferedColumns();
  return (
    <div className="w-58 py-4 px-5">
      <h2 className="mb-2">{t('field.columns')}</h2>
      {offered.map((column) => (
        <label
          key={column}
          htmlFor={`${id}-${column}`}
          className="flex items-center gap-3 min-h-(--press-small) cursor-pointer [&_input]:flex-none [&_input]:w-4.5 [&_input]:h-4.5 [&_input]:m-0 [&_input]:[accent-color:var(--color-primary)]"
        >
          <Checkbox
            id={`${id}-${column}`}
            checked={columns.includes(column)}
            onChange={({ target }) => onToggle(column, target.checked)}
          />
          <span>{texts.column(column)}</span>
        </label>
      ))}
    </div>
  );
}
