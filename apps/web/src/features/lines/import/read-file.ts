import papaparse from 'papaparse';
import { fieldNamed } from './import-fields.ts';

/** More than a thousand rows of any length take; a larger file is another kind of file. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;

export interface FileRow {
  /** As a spreadsheet counts it, from 1. */
  number: number;
  cells: string[];
}

export interface ReadFile {
  name: string;
  delimiter: string;
  rows: FileRow[];
  /** Whether the first row seems to name the columns. */
  hasHeadings: boolean;
}

/** UTF-8 where it is that, else what spreadsheets of western Europe save; UTF-16 says so itself. */
export function decode(bytes: Uint8Array<ArrayBuffer>): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export function readText(name: string, text: string): ReadFile {
  const { data, meta } = papaparse.parse<string[]>(text, {
    delimitersToGuess: [';', ',', '\t'],
  });
  const rows = data
    .map((cells, index) => ({ number: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const hasHeadings = rows[0]?.cells.some((cell) => fieldNamed(cell) !== null) ?? false;
  return { name, delimiter: meta.delimiter, rows, hasHeadings };
}

export async function readFile(file: File): Promise<ReadFile> {
  return readText(file.name, decode(new Uint8Array(await file.arrayBuffer())));
}

/**
 * A text as it is meant: our own files put an apostrophe before what a spreadsheet would take for a
 * formula. The panel takes it off itself when it imports; this is for showing.
 */
export function shownCell(text: string): string {
  return text.replace(/^'(?='*[=+\-@\t\r\0])/, '');
}
