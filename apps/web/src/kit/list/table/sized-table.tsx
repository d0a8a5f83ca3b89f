import {
  type CSSProperties,
  Fragment,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { SizedColumn, Sorting } from './column.ts';
import { columnWidths } from './column-widths.ts';
import styles from './sized-table.module.css';
import tableStyles from './table.module.css';
import { SkeletonRows, TableHead, TableRow } from './table-parts.tsx';

export interface SizedTableProps<Row extends { id: string }> {
  caption: string;
  columns: readonly SizedColumn<Row>[];
  /** The rows; undefined while the first ones are loading, when placeholders are shown. */
  rows: readonly Row[] | undefined;
  density?: 'comfortable' | 'compact';
  sorting?: Sorting;
  isSelected?: (row: Row) => boolean;
  /** True for rows with some space around their cells, which have two lines. */
  isTall?: boolean;
  /** Content below the row, across all columns; null for none. */
  below?: (row: Row) => ReactNode;
  /** True while the rows belong to the previous query and must not be acted on. */
  isInert?: boolean;
  /** True once the placeholders are visible. */
  showsSkeleton?: boolean;
}

/**
 * A table with fixed column widths, so that no row changes the layout. If there is too little room, its columns first
 * shrink, and then the table scrolls in its own frame with sticky header and names.
 */
export function SizedTable<Row extends { id: string }>(props: SizedTableProps<Row>) {
  const { caption, columns, rows, density = 'comfortable', isSelected, isInert = false } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { fit, widths, total } = columnWidths(columns, useFrameWidth(frame));
  const sizeOf = (kind: SizedColumn<Row>['kind']) =>
    `${widths.get(columns.find((column) => column.kind === kind)?.id ?? '') ?? 0}px`;
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
        style={{ minWidth: total, ...stickyWidths } as CSSProperties}
        aria-busy={!rows || isInert}
      >
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          {columns.map(({ id, kind }) => (
            // The name column has no width, so it takes the remaining one.
            <col key={id} style={kind === 'name' ? undefined : { width: widths.get(id) }} />
          ))}
        </colgroup>
        <TableHead columns={columns} sorting={props.sorting} />
        <tbody inert={isInert}>
          {rows?.map((row) => (
            <Fragment key={row.id}>
              <TableRow row={row} columns={columns} isSelected={isSelected?.(row)} />
              <RowDetail columns={columns.length}>{props.below?.(row)}</RowDetail>
            </Fragment>
          ))}
          {!rows && <SkeletonRows columns={columns} isVisible={props.showsSkeleton === true} />}
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

/**
 * Width of a table's frame in pixels. If the table is wider, the attributes `data-hides-start` and
 * `data-hides-end` mark the sides on which columns are hidden.
 */
function useFrameWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    // Attributes are set directly, because rendering on every scroll event would be too slow.
    const mark = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      element.toggleAttribute('data-hides-start', scrollLeft > 0);
      element.toggleAttribute('data-hides-end', scrollLeft + clientWidth < scrollWidth - 1);
    };
    const measure = () => {
      setWidth(element.clientWidth);
      mark();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', mark);
    };
  }, [frame]);
  return width;
}
