/** TextDecoder's type. It exists in browsers and in Node, but this package has the types of neither. */
declare const TextDecoder: new (
  encoding: string,
  options: { fatal: boolean; ignoreBOM?: boolean },
) => { decode(bytes: Uint8Array): string };

export type CodePage = 'Windows-1250' | 'Windows-1252';
export type Encoding = 'UTF-8' | 'UTF-16' | CodePage;

export interface DecodedText {
  text: string;
  encoding: Encoding;
  /** True if the file begins with the byte order mark of UTF-8, which the text no longer has. */
  hasMark: boolean;
  /** True if this part of the text has letters in another encoding than the rest of the file. */
  isForeign(from: number, to: number): boolean;
}
type Decoded = DecodedText | { problem: 'workbook' | 'notText' | 'longLine' };

/** First bytes of spreadsheet files: .xlsx and .ods are ZIP files, .xls is an OLE container. */
const workbookStarts = ['PK\x03\x04', '\xd0\xcf\x11\xe0'];

/** Control characters never occur in text, so a file with them has another type or encoding. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const controls = /[\0-\x08\x0e-\x1f\x7f-\x9f]/;

function tryDecoding(bytes: Uint8Array, encoding: string, ignoreBOM = false): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isText(text: string | undefined): text is string {
  return text !== undefined && !text.includes('\0');
}

const whole = (text: string, encoding: Encoding, hasMark = false): Decoded => ({
  text,
  encoding,
  hasMark,
  isForeign: () => false,
});

/** Bytes of a line, at most: far more than any row has, so that a file without line ends is not split. */
const LONGEST_LINE_BYTES = 8 * 1024 * 1024;

function hasLongLine(bytes: Uint8Array): boolean {
  for (let from = 0; bytes.length - from > LONGEST_LINE_BYTES; ) {
    const next = bytes.subarray(from, from + LONGEST_LINE_BYTES + 1);
    const end = Math.max(next.lastIndexOf(LINE_FEED), next.lastIndexOf(CARRIAGE_RETURN));
    if (end < 0) return true;
    from += end + 1;
  }
  return false;
}

/**
 * Decodes a file as UTF-8, then as UTF-16 by its byte order mark, then by a Windows code page, which spreadsheets use.
 * If some rows are UTF-8 and others are not, each row is decoded separately: card servers keep bytes, and one row from
 * an old editor does not affect the passwords of the others.
 */
export function decode(bytes: Uint8Array, codePage: CodePage = 'Windows-1252'): Decoded {
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  if (workbookStarts.includes(start)) return { problem: 'workbook' };
  if (hasLongLine(bytes)) return { problem: 'longLine' };
  const byteOrder = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[start.slice(0, 2)];
  if (byteOrder) {
    const text = tryDecoding(bytes, byteOrder);
    return isText(text) ? whole(text, 'UTF-16') : { problem: 'notText' };
  }
  const text = tryDecoding(bytes, 'utf-8');
  if (text !== undefined)
    return isText(text) ? whole(text, 'UTF-8', startsWithMark(bytes)) : { problem: 'notText' };
  return decodeRows(bytes, codePage);
}

/** Decodes each row. Any bytes decode to letters in a code page; only control characters reveal a binary file. */
function decodeRows(bytes: Uint8Array, codePage: CodePage): Decoded {
  const read = rowsOf(bytes).map((row) => {
    const text = tryDecoding(row, 'utf-8', true);
    const isForeign = text === undefined;
    return { text: text ?? tryDecoding(row, codePage) ?? '\0', isForeign };
  });
  if (read.some(({ text, isForeign }) => isForeign && controls.test(text))) {
    return { problem: 'notText' };
  }
  const text = read.map((row) => row.text).join('');
  if (!isText(text)) return { problem: 'notText' };
  const isMixed = read.some((row) => !row.isForeign && /[^\0-\x7f]/.test(row.text));
  if (!isMixed) return whole(text, codePage, startsWithMark(bytes));
  /** Holds 1 for each letter that is in a row of the code page, and otherwise 0. */
  const foreign = new Uint8Array(text.length);
  let at = 0;
  for (const row of read) {
    if (row.isForeign) foreign.fill(1, at, at + row.text.length);
    at += row.text.length;
  }
  const isForeign = (from: number, to: number) => foreign.subarray(from, to).includes(1);
  return { text, encoding: 'UTF-8', hasMark: startsWithMark(bytes), isForeign };
}

const startsWithMark = (bytes: Uint8Array) =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The rows of a file, each with its line feed. A byte order mark belongs to no row. */
function rowsOf(bytes: Uint8Array): Uint8Array[] {
  const rows: Uint8Array[] = [];
  for (let from = startsWithMark(bytes) ? 3 : 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    const to = end < 0 ? bytes.length : end + 1;
    rows.push(bytes.subarray(from, to));
    from = to;
  }
  return rows;
}

export interface TextRow {
  /** The number of the row as an editor counts it, from 1. */
  number: number;
  text: string;
  /** True if the row is in another encoding than the rest of the file. */
  isForeign: boolean;
}

/** The rows of a configuration file, without their ends. */
export function textRows({ text, isForeign }: DecodedText): TextRow[] {
  let from = 0;
  return text.split('\n').map((row, index) => {
    const to = from + row.length;
    let end = row.length;
    while (row[end - 1] === '\r') end--;
    const found = { number: index + 1, text: row.slice(0, end), isForeign: isForeign(from, to) };
    from = to + 1;
    return found;
  });
}
