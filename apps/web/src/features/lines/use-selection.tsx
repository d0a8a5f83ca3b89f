import type { Line } from '@linekeeper/contract/lines.ts';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { listQuery } from './search.ts';
import {
  allMatching,
  isSelected,
  nothingSelected,
  pageToggled,
  type Selection,
  toggled,
  underFilter,
} from './selection.ts';
import { useLinesSearch } from './use-lines-search.ts';

function useSelectionState() {
  const { search } = useLinesSearch();
  const [kept, setKept] = useState(nothingSelected);
  const { limit, cursor, sort, ...filter } = listQuery(search);
  const filterText = JSON.stringify(filter);
  return useMemo(() => {
    const selection = underFilter(kept, filterText);
    const change = (next: (selection: Selection) => Selection) =>
      setKept((before) => next(underFilter(before, filterText)));
    return {
      selection,
      isEmpty: selection.allOf === null && selection.ids.size === 0,
      isSelected: (id: string) => isSelected(selection, id),
      toggle: (lines: Line[], id: string, isRange: boolean) =>
        change((before) => toggled(before, idsOf(lines), id, isRange)),
      togglePage: (lines: Line[], isOn: boolean) =>
        change((before) => pageToggled(before, idsOf(lines), isOn)),
      selectAllMatching: () => setKept(allMatching(filterText)),
      clear: () => setKept(nothingSelected),
    };
  }, [kept, filterText]);
}

function idsOf(lines: Line[]): string[] {
  return lines.map(({ id }) => id);
}

const SelectionContext = createContext<ReturnType<typeof useSelectionState> | null>(null);

/** Keeps what is selected for as long as the page is open, whatever it shows meanwhile. */
export function SelectionProvider({ children }: { children: ReactNode }) {
  const state = useSelectionState();
  useEscapeClears(state.isEmpty ? undefined : state.clear);
  return <SelectionContext value={state}>{children}</SelectionContext>;
}

export function useSelection() {
  const state = useContext(SelectionContext);
  if (!state) throw new Error('useSelection was called outside the list');
  return state;
}

/** Not where Escape has a meaning of its own: in a dialog, a menu or a field with text. */
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
