import { Fragment, type Key, type ReactNode } from 'react';
import type { ShownRows } from './list-rows.tsx';

interface LinkedRowsProps<Row> extends ShownRows<Row> {
  /** The look of the rows; `--placeholder-at` is the place of the grey bar in a placeholder. */
  className: string | undefined;
  /** Number of placeholder rows while the list is loading. */
  placeholders: number;
  /** The list item of a row, whose link covers it. */
  children: (row: Row) => ReactNode;
}

const ROWS =
  '[&>li]:relative [&>li:hover]:bg-hover [&[data-places]>li]:[background:linear-gradient(var(--color-head),var(--color-head))_var(--placeholder-at)/200px_16px_no-repeat]';
/** The look of the current row, in which secondary text must be readable, too. */
const CURRENT =
  '[&>li:has([aria-current])]:bg-primary-soft [&>li:has([aria-current])]:[--color-text-2:var(--color-neutral-fg)] [&>li:has([aria-current])]:shadow-[inset_3px_0_0_var(--color-primary)]';

/** A list each of whose rows is a link to a page. */
export function LinkedRows<Row extends { id: Key }>(props: LinkedRowsProps<Row>) {
  const { rows, isInert, showsSkeleton, className, placeholders, children } = props;
  const look = `${ROWS} ${CURRENT} ${className}`;
  if (!rows) {
    const places = Array.from({ length: placeholders }, (_, index) => index);
    return (
      <ul className={look} aria-hidden="true" data-places={showsSkeleton || undefined}>
        {places.map((place) => (
          <li key={place} />
        ))}
      </ul>
    );
  }
  return (
    <ul className={look} inert={isInert}>
      {rows.map((row) => (
        <Fragment key={row.id}>{children(row)}</Fragment>
      ))}
    </ul>
  );
}
