import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Cell, csvHead, csvRows } from './csv.ts';
import type { Page, PageRequest } from './pages.ts';

/** Rows per chunk: bounds memory and lets other requests be served in between. */
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
    // The embedded database runs in this process, so other requests get their turn between chunks.
    await nextTurn();
  } while (cursor);
}
