import type { RowData } from '@tanstack/react-table';
import type { Key, ReactNode } from 'react';
import type { Column, Sorting } from './column.ts';
import smallStyles from './small-table.module.css';
import styles from './table.module.css';
import { SkeletonRows, TableHead, TableRow } from './table-parts.tsx';
import { useVisibleColumns } from './use-table-columns.ts';

interface TableProps<Row extends RowData> {
  /** `page` fills a card, and shows rows as blocks if the card is narrow; `small` is for dialogs. */
  look: 'page' | 'small';
  /** On a phone the last column of a small table lies below the others, across the whole width. */
  isStacked?: boolean;
  caption?: string;
  columns: readonly Column<Row>[];
  /** Ids of hidden columns. */
  hidden?: readonly string[];
  /** undefined while the first rows are loading; placeholders are shown instead. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => Key;
  density?: 'comfortable' | 'compact';
  sorting?: Sorting;
  isSelected?: (row: Row) => boolean;
  /** Shown until the rows that were asked for are there: nothing can be done with these. */
  isInert?: boolean;
  /** Content that replaces the row's values across its columns, if any. */
  insteadOf?: (row: Row) => ReactNode;
  /** Note below the last row that there are more rows. */
  more?: ReactNode;
  /** True once the placeholders are visible. */
  showsBones?: boolean;
}

/** A table whose column widths follow the content. */
export function Table<Row extends RowData>(props: TableProps<Row>) {
  const { look, caption, rows, rowId, sorting, isSelected, isInert, insteadOf, more } = props;
  const columns = useVisibleColumns(props.columns, props.hidden);
  return (
    <div
      className={look === 'small' ? smallStyles.small : styles.page}
      data-density={props.density}
      data-stacked={props.isStacked || undefined}
    >
      <table className={styles.table} aria-busy={!rows || isInert}>
        {caption && <caption className="visually-hidden">{caption}</caption>}
        <TableHead columns={columns} sorting={sorting} />
        <tbody inert={isInert}>
          {!rows && <SkeletonRows columns={columns} isVisible={props.showsBones === true} />}
          {rows?.map((row) => (
            <TableRow
              key={rowId(row)}
              row={row}
              columns={columns}
              isSelected={isSelected?.(row)}
              isLabelled={look === 'page' || props.isStacked === true}
              instead={insteadOf?.(row)}
            />
          ))}
          {more && (
            <tr>
              <td colSpan={columns.length} data-look="more">
                {more}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
