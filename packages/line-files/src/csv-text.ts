interface CsvRow {
  /** Row number as a spreadsheet shows it: from 1, empty rows included. */
  number: number;
  /** Cells up to the last one with content, but no more than the caller requested. */
  cells: string[];
  /** Position of the last cell with content, even if not kept in `cells`; 0 for an empty row. */
  width: number;
  /** Number of all cells, including empty ones at the end. */
  count: number;
  from: number;
  to: number;
}

/** A quoted cell is not closed, or more text follows its closing quote. */
export class QuoteFault extends Error {
  /** Line of the text as an editor counts it, from 1. */
  readonly line: number;
  /** Position of the cell in its row, from 1. */
  readonly column: number;

  constructor(line: number, column: number) {
    super(`The quotes in line ${line} do not match`);
    this.line = line;
    this.column = column;
  }
}

/**
 * Yields the rows of a CSV text one by one, so that the caller can stop early and unwanted rows
 * take no memory. Accepts any line endings, also mixed. Throws QuoteFault. No library is used,
 * because libraries read an unclosed quote as one cell up to the end of the file.
 */
export function* readRows(
  text: string,
  delimiter: string,
  maxCells: number,
  start = 0,
): Generator<CsvRow> {
  const cellEnd = new RegExp(`[${delimiter.replace(/[\\\]^-]/, '\\$&')}\r\n]`, 'g');
  let at = start;
  for (let number = 1; at < text.length; number++) {
    const row: CsvRow = { number, cells: [], width: 0, count: 0, from: at, to: at };
    for (;;) {
      const isQuoted = text[at] === '"';
      const cell = isQuoted ? quotedCell(text, at, delimiter) : plainCell(text, at, cellEnd);
      if (!cell) throw new QuoteFault(lineAt(text, at), row.count + 1);
      at = cell.end;
      row.count++;
      if (cell.text.trim() !== '') row.width = row.count;
      if (row.count <= maxCells) row.cells.push(cell.text);
      if (text[at] !== delimiter) break;
      at++;
    }
    row.to = at;
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    row.cells.length = Math.min(row.width, row.cells.length);
    yield row;
  }
}

function plainCell(text: string, start: number, cellEnd: RegExp) {
  cellEnd.lastIndex = start;
  const end = cellEnd.exec(text)?.index ?? text.length;
  return { text: text.slice(start, end), end };
}

function quotedCell(text: string, start: number, delimiter: string) {
  let quote = text.indexOf('"', start + 1);
  // A doubled quote inside a quoted cell is one quote.
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  let end = quote + 1;
  while (text[end] === ' ' && delimiter !== ' ') end++;
  const next = text[end];
  const isClosed = next === undefined || next === delimiter || next === '\n' || next === '\r';
  if (quote === -1 || !isClosed) return undefined;
  return { text: text.slice(start + 1, quote).replaceAll('""', '"'), end };
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (const { index } of text.matchAll(/\r\n?|\n/g)) {
    if (index >= position) break;
    line++;
  }
  return line;
}

const LOOKED_AT_ROWS = 10;
const LOOKED_AT_LETTERS = 65_536;

/** The delimiter that splits most of the first rows into as many cells as the very first (two or more), or ','. */
export function guessDelimiter(text: string): string {
  const start = text.slice(0, LOOKED_AT_LETTERS);
  let best = { delimiter: ',', alike: 0, cells: 0 };
  for (const delimiter of [';', ',', '\t', '|']) {
    const counts = firstCounts(start, delimiter);
    const [cells = 0] = counts;
    const alike = counts.filter((count) => count === cells).length;
    const isBetter = alike > best.alike || (alike === best.alike && cells > best.cells);
    if (cells > 1 && isBetter) best = { delimiter, alike, cells };
  }
  return best.delimiter;
}

/** Number of cells in each of the first rows before broken quotes; in the very first row, its cells before them. */
function firstCounts(text: string, delimiter: string): number[] {
  const counts: number[] = [];
  try {
    for (const { width, count } of readRows(text, delimiter, 0)) {
      if (width > 0) counts.push(count);
      if (counts.length === LOOKED_AT_ROWS) break;
    }
  } catch (error) {
    if (!(error instanceof QuoteFault)) throw error;
    // The parser will report the error; here the sample may simply be incomplete.
    if (counts.length === 0) counts.push(error.column);
  }
  return counts;
}

const MOST_OF_HINT = 500;

/**
 * Reads a first line `sep=;`, which sets the delimiter for spreadsheets. Spreadsheets do not count this line as a row.
 */
export function readHint(text: string): { delimiter: string; length: number } | undefined {
  const [hint, delimiter] =
    /^"?sep=([^"\r\n])\1*"? *(?:\r\n?|\n|$)/i.exec(text.slice(0, MOST_OF_HINT)) ?? [];
  if (hint === undefined || delimiter === undefined) return undefined;
  return { delimiter, length: hint.length };
}
