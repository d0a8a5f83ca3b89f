import { MAX_IMPORT_ROWS } from '@linekeeper/contract/lines/import-limits.ts';
import type { CodePage } from '@linekeeper/line-files/decode.ts';
import {
  type LinesFile,
  readLinesFile,
  type FileProblem as UnreadableFile,
} from '@linekeeper/line-files/read-file.ts';
import { type AccountsFile, accountsOf } from './read-accounts.ts';

/**
 * The maximum size of a file in MB: enough for the maximum number of rows, so a larger file is probably not a list of
 * lines.
 */
export const MAX_FILE_MB = 10;
/**
 * The maximum number of columns of a file. Each is a row in the table in which fields are assigned, and a line has
 * fewer than thirty fields.
 */
export const MAX_COLUMNS = 100;
export const MB = 1024 * 1024;

/** Names of files are the same in every language. */
export const fileNames = { cccam: 'CCcam.cfg', oscam: 'oscam.user' };

export type ReadFile = LinesFile & {
  name: string;
  /** The accounts of the file; null if it is a file of lines. */
  accounts: AccountsFile | null;
};

/** The reason a file cannot be used, with the numbers for its message. */
export type FileProblem =
  | { kind: 'unreadable' }
  | { kind: 'tooLarge'; megabytes: number }
  | UnreadableFile;

export type FileOutcome = { file: ReadFile } | { problem: FileProblem };

/** Rounds up, so that a file slightly over the limit is not shown as equal to it. */
export function shownMegabytes(bytes: number): number {
  return Math.ceil((bytes / MB) * 10) / 10;
}

/** The problem of a file that is too large, found before it is read; undefined for any other. */
export function sizeProblem(bytes: number): FileProblem | undefined {
  if (bytes <= MAX_FILE_MB * MB) return undefined;
  return { kind: 'tooLarge', megabytes: shownMegabytes(bytes) };
}

/**
 * The code page of a file without other evidence: the one in which spreadsheets save files in the reader's language.
 */
function codePageOf(language: string): CodePage {
  return language === 'pl' ? 'Windows-1250' : 'Windows-1252';
}

export function readBytes(name: string, bytes: Uint8Array, language: string): FileOutcome {
  const limits = { rows: MAX_IMPORT_ROWS, columns: MAX_COLUMNS };
  const read = readLinesFile(bytes, { codePage: codePageOf(language), limits });
  if ('problem' in read) return read;
  const accounts = read.file.format === 'csv' ? accountsOf(read.file) : null;
  return { file: { ...read.file, name, accounts } };
}
