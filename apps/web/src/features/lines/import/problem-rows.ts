import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { BYTE_ORDER_MARK, escapeFormula, unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import type { FoundLine } from '@linekeeper/line-files/found-line.ts';
import type { Draft } from './draft.ts';

/** Every cell in quotes, as in all files of the panel: a reader that guesses the delimiter finds it. */
function csvRow(cells: readonly string[]): string {
  // Cells of a file of ours have their apostrophe already.
  const quoted = cells.map(
    (cell) => `"${escapeFormula(unescapeFormula(cell)).replaceAll('"', '""')}"`,
  );
  return `${quoted.join(',')}\r\n`;
}

interface FileRows {
  headings: readonly string[];
  columns: number;
  rows: readonly { number: number; cells: readonly string[] }[];
}

/** A card server's own file has no columns: what it says of a line makes some. */
const ownColumns = ['username', 'password', 'expiry_date', 'notes'];

function rowsOf({ file }: Draft, lines: readonly FoundLine[]): FileRows {
  if (file.format === 'csv') {
    const { headings, rows } = file;
    const width = Math.max(headings.length, ...rows.map(({ cells }) => cells.length));
    return { headings, columns: width, rows };
  }
  const rows = lines.map(({ number, username, password, expiry, texts }) => ({
    number,
    cells: [username, password, expiry ?? '', texts.notes ?? ''].map(escapeFormula),
  }));
  return { headings: ownColumns, columns: ownColumns.length, rows };
}

interface ProblemTexts {
  /** Headings of the two columns that are added. */
  row: string;
  reason: string;
  /** Name of a column without a heading. */
  column: (number: number) => string;
  reasonOf: (item: JobItem) => string;
}

/**
 * The rows that cannot be imported as they stand in the file, each with its place there and what is
 * wrong: corrected, the same file can be imported.
 */
export function problemRowsCsv(
  draft: Draft,
  lines: readonly FoundLine[],
  items: readonly JobItem[],
  texts: ProblemTexts,
): string {
  const file = rowsOf(draft, lines);
  const { headings } = file;
  const columns = Array.from({ length: file.columns }, (_, index) => index);
  const rows = new Map(file.rows.map((row) => [row.number, row.cells]));
  const head = columns.map((index) => headings[index] || texts.column(index + 1));
  const wrong = items.filter(({ state }) => state === 'skipped');
  return (
    BYTE_ORDER_MARK +
    csvRow([...head, texts.row, texts.reason]) +
    wrong
      .map((item) => {
        const cells = rows.get(item.position) ?? [];
        const own = columns.map((index) => cells[index] ?? '');
        return csvRow([...own, String(item.position), texts.reasonOf(item)]);
      })
      .join('')
  );
}
