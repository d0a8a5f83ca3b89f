import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { ListColumn } from '#kit/list/columns.tsx';
import type { HiddenColumns } from '#kit/list/use-list.ts';

/** The owner's column is hidden unless the list may have lines of others. */
export const hiddenColumns: HiddenColumns = ({ is_admin }, { below, owner }) =>
  is_admin || below || owner ? [] : ['owner'];

/** The columns that stay beside an open line, with narrower widths for some. */
const widthsBesideLine: Record<string, { size: number } | undefined> = {
  username: { size: 140 },
  expiry: undefined,
  status: undefined,
};

/** The columns of the list while a line is open beside it. */
export function besideLine(columns: readonly ListColumn<Line>[]): ListColumn<Line>[] {
  return columns
    .filter(({ id }) => id in widthsBesideLine)
    .map((column) => ({ ...column, width: { ...column.width, ...widthsBesideLine[column.id] } }));
}
