import { MAX_IMPORT_ROWS } from '@linekeeper/contract/lines/import-limits.ts';
import { guessDelimiter, QuoteFault, readHint, readRows } from './csv-text.ts';
import { decode, type Encoding } from './decode.ts';
import { fieldNamed } from './import-fields.ts';

/** Enough for the maximum number of rows; a larger file is probably not a list of lines. */
export const MAX_FILE_MB = 5;
/** Each column is one row of the mapping table; a line has fewer than twenty fields. */
export const MAX_COLUMNS = 100;
export const MB = 1024 * 1024;

export interface FileRow {
  /** Row number as a spreadsheet shows it, from 1. */
  number: number;
  cells: string[];
}

export interface ReadFile {
  name: string;
  delimiter: string;
  encoding: Encoding;
  rows: FileRow[];
  /** Number of columns in the widest row. */
  width: number;
  /** True if the first row looks like headings. */
  hasHeadings: boolean;
  /** True if another program replaced letters that it could not save. */
  hasLostLetters: boolean;
}

/** The reason a file cannot be used, with the numbers for its message. */
export type FileProblem =
  | { kind: 'unreadable' | 'empty' | 'workbook' | 'notText' }
  | { kind: 'tooLarge'; megabytes: number }
  | { kind: 'tooManyRows'; rows: number }
  | { kind: 'tooManyColumns'; columns: number }
  | { kind: 'quotes'; line: number };

export type FileOutcome = { file: ReadFile } | { problem: FileProblem };

/** Rounds up, so that a file slightly over the limit does not appear to be within the limit. */
export function shownMegabytes(bytes: number): number {
  return Math.ceil((bytes / MB) * 10) / 10;
}

/** Checked before the file is read. */
export function sizeProblem(bytes: number): FileProblem | undefined {
  if (bytes <= MAX_FILE_MB * MB) return undefined;
  return { kind: 'tooLarge', megabytes: shownMegabytes(bytes) };
}

export function readBytes(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  language: string,
): FileOutcome {
  const decoded = decode(bytes, language);
  if ('problem' in decoded) return { problem: { kind: decoded.problem } };
  const outcome = readText(name, decoded.text);
  if ('problem' in outcome) return outcome;
  return { file: { ...outcome.file, encoding: decoded.encoding } };
}

export function readText(name: string, text: string): FileOutcome {
  try {
    return rowsOf(name, text);
  } catch (error) {
    if (!(error instanceof QuoteFault)) throw error;
    return { problem: { kind: 'quotes', line: error.line } };
  }
}

/** Counts rows beyond the limit for the error message, without keeping them. */
function rowsOf(name: string, text: string): FileOutcome {
  const hint = readHint(text);
  const delimiter = hint?.delimiter ?? guessDelimiter(text);
  const rows: FileRow[] = [];
  let total = 0;
  let width = 0;
  for (const row of readRows(text, delimiter, MAX_COLUMNS, hint?.length)) {
    if (row.width === 0) continue;
    if (row.width > MAX_COLUMNS) {
      return { problem: { kind: 'tooManyColumns', columns: row.width } };
    }
    total++;
    width = Math.max(width, row.width);
    // Keeps one extra row because the first may be headings.
    if (total <= MAX_IMPORT_ROWS + 1) rows.push({ number: row.number, cells: row.cells });
  }
  if (total === 0) return { problem: { kind: 'empty' } };
  const hasHeadings = rows[0]?.cells.some((cell) => fieldNamed(cell) !== null) ?? false;
  if (total > MAX_IMPORT_ROWS + 1) {
    return { problem: { kind: 'tooManyRows', rows: hasHeadings ? total - 1 : total } };
  }
  const hasLostLetters = text.includes('\ufffd');
  return {
    file: { name, delimiter, encoding: 'UTF-8', rows, width, hasHeadings, hasLostLetters },
  };
}
