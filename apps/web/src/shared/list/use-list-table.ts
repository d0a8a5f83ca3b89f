import { useMemo } from 'react';
import { nextOrder, orderOf } from '../../screens/address.ts';
import { selectColumn } from './selection/select-boxes.tsx';
import { useOptionalSelection } from './selection/selection-context.tsx';
import type { Column } from './table/column.ts';
import { type ListRow, useListDefinition, useListSearch } from './use-list.ts';
import { useListPreferences, useShownColumns } from './use-list-preferences.ts';

export interface ListTableRows<Row> {
  /** undefined while the first rows are loading; placeholders are shown instead. */
  rows: readonly Row[] | undefined;
  /** Shown until the rows that were asked for are there: nothing can be done with these. */
  isInert: boolean;
  showsBones: boolean;
}

interface ListTableOptions<Row, Shown> extends ListTableRows<Row> {
  columns: readonly Shown[];
  /** Labels the box that selects a row, where rows can be selected. Memoise it. */
  selectLabel?: (row: Row) => string;
}

const none: never[] = [];

/** Props for a table inside a list: columns, sort order, density and selection. */
export function useListTable<Row extends ListRow, Shown extends Column<Row>>({
  rows,
  isInert,
  showsBones,
  columns,
  selectLabel,
}: ListTableOptions<Row, Shown>) {
  const { declaration, useTexts } = useListDefinition();
  const texts = useTexts();
  const { density } = useListPreferences();
  const selection = useOptionalSelection();
  const { search, change } = useListSearch();
  const shown = useShownColumns();
  const selectable = isInert ? none : (rows ?? none);
  const pageLabel = texts.selectPage ?? '';
  // Memoised, because every row is drawn again when the columns change.
  const all = useMemo(() => {
    if (!selectLabel) return columns;
    return [selectColumn<Row>({ rows: selectable, pageLabel, labelOf: selectLabel }), ...columns];
  }, [selectable, pageLabel, selectLabel, columns]);
  return {
    caption: texts.title,
    columns: all,
    hidden: declaration.columns.filter((id) => !shown.includes(id)),
    rows,
    rowId: ({ id }: Row) => id,
    density,
    sorting: {
      order: orderOf(declaration, search),
      sort: (field: string) => void change({ sort: nextOrder(declaration, field, search.sort) }),
    },
    isSelected: ({ id }: Row) => selection?.isSelected(id) ?? false,
    isInert,
    showsBones,
  };
}
