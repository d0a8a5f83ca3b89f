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
  /** The API's sort field, which makes the column sortable. With a minus before it, the first order is descending. */
  sortBy?: string;
  align?: 'end';
  /** The look of texts. `words` are sentences, which wrap. `typed` is user input, which may be one long word. */
  look?: 'quiet' | 'strong' | 'typed' | 'words';
  /** Shapes of the placeholder while rows are loading. */
  skeleton?: readonly ('short' | 'text' | 'long' | 'badge')[];
}

/** The width of a column in pixels, independent of its texts. */
export interface Width {
  size: number;
  /** Width to which the column may shrink before the table scrolls. */
  min?: number;
  /** Width up to which the column may grow; the name gets the remaining width. */
  max?: number;
  /** Width in a scrolling table, for the name column, which stays visible. */
  scrolled?: number;
}

/** A column of fixed width, which a phone shows in the card of its row. */
export interface SizedColumn<Row> extends Column<Row> {
  width: Width;
  /**
   * Place in a card: `badge` beside the name, `bare` below it without the title, `line` on a
   * separate row. Other columns are below the name, with their titles.
   */
  inCard?: 'badge' | 'bare' | 'line';
}

export interface Sorting {
  /** The `sortBy` of a column, prefixed with a minus for descending. */
  order: string | undefined;
  sort: (field: string) => void;
}
