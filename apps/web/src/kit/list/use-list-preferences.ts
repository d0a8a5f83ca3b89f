import type { ListPreferences } from '@linekeeper/contract/lists/preferences.ts';
import { useMemo } from 'react';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';
import { useMe } from '#platform/data/session.ts';
import { offeredColumns } from './columns.tsx';
import { useListDefinition, useListSearch } from './use-list.ts';

/** The account's preferences for the current list. */
export function useListPreferences(): ListPreferences {
  const { name } = useListDefinition().declaration;
  return usePreferences().lists[name];
}

export function useChangeListPreferences() {
  const { name } = useListDefinition().declaration;
  const { change, offerUndo } = useChangePreferences();
  const ofList = (changes: Partial<ListPreferences>) => ({ lists: { [name]: changes } });
  return {
    change: (changes: Partial<ListPreferences>) => change(ofList(changes)),
    offerUndo: (text: string, before: Partial<ListPreferences>) => offerUndo(text, ofList(before)),
  };
}

/** The columns from which the account may choose. */
export function useOfferedColumns(): readonly string[] {
  const { declaration, hides, useHidden } = useListDefinition();
  const { search } = useListSearch();
  const me = useMe();
  const hidden = useHidden?.();
  return useMemo(
    () => offeredColumns(declaration.columns, [...(hidden ?? []), ...(hides?.(me, search) ?? [])]),
    [declaration, hides, hidden, me, search],
  );
}

/** The chosen columns in the table's order. */
export function useShownColumns(): readonly string[] {
  const { columns } = useListPreferences();
  const offered = useOfferedColumns();
  return useMemo(() => offered.filter((column) => columns.includes(column)), [offered, columns]);
}
