import { setImmediate as nextTurn } from 'node:timers/promises';
import { BYTE_ORDER_MARK, FORMULA } from '@linekeeper/contract/lines/csv.ts';
import papaparse from 'papaparse';
import type { Page, PageRequest } from './pages.ts';

export type Cell = string | number | boolean | null;

/** The header row of a file; `csvRows` returns the following ones. */
export function csvHead(columns: readonly string[]): string {
  return BYTE_ORDER_MARK + csvRows([[...columns]]);
}

/**
 * Rows as CSV. All cells are quoted, including empty ones, because readers that guess the
 * separator, such as spreadsheets and the panel's import, count unquoted tabs and semicolons.
 */
export function csvRows(rows: readonly Cell[][]): string {
  if (rows.length === 0) return '';
  const texts = rows.map((cells) => cells.map((cell) => (cell === null ? '' : String(cell))));
  const options = { escapeFormulae: FORMULA, newline: '\r\n', quotes: true };
  return `${papaparse.unparse(texts, options)}\r\n`;
}

/** Rows per chunk: few enough to limit the memory, and to serve other requests between chunks. */
export const ROWS_AT_ONCE = 500;

/** Writes a list as CSV; reads each page only after the client has received the previous one. */
export async function* pagesAsCsv<Row>(
  columns: readonly string[],
  sort: string,
  readPage: (request: PageRequest) => Promise<Page<Row>>,
  cellsOf: (row: Row) => Cell[],
): AsyncGenerator<string> {
  yield csvHead(columns);
  let cursor: string | undefined;
  do {
    const page = await readPage({ sort, cursor, limit: ROWS_AT_ONCE });
    yield csvRows(page.items.map(cellsOf));
    cursor = page.next_cursor ?? undefined;
    // The embedded database runs in this process, so other requests are served between chunks.
    await nextTurn();
  } while (cursor);
}

/** A list as a CSV file: these columns of the rows that match the reader's query. */
export function listAsCsv<Query extends { sort: string }, Row>(
  ctx: { saveAs(name: string): void; today(): string },
  name: string,
  query: Query,
  columns: readonly (keyof Row & string)[],
  readList: (query: Query & PageRequest) => Promise<Page<Row>>,
): AsyncGenerator<string> {
  ctx.saveAs(`${name}-${ctx.today()}.csv`);
  const cellOf = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);
  return pagesAsCsv(
    columns,
    query.sort,
    (request) => readList({ ...query, ...request }),
    (row) => columns.map((column) => cellOf(row[column])),
  );
}
