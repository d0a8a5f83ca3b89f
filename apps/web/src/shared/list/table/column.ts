import type { ReactNode } from 'react';

/** A column of a table: its header, and its cell for each row. */
export interface Column<Row> {
  id: string;
  /** Text of the header; visually hidden for columns of buttons. */
  title: ReactNode;
  /** Called while the table renders, so it must not use hooks; the component it returns may. */
  cell: (row: Row) => ReactNode;
  /** `name` is the row's header cell, `select` holds its checkbox, `actions` its buttons. */
  kind?: 'name' | 'select' | 'actions';
  /** The API's sort field; makes the column sortable. */
  sortBy?: string;
  align?: 'end';
  /**
   * `words` are sentences, which take the width that other columns leave. `typed` is user input,
   * which may be one long word without a break.
   */
  look?: 'quiet' | 'strong' | 'typed' | 'words';
  /** Shapes of the placeholder while rows are loading. */
  bones?: readonly ('short' | 'text' | 'long' | 'badge')[];
}

/** A column of fixed width, whatever the length of its texts. */
export interface SizedColumn<Row> extends Column<Row> {
  size: number;
  /** Width to which the column may shrink before the table scrolls. */
  minSize?: number;
  /** Width to which the column may grow; the rest of the free width goes to the name. */
  maxSize?: number;
  /**
   * On a phone: beside the name of its row, without its title, or that and on a line of its own. Else it
   * stands below, after its title.
   */
  inCard?: 'badge' | 'bare' | 'line';
  /** Width in a scrolling table, for the name column, which then stays visible. */
  scrolledSize?: number;
}

export interface Sorting {
  /** The `sortBy` of a column, prefixed with a minus for descending. */
  order: string | undefined;
  sort: (field: string) => void;
}
