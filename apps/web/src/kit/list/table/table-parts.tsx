import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Skeleton } from '#kit/ui/skeleton.tsx';
import { sortedBy } from '#screens/address.ts';
import type { Column, Sorting } from './column.ts';
import styles from './table.module.css';

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  sorting?: Sorting | undefined;
}

export function TableHead<Row>({ columns, sorting }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sorting={sorting} />
        ))}
      </tr>
    </thead>
  );
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  sorting: Sorting | undefined;
}

function HeadCell<Row>({ column, sorting }: HeadCellProps<Row>) {
  const { id, title, kind, align, sortBy } = column;
  const look = { 'data-column': id, 'data-kind': kind, 'data-align': align };
  if (kind === 'select') return <td {...look}>{title}</td>;
  if (!sorting || !sortBy) {
    return (
      <th scope="col" {...look}>
        {kind === 'actions' ? <span className="visually-hidden">{title}</span> : title}
      </th>
    );
  }
  const isUp = sorting.order === sortedBy(sortBy);
  const isDown = sorting.order === `-${sortedBy(sortBy)}`;
  return (
    <th scope="col" {...look} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      <button type="button" onClick={() => sorting.sort(sortBy)}>
        {title}
        {isUp && <ArrowUp size={14} />}
        {isDown && <ArrowDown size={14} />}
      </button>
    </th>
  );
}

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  isSelected?: boolean | undefined;
  /** Adds the column's title to each cell, for rows laid out as blocks. */
  isLabelled?: boolean;
  /** Replaces the values of all columns except the name. */
  instead?: ReactNode;
}

function Row<Row>(props: TableRowProps<Row>) {
  const { row, columns, isSelected, isLabelled, instead } = props;
  const shown = instead ? columns.filter(({ kind }) => kind === 'name') : columns;
  return (
    <tr data-selected={isSelected || undefined}>
      {shown.map(({ id, title, cell, kind, align, look }) => {
        const Cell = kind === 'name' ? 'th' : 'td';
        return (
          <Cell
            key={id}
            scope={kind === 'name' ? 'row' : undefined}
            data-column={id}
            data-kind={kind}
            data-align={align}
            data-look={instead ? 'quiet' : look}
            data-label={isLabelled && !kind && look !== 'words' ? title : undefined}
          >
            {cell(row)}
          </Cell>
        );
      })}
      {instead && (
        <td colSpan={columns.length - shown.length} data-look="quiet">
          {instead}
        </td>
      )}
    </tr>
  );
}

/** A row of a table. It renders again only if its row or the columns change, and not whenever the table does. */
export const TableRow = memo(Row) as typeof Row;

const skeletonWidths = { short: 60, text: 72, long: 112, badge: 60, nextBadge: 84 };
/** Widths of placeholder names in pixels, repeated for further rows. */
const skeletonNames = [undefined, 88, 136];
const skeletonRows = Array.from({ length: 11 }, (_, index) => index);

interface SkeletonRowsProps<Row> {
  columns: readonly Column<Row>[];
  isVisible: boolean;
}

/** Placeholder rows, invisible until loading takes longer than a moment. */
export function SkeletonRows<Row>({ columns, isVisible }: SkeletonRowsProps<Row>) {
  return skeletonRows.map((row) => (
    <tr key={row} className={styles.skeletonRow} data-visible={isVisible || undefined}>
      {columns.map(({ id, kind, skeleton = ['text'] }) => (
        <td key={id} data-column={id} data-kind={kind}>
          {kind !== 'select' &&
            kind !== 'actions' &&
            skeleton.map((shape, index) => (
              <Skeleton
                key={shape}
                width={
                  (kind === 'name' ? skeletonNames[row % skeletonNames.length] : undefined) ??
                  skeletonWidths[shape === 'badge' && index > 0 ? 'nextBadge' : shape]
                }
                height={shape === 'badge' ? 24 : 12}
              />
            ))}
        </td>
      ))}
    </tr>
  ));
}
