import { fieldNamed } from './csv-columns.ts';
import { guessDelimiter, readHint, readRows } from './csv-text.ts';
import type { DecodedText } from './decode.ts';
import { plain } from './plain.ts';

export interface TableRow {
  /** The number of the row as a spreadsheet counts it: from 1, including empty rows. */
  number: number;
  /** Cells up to the last one with content. */
  cells: string[];
  /** Number of cells up to the last one with content. */
  width: number;
  /** Number of all cells, including empty ones at the end. */
  count: number;
  /** True if nothing follows the row, not even the end of a line. */
  isLast: boolean;
  /** True if the row has letters in another encoding than the rest of the file. */
  isForeign: boolean;
}

export interface Table extends ReturnType<typeof titlesOf> {
  delimiter: string;
  /** All rows that are not empty. */
  all: TableRow[];
  /** Number of cells up to the last one with content, in the widest row. */
  width: number;
  /** True if another program replaced letters that it could not save. */
  hasLostLetters: boolean;
}

export interface TableLimits {
  rows: number;
  columns: number;
}

/** The reason why a file is not a table, with the numbers for its message. */
export type TableProblem =
  | { kind: 'empty' }
  | { kind: 'tooManyRows'; rows: number }
  | { kind: 'tooManyColumns'; columns: number };

/** Headings that only files of this panel have. */
const ownHeadings = ['livechannel', 'uservalue', 'addeddate'];
/** Headings of the last two columns of rows with problems, as the page writes them. */
const problemHeadings = ['row reason', 'zeile grund', 'wiersz powod', 'registo motivo'];

/** Characters of a heading, at most. */
const MOST_OF_HEADING = 200;
const headingOf = (cell: string) => cell.slice(0, MOST_OF_HEADING);

/**
 * Reads a CSV text. Counts rows beyond the limit for the message, without keeping them. Throws a
 * QuoteFault.
 */
export function readTable(
  { text, isForeign }: DecodedText,
  limits: TableLimits,
): { table: Table } | { problem: TableProblem } {
  const hint = readHint(text);
  const delimiter = hint?.delimiter ?? guessDelimiter(text);
  const rows: TableRow[] = [];
  let total = 0;
  let width = 0;
  for (const row of readRows(text, delimiter, limits.columns, hint?.length)) {
    if (row.width === 0) continue;
    if (row.width > limits.columns) {
      return { problem: { kind: 'tooManyColumns', columns: row.width } };
    }
    total++;
    width = Math.max(width, row.width);
    // One extra row is kept, because the first may be headings.
    if (total > limits.rows + 1) continue;
    const { number, cells, count, from, to } = row;
    const isLast = to >= text.length && !/[\r\n]$/.test(text);
    rows.push({ number, cells, width: row.width, count, isLast, isForeign: isForeign(from, to) });
  }
  if (total === 0) return { problem: { kind: 'empty' } };
  const hasHeadings = rows[0]?.cells.some((cell) => fieldNamed(headingOf(cell)) !== null) ?? false;
  if (total > limits.rows + (hasHeadings ? 1 : 0)) {
    return { problem: { kind: 'tooManyRows', rows: hasHeadings ? total - 1 : total } };
  }
  const hasLostLetters = text.includes('\ufffd');
  const read = { delimiter, all: rows, width, hasLostLetters };
  return { table: { ...read, ...titlesOf(read, hasHeadings) } };
}

/** The headings and the rows of data of a table. Without headings, its first row is data, too. */
export function titlesOf({ all, width }: { all: TableRow[]; width: number }, hasHeadings: boolean) {
  const first = hasHeadings ? all[0] : undefined;
  /** Names of the columns; empty if the first row has no headings. */
  const headings = (first?.cells ?? []).map(headingOf);
  const names = headings.map(plain);
  /** True if the headings are those of this panel's own files. */
  const isOwnExport = ownHeadings.every((name) => names.includes(name));
  return {
    headings,
    hasHeadings,
    /** Number of cells of the headings, including empty ones; no row may have more. */
    headingCells: hasHeadings ? (first?.count ?? 0) : Number.POSITIVE_INFINITY,
    // Remarks to the right of a table have no heading, so cells below an empty heading are not too many.
    columns: hasHeadings ? Math.min(first?.count ?? 0, width) : width,
    rows: hasHeadings ? all.slice(1) : all,
    isOwnExport,
    /** True if this panel wrote the file, and protected cells that a spreadsheet would run as formulas. */
    isGuarded: isOwnExport || problemHeadings.includes(names.slice(-2).join(' ')),
  };
}
