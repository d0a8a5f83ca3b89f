import { readCccam } from './cccam-file.ts';
import { fieldNamed, guessMapping } from './csv-columns.ts';
import { readTable, type Table, type TableLimits, type TableProblem } from './csv-table.ts';
import { QuoteFault, readHint } from './csv-text.ts';
import { type CodePage, type DecodedText, decode, type Encoding } from './decode.ts';
import type { FoundAccounts } from './found-line.ts';
import { readOscam } from './oscam-file.ts';

type LineFormat = 'cccam' | 'oscam' | 'csv';

/** Lines of a card server's own file, whose fields need no mapping. */
export interface ConfigurationFile extends FoundAccounts {
  format: 'cccam' | 'oscam';
  encoding: Encoding;
  hasLostLetters: boolean;
}

export interface TableFile extends Table {
  format: 'csv';
  encoding: Encoding;
}
export type LinesFile = ConfigurationFile | TableFile;

export type FileProblem =
  | { kind: 'workbook' | 'notText' | 'longLine' }
  | { kind: 'quotes'; line: number }
  | { kind: 'otherForm'; form: OtherForm }
  /** The file has this format, but no accounts. */
  | { kind: 'noLines'; format: 'cccam' | 'oscam' }
  | TableProblem;

export interface FileOptions {
  codePage?: CodePage | undefined;
  limits?: TableLimits;
}

/** Limits that are never reached, for a file whose columns are all compared with each other. */
const noLimits: TableLimits = { rows: Number.POSITIVE_INFINITY, columns: 1000 };

/** True if the first row has the names of columns that every table of lines has. */
function namesColumns(text: string): boolean {
  const [first = ''] = text
    .slice(readHint(text)?.length)
    .trimStart()
    .split(/[\r\n]/, 1);
  const fields = first.split(/[;,\t|]/).map((heading) => fieldNamed(heading.slice(0, 200)));
  return fields.includes('username') && fields.includes('password');
}

export function guessFormat(text: string): LineFormat {
  // Notes of a CSV may contain rows in other formats.
  if (namesColumns(text)) return 'csv';
  if (/^[ \t]*\[account\][ \t\r]*$/im.test(text)) return 'oscam';
  return /^[ \t]*(?:[#;][ \t]*)?F[ \t]*:[ \t]*[^\s;,]/im.test(text) ? 'cccam' : 'csv';
}

/** Formats in which other panels and card servers store or show their users, by the beginning of a file. */
const otherForms = [
  ['HTML', /^<(?:!doctype html|html|head|body|table)[\s>]/i],
  ['XML', /^<(?:\?xml|!doctype|[a-z][\w:.-]{0,100}[\s/>][\s\S]*<\/|[a-z][^>]{0,1000}\/>)/i],
  ['JSON', /^(?:\[\s*[{["]|\{\s*["}])/],
  [
    'SQL',
    /^(?:-- [^\n]*(?:dump|sql)|\/\*!|(?:create|drop)\s+(?:table|database)|insert\s+into|set\s+names)/i,
  ],
] as const;
type OtherForm = (typeof otherForms)[number][0];

/** Reads the lines of a file, whose format is guessed. Decision 0152: facts that only a person knows are asked for, never guessed. */
export function readLinesFile(
  bytes: Uint8Array,
  { codePage, limits = noLimits }: FileOptions = {},
): { file: LinesFile } | { problem: FileProblem } {
  const decoded = decode(bytes, codePage);
  if ('problem' in decoded) return { problem: { kind: decoded.problem } };
  const format = guessFormat(decoded.text);
  if (format === 'csv') return readCsv(decoded, limits);
  const { text, encoding } = decoded;
  const found = format === 'cccam' ? readCccam(decoded) : readOscam(decoded);
  const { lines, switchedOff, switchedOffRows } = found;
  if (lines.length + switchedOffRows.length === 0) return { problem: { kind: 'noLines', format } };
  const count = lines.length + switchedOff.length;
  if (count > limits.rows) return { problem: { kind: 'tooManyRows', rows: count } };
  return { file: { format, encoding, hasLostLetters: text.includes('\ufffd'), ...found } };
}

function readCsv(
  decoded: DecodedText,
  limits: TableLimits,
): { file: TableFile } | { problem: FileProblem } {
  const start = decoded.text.slice(0, 2000).trimStart();
  const [form] = otherForms.find(([, pattern]) => pattern.test(start)) ?? [];
  if (form) return { problem: { kind: 'otherForm', form } };
  try {
    const read = readTable(decoded, limits);
    if ('problem' in read) return read;
    return { file: { ...read.table, format: 'csv', encoding: decoded.encoding } };
  } catch (error) {
    if (!(error instanceof QuoteFault)) throw error;
    return { problem: { kind: 'quotes', line: error.line } };
  }
}

/** Guesses the field of each column of a table by its heading. Without headings, no column has one. */
export function mappingOf({ headings, columns }: Table) {
  return guessMapping(Array.from({ length: columns }, (_, column) => headings[column] ?? ''));
}
