import { Fragment, type Key, type ReactNode } from 'react';
import styles from './linked-rows.module.css';
import type { ShownRows } from './list-rows.tsx';

interface LinkedRowsProps<Row> extends ShownRows<Row> {
  /** The look of the rows; `--placeholder-at` says where one has its grey bar. */
  className: string | undefined;
  /** Number of placeholders. */
  placeholders: number;
  /** The list item of a row, whose link covers it. */
  children: (row: Row) => ReactNode;
}

/** A list whose rows each lead to a page of their own. */
export function LinkedRows<Row extends { id: Key }>(props: LinkedRowsProps<Row>) {
  const { rows, isInert, showsSkeleton, className, placeholders, children } = props;
  const look = `${styles.rows} ${className}`;
  if (!rows) {
    const places = Array.from({ length: placeholders }, (_, index) => index);
    return (
      <ul className={look} aria-hidden="true" data-skeleton={showsSkeleton || undefined}>
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
