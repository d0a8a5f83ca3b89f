import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import {
  allMatching,
  intersectSelection,
  isSelected,
  nothingSelected,
  pageToggled,
  type Selection,
  toggled,
} from './selection.ts';

/**
 * A selection that is cleared when `filterKey` changes, which means another view, filter or search.
 * `matchingIds` are the ids of all matching rows, if known; other ids are deselected.
 */
function useSelectionOf(filterKey: string, matchingIds: readonly string[] | undefined) {
  const [kept, keep] = useState({ filterKey, selection: nothingSelected });
  const before = kept.filterKey === filterKey ? kept.selection : nothingSelected;
  const selection = matchingIds ? intersectSelection(before, matchingIds) : before;
  // The state is set during render, because an effect would show the bulk bar of the old selection for one frame.
  if (kept.filterKey !== filterKey || kept.selection !== selection) keep({ filterKey, selection });
  const change = useCallback(
    (next: (selection: Selection) => Selection) =>
      keep((now) => ({ ...now, selection: next(now.selection) })),
    [],
  );
  return { selection, change };
}

function useSelectionState(filterKey: string, matchingIds: readonly string[] | undefined) {
  const { selection, change } = useSelectionOf(filterKey, matchingIds);
  return useMemo(
    () => ({
      filterKey,
      selection,
      isEmpty: !selection.isAll && selection.ids.size === 0,
      isSelected: (id: string) => isSelected(selection, id),
      toggle: (shown: readonly string[], id: string, isRange: boolean) =>
        change((before) => toggled(before, shown, id, isRange)),
      togglePage: (shown: readonly string[], isOn: boolean) =>
        change((before) => pageToggled(before, shown, isOn)),
      selectAllMatching: () => change(() => allMatching),
      clear: () => change(() => nothingSelected),
    }),
    [filterKey, selection, change],
  );
}

const SelectionContext = createContext<ReturnType<typeof useSelectionState> | null>(null);

interface SelectionProviderProps {
  /** A string that identifies the matching rows; the selection is cleared when it changes. */
  filterKey: string;
  /** Ids of all matching rows, if known. */
  matchingIds: readonly string[] | undefined;
  children: ReactNode;
}

/** Holds the selection across pages and sort orders, until `filterKey` changes. */
export function SelectionProvider({ filterKey, matchingIds, children }: SelectionProviderProps) {
  const state = useSelectionState(filterKey, matchingIds);
  useEscapeClears(state.isEmpty ? undefined : state.clear);
  return <SelectionContext value={state}>{children}</SelectionContext>;
}

/** The selection of the surrounding list; null in a list whose rows cannot be selected. */
export function useOptionalSelection() {
  return useContext(SelectionContext);
}

export function useSelection() {
  const state = useOptionalSelection();
  if (!state) throw new Error('useSelection was called outside the list');
  return state;
}

/**
 * Clears the selection on Escape, except where Escape has its own effect: in dialogs, menus and
 * non-empty fields.
 */
function useEscapeClears(clear: (() => void) | undefined) {
  useEffect(() => {
    if (!clear) return;
    const listen = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      const isElsewhere =
        target instanceof HTMLElement &&
        target.closest('[role="dialog"], [role="menu"], input:not([type="checkbox"]), textarea');
      if (key === 'Escape' && !isElsewhere && !defaultPrevented) clear();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [clear]);
}
