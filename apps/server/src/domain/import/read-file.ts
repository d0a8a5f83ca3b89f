import type { Day } from '@linekeeper/contract/dates.ts';
import { noChoices, withChoices } from '@linekeeper/line-files/choices.ts';
import { lineOfRow } from '@linekeeper/line-files/csv-line.ts';
import { readTable } from '@linekeeper/line-files/csv-table.ts';
import { QuoteFault } from '@linekeeper/line-files/csv-text.ts';
import { type CodePage, codePages, decode } from '@linekeeper/line-files/decode.ts';
import { type FoundLine, isAscii } from '@linekeeper/line-files/found-line.ts';
import {
  type FileProblem,
  guessFormat,
  lineFormats,
  mappingOf,
  noLimits,
  readLinesFile,
  type TableFile,
} from '@linekeeper/line-files/read-file.ts';
import { type AccountsTable, holdsAccounts, readAccounts } from './accounts-file.ts';

export const formats = [...lineFormats, 'accounts'] as const;
export type Format = (typeof formats)[number];

/** Content of a file. */
export type FoundFile =
  | {
      kind: 'lines';
      format: string;
      rows: FoundLine[];
      /** Lines that a comment sign switches off; the rows of all that are switched off so. */
      switchedOff: FoundLine[];
      switchedOffRows: number[];
      encoding: string;
    }
  | ({ kind: 'accounts'; format: string } & AccountsTable);

export interface FileQuestions {
  format: Format | null;
  codePage: CodePage | undefined;
  timeZone: string;
  today: Day;
}

function sentence(problem: FileProblem): string {
  switch (problem.kind) {
    case 'quotes':
      return `The quotes in line ${problem.line} do not match. Nothing was read`;
    case 'empty':
      return 'The file is empty';
    case 'noLines':
      return `No lines were found when reading the file as ${a[problem.format]}. --format names another format`;
    case 'unmarked':
      return 'The file is UTF-16 without a byte order mark: save it as UTF-8';
    case 'otherForm':
      return `The file is ${problem.form}, which cannot be read. Export the users as CSV with the names of the columns in the first row, username and password among them`;
    case 'tooManyColumns':
      return `The file has ${problem.columns} columns; at most ${noLimits.columns} can be read`;
    case 'longLine':
      return 'The file has a line of more than 8 MB, so it cannot be a list of lines';
    case 'workbook':
      return 'The file is a workbook: save it as CSV and use that file';
    default:
      return 'The file is not a text file';
  }
}

const spoken = { cccam: 'CCcam.cfg', oscam: 'oscam.user', csv: 'CSV of lines' } as const;
const a = { cccam: 'a CCcam.cfg', oscam: 'an oscam.user' } as const;

const ONLY_HEADINGS = 'The file has headings but no rows below them';

/** Reads a file in the format, or in the one that it looks like. Throws a sentence where it cannot be read. */
export function readFoundFile(bytes: Uint8Array, asked: FileQuestions): FoundFile {
  const { format, codePage } = asked;
  if (format === 'accounts' || (format === null && looksLikeAccounts(bytes, codePage))) {
    return { kind: 'accounts', format: 'CSV of accounts', ...accountsOf(bytes, codePage) };
  }
  const read = readLinesFile(bytes, { format, codePage, hasHeadings: true });
  if ('problem' in read) throw new Error(sentence(read.problem));
  const { file } = read;
  const about = { kind: 'lines', format: spoken[file.format], encoding: file.encoding } as const;
  if (file.format !== 'csv') {
    const { lines, switchedOff, switchedOffRows } = file;
    return {
      ...about,
      rows: lines.map(chosen),
      switchedOff: switchedOff.map(chosen),
      switchedOffRows,
    };
  }
  const mapping = mappingOf(file);
  const missing = (['username', 'password'] as const).filter((field) => !mapping.includes(field));
  if (missing.length > 0) {
    const names = missing.join(' and ');
    throw new Error(`The first row names no column ${names}. Nothing was read${hint(file)}`);
  }
  if (file.rows.length === 0) throw new Error(ONLY_HEADINGS);
  const rows = file.rows.map((row) => chosen(lineOfRow(file, row, mapping, asked)));
  return { ...about, rows, switchedOff: [], switchedOffRows: [] };
}

/** The command asks nothing: it reads dates in comments as day-month-year, and refuses states that need a choice. */
const chosen = (line: FoundLine) => withChoices(line, { ...noChoices, dates: 'd-m-y' });

/** Headings in a code page may say something else in another one: "Has³o" is "Hasło". */
function hint({ encoding, headings, all: [first] }: TableFile): string {
  const isCodePage = encoding.startsWith('Windows') || first?.isForeign === true;
  if (!isCodePage || headings.every(isAscii)) return '';
  const names = codePages.map((name) => name.toLowerCase()).join(' or ');
  return `. Its headings are not UTF-8: name their encoding with --encoding ${names}`;
}

function looksLikeAccounts(bytes: Uint8Array, codePage: CodePage | undefined): boolean {
  const decoded = decode(bytes, codePage);
  if ('problem' in decoded || guessFormat(decoded.text) !== 'csv') return false;
  try {
    const read = readTable(decoded, noLimits, { hasHeadings: true });
    return 'table' in read && holdsAccounts(read.table.headings);
  } catch (error) {
    if (error instanceof QuoteFault) return false;
    throw error;
  }
}

function accountsOf(bytes: Uint8Array, codePage: CodePage | undefined): AccountsTable {
  const decoded = decode(bytes, codePage);
  if ('problem' in decoded) throw new Error(sentence({ kind: decoded.problem }));
  try {
    const accounts = readAccounts(decoded);
    if (accounts.rows.length === 0) throw new Error(ONLY_HEADINGS);
    return accounts;
  } catch (error) {
    if (!(error instanceof QuoteFault)) throw error;
    throw new Error(sentence({ kind: 'quotes', line: error.line }), { cause: error });
  }
}
