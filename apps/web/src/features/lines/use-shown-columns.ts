import { type LineColumn, lineColumns } from '@linekeeper/contract/preferences.ts';
import { usePreferences } from '../../shared/preferences.ts';
import { useMe } from '../../shared/session.ts';

/** The columns one may choose from: whose a line is, is no question where all are one's own. */
export function useOfferedColumns(): readonly LineColumn[] {
  const { is_admin } = useMe();
  return is_admin ? lineColumns : lineColumns.filter((column) => column !== 'owner');
}

/** The chosen columns, in the table's order. */
export function useShownColumns(): readonly LineColumn[] {
  const { columns } = usePreferences();
  return useOfferedColumns().filter((column) => columns.includes(column));
}
