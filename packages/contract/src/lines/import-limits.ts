/** Limits and choices of an import, in a separate file so that the web worker that reads files loads no schemas. */

/** The importer's choice for a state that the panel does not know: the line works, is suspended, or is not imported. */
export const stateChoices = ['on', 'off', 'leave_out'] as const;
export type StateChoice = (typeof stateChoices)[number];

/** The orders of a date in comments; with `none` dates are not read. */
export const dateOrders = ['d-m-y', 'y-m-d', 'none'] as const;
export type DateOrder = (typeof dateOrders)[number];

export const MAX_IMPORT_ROWS = 20_000;
/** Maximum body in MiB: 500 letters for each of the maximum number of rows. */
export const MAX_BULK_MB = 10;
/** Maximum accounts of one import, which runs in one transaction. */
export const MAX_IMPORT_ACCOUNTS = 1000;

/** True if there is an increasing row number for each row; also without numbers, which are then counted from 1. */
export const areRowNumbers = ({ rows, row_numbers: of }: NumberedRows): boolean =>
  !of || (of.length === rows.length && of.every((number, index) => number > (of[index - 1] ?? 0)));

interface NumberedRows {
  rows: readonly unknown[];
  row_numbers?: readonly number[] | undefined;
}
