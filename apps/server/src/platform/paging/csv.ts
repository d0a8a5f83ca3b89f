import { BYTE_ORDER_MARK, FORMULA } from '@linekeeper/contract/lines/csv.ts';
import papaparse from 'papaparse';

export type Cell = string | number | boolean | null;

/** The header row of a file; `csvRows` returns the following ones. */
export function csvHead(columns: readonly string[]): string {
  return BYTE_ORDER_MARK + csvRows([[...columns]]);
}

/**
 * All cells are quoted, including empty ones, because readers that guess the separator, such as
 * spreadsheets and our import, count unquoted tabs and semicolons.
 */
export function csvRows(rows: readonly Cell[][]): string {
  if (rows.length === 0) return '';
  const texts = rows.map((cells) => cells.map((cell) => (cell === null ? '' : String(cell))));
  const options = { escapeFormulae: FORMULA, newline: '\r\n', quotes: true };
  return `${papaparse.unparse(texts, options)}\r\n`;
}
