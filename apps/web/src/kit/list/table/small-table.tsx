import type { Key, ReactNode } from 'react';
import type { Column } from './column.ts';
import smallStyles from './small-table.module.css';
import styles from './table.module.css';
import { SkeletonRows, TableHead, TableRow } from './table-parts.tsx';

interface SmallTableProps<Row> {
  /** True to fill a card of a page from edge to edge, with the card's padding at both ends. */
  isWide?: boolean;
  /** True to put the last column below the others on a phone, across the whole width. */
  isStacked?: boolean;
  caption?: string;
  columns: readonly Column<Row>[];
  /** The rows; undefined while the first ones are loading, when placeholders are shown. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => Key;
  /** Content that replaces the row's values across its columns, if any. */
  insteadOf?: (row: Row) => ReactNode;
  /** Note below the last row that there are more rows. */
  more?: ReactNode;
  /** True once the placeholders are visible. */
  showsSkeleton?: boolean;
}

/** A table in a dialog or card with other content; its column widths follow the content. */
export function SmallTable<Row>(props: SmallTableProps<Row>) {
  const { isWide, isStacked = false, caption, columns, rows, rowId, insteadOf, more } = props;
  return (
    <div className={smallStyles.small} data-wide={isWide} data-stacked={isStacked || undefined}>
      <table className={styles.table} aria-busy={!rows}>
        {caption && <caption className="visually-hidden">{caption}</caption>}
        <TableHead columns={columns} />
        <tbody>
          {!rows && <SkeletonRows columns={columns} isVisible={props.showsSkeleton === true} />}
          {rows?.map((row) => (
            <TableRow
              key={rowId(row)}
              row={row}
              columns={columns}
              isLabelled={isStacked}
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
