import {
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { Column, SizedColumn } from './column.ts';

/** The table library handles only column visibility and sizes, because the server sorts and pages. */
const features = tableFeatures({ columnSizingFeature, columnVisibilityFeature });
const none: never[] = [];

type Fit = 'wide' | 'narrow' | 'scrolls';
type Sizes = Omit<SizedColumn<never>, 'cell'>;

function sizeFor(fit: Fit, { size, minSize = size, scrolledSize = size }: Sizes): number {
  if (fit === 'narrow') return minSize;
  return fit === 'scrolls' ? scrolledSize : size;
}

/** Chooses how the columns fit the available width, and the size of each. */
function sizingFor(columns: readonly Sizes[], room: number) {
  const needs = (fit: Fit) => columns.reduce((sum, column) => sum + sizeFor(fit, column), 0);
  const fit = needs('wide') <= room ? 'wide' : needs('narrow') <= room ? 'narrow' : 'scrolls';
  const growing = columns.filter(({ maxSize }) => maxSize !== undefined);
  // The name gets at least half of the remaining width. Before the first measurement `room` is
  // infinite and nothing is shared out.
  const left = Number.isFinite(room) ? Math.max(0, room - needs(fit)) : 0;
  const share = Math.floor(left / 2 / Math.max(1, growing.length));
  const sizing = columns.map((column) => [
    column.id,
    sizeFor(fit, column) + (growing.includes(column) ? share : 0),
  ]);
  return { fit, sizing: Object.fromEntries(sizing) as Record<string, number> };
}

function useLibraryTable<Row extends RowData>(
  columns: readonly (Pick<Column<Row>, 'id'> & Partial<Sizes>)[],
  hidden: readonly string[],
  columnSizing: Record<string, number>,
) {
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    // The library refuses sizes outside a column's minimum and maximum.
    return columns.map(({ id, size = 0, minSize = size, maxSize, scrolledSize = size }) =>
      helper.display({ id, size, minSize, maxSize: maxSize ?? scrolledSize }),
    );
  }, [columns]);
  return useTable({
    features,
    columns: definitions,
    data: none as Row[],
    state: {
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
      columnSizing,
    },
  });
}

/** The columns that are wanted. */
export function useVisibleColumns<Row extends RowData>(
  columns: readonly Column<Row>[],
  hidden: readonly string[] = none,
): Column<Row>[] {
  const table = useLibraryTable(columns, hidden, {});
  return table
    .getVisibleLeafColumns()
    .flatMap(({ id }) => columns.find((column) => column.id === id) ?? []);
}

/** The columns that are wanted, each with its width in a room of so many pixels. */
export function useSizedColumns<Row extends RowData>(
  columns: readonly SizedColumn<Row>[],
  hidden: readonly string[],
  room: number,
) {
  const wanted = columns.filter(({ id }) => !hidden.includes(id));
  const { fit, sizing } = sizingFor(wanted, room);
  const table = useLibraryTable(columns, hidden, sizing);
  const shown = table.getVisibleLeafColumns().flatMap((shownColumn) => {
    const column = columns.find(({ id }) => id === shownColumn.id);
    return column ? [{ column, size: shownColumn.getSize() }] : [];
  });
  const shownIds = shown.map(({ column }) => column.id).join();
  // The same array while the same columns are shown, because every row is drawn by it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids say which columns are shown
  const shownColumns = useMemo(() => shown.map(({ column }) => column), [columns, shownIds]);
  return { fit, shown, columns: shownColumns, totalSize: table.getTotalSize() };
}
