import type { RowData } from '@tanstack/react-table';
import { type CSSProperties, Fragment, type ReactNode, useRef } from 'react';
import type { SizedColumn, Sorting } from './column.ts';
import styles from './sized-table.module.css';
import tableStyles from './table.module.css';
import { SkeletonRows, TableHead, TableRow } from './table-parts.tsx';
import { useFrameWidth } from './use-frame-width.ts';
import { useSizedColumns } from './use-table-columns.ts';

interface SizedTableProps<Row extends RowData> {
  caption: string;
  columns: readonly SizedColumn<Row>[];
  /** Ids of hidden columns. */
  hidden: readonly string[];
  /** undefined while the first rows are loading; placeholders are shown instead. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  density: 'comfortable' | 'compact';
  sorting: Sorting;
  isSelected?: (row: Row) => boolean;
  isTall?: boolean;
  /** Content below the row, across all columns; null for none. */
  below?: (row: Row) => ReactNode;
  /** True while the rows belong to the previous query and must not be acted on. */
  isInert?: boolean;
  /** True once the placeholders are visible. */
  showsBones?: boolean;
}

/**
 * A table with fixed column widths, so that no row changes the layout. If the width is too small,
 * its columns first shrink, then the table scrolls in its own frame with sticky header and names.
 */
export function SizedTable<Row extends RowData>(props: SizedTableProps<Row>) {
  const { caption, rows, rowId, density, sorting, isSelected, isInert = false } = props;
  const frame = useRef<HTMLDivElement>(null);
  const room = useFrameWidth(frame);
  const { fit, shown, columns, totalSize } = useSizedColumns(props.columns, props.hidden, room);
  const sizeOf = (kind: SizedColumn<Row>['kind']) =>
    `${shown.find(({ column }) => column.kind === kind)?.size ?? 0}px`;
  const stickyWidths = {
    '--select-width': sizeOf('select'),
    '--name-width': sizeOf('name'),
    '--actions-width': sizeOf('actions'),
  };
  return (
    <div
      ref={frame}
      className={styles.frame}
      data-fit={fit}
      data-density={density}
      data-tall={props.isTall || undefined}
      {...(fit === 'scrolls' && { role: 'group', 'aria-label': caption })}
    >
      <table
        className={`${tableStyles.table} ${styles.table}`}
        style={{ minWidth: totalSize, ...stickyWidths } as CSSProperties}
        aria-busy={!rows || isInert}
      >
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          {shown.map(({ column: { id, kind }, size }) => (
            // The name column has no width and takes the rest.
            <col key={id} style={kind === 'name' ? undefined : { width: size }} />
          ))}
        </colgroup>
        <TableHead columns={columns} sorting={sorting} />
        <tbody inert={isInert}>
          {rows?.map((row) => (
            <Fragment key={rowId(row)}>
              <TableRow row={row} columns={columns} isSelected={isSelected?.(row)} />
              <RowDetail columns={columns.length}>{props.below?.(row)}</RowDetail>
            </Fragment>
          ))}
          {!rows && <SkeletonRows columns={columns} isVisible={props.showsBones === true} />}
        </tbody>
      </table>
    </div>
  );
}

function RowDetail({ columns, children }: { columns: number; children: ReactNode }) {
  if (!children) return null;
  return (
    <tr data-detail>
      <td colSpan={columns}>{children}</td>
    </tr>
  );
}
