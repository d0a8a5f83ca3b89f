import type { Day } from '@linekeeper/contract/dates.ts';
import { lineDetailNames } from '@linekeeper/contract/fields/line-details.ts';
import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import type { Mapping } from './csv-columns.ts';
import type { Table, TableRow } from './csv-table.ts';
import { isZeroDay, namesNoDay, readDay } from './day-of-cell.ts';
import {
  type FileFault,
  isTooLong,
  type LineField,
  orFault,
  tooLong,
  UnreadableRow,
  usernameFault,
} from './faults.ts';
import {
  type AskedState,
  emptyLine,
  type FoundLine,
  isAscii,
  nameOfUnnamed,
  type StateField,
  stateFields,
  stateKey,
  type TextField,
  withFacts,
} from './found-line.ts';
import { withoutEnds } from './plain.ts';
import { answer, isRunning } from './states.ts';

/** Fields that a row may lack and still have the same meaning. */
const optionalFields: readonly LineField[] = [...lineDetailNames, 'added_date', 'host_port'];

/**
 * The fault of a row with too many or too few cells. An incomplete file ends within a password, within a day or before
 * an owner. Some exporters leave out empty cells at the end of a row, so a shorter row is refused only if a required
 * cell is missing, or if nothing, not even the end of a line, follows it.
 */
function lengthFault(table: Table, row: TableRow, mapping: Mapping): FileFault | null {
  const { headingCells, columns } = table;
  // Too many cells mean a separator within a cell, so that the cells behind it belong to other columns.
  if (row.count > headingCells) {
    return { field: '', code: 'TOO_MANY_CELLS', data: { cells: row.count, columns: headingCells } };
  }
  const missing = mapping.slice(row.count).filter((field) => field !== null);
  const isCut = row.isLast
    ? row.count < columns
    : missing.some((field) => !optionalFields.includes(field));
  return isCut ? { field: '', code: 'CUT_OFF', data: { cells: row.count, columns } } : null;
}

/** A cell such as ="00123", with which an exporter keeps a spreadsheet from reading a number. */
const GUARDED = /^=(?:"((?:[^"]|"")*)"|""([^"]*)"")$/;
/** Cells that a program changed to a number: 1,23457E+11 or 126.0, or sixteen digits, of which fifteen survive. */
const SPOILED = /^-?\d(?:[.,]\d+)?(?:E[+-]?|e\+)\d{1,3}$|^\d+[.,]0+$|^\d{15}0+$/;
const HASH =
  /^(?:\$(?:1|2[abxy]?|5|6|7|8|y|gy|md5|sha1|apr1|s?bcrypt\w*|scrypt|argon2\w*|pbkdf2[\w-]*|P|H|S)\$|(?:pbkdf2|bcrypt|scrypt|argon2|md5|sha|crypt|hasher)\w*[$:][^$:]*[$:]|\{(?:S?SHA\d*|S?MD5|CRYPT|BCRYPT|PBKDF2[\w-]*|ARGON2\w*|SHA\d*-CRYPT|BLF-CRYPT)\}|\*[\dA-F]{40}$)|^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i;

/** Signs that replace a password in the exports of other panels. */
const SIGNS = /^[*＊∗⁎✱]+$|[*＊∗⁎✱]{3,}|[•●∙⬤◦○▪■█⚫⋅]|^#{3,}$/u;
/** Words that replace a password, in the languages of these panels. */
const HIDDEN = [
  'hidden|masked|redacted|protected|encrypted|hashed|secret|not shown|no password',
  'versteckt|verborgen|ausgeblendet|gesch[üu]tzt|verschl[üu]sselt|geheim',
  'ukryt[aeyo]|zaszyfrowan[aey]',
  'ocult[oa]|escondid[oa]|protegid[oa]|criptografad[oa]|cifrad[oa]|encriptad[oa]',
  'cach[ée]e?|nascost[oa]|gizli',
].join('|');
/** The same words in brackets: "(hidden)" or "[Passwort verborgen]". */
const IN_BRACKETS = new RegExp(
  `^[([<{](?:(?:password|passwort|has[łl]o|senha|contrase[ñn]a)\\s+)?(?:${HIDDEN})[)\\]>}]$`,
  'iu',
);
const isMasked = (password: string) => SIGNS.test(password) || IN_BRACKETS.test(password);

const credentials: readonly (LineField | null)[] = ['username', 'password'];

/**
 * A cell without the guard of a spreadsheet. An apostrophe before a username or password is a guard in files of this
 * panel only; elsewhere it may be the first character.
 */
function unguarded(cell: string, field: LineField | null, isGuarded: boolean): string {
  const [, inner, doubled] = GUARDED.exec(cell.trim()) ?? [];
  if (doubled !== undefined) return doubled;
  if (inner !== undefined) return inner.replaceAll('""', '"');
  return credentials.includes(field) && !isGuarded ? cell : unescapeFormula(cell);
}

function credentialFault(
  { username, password }: Pick<FoundLine, 'username' | 'password'>,
  isForeign: boolean,
): FileFault | null {
  const fault = (field: LineField, code: FileFault['code']) => ({ field, code, data: {} });
  for (const [field, text] of Object.entries({ username, password }) as [LineField, string][]) {
    if (SPOILED.test(text)) return fault(field, 'NUMBER_SPOILED');
    if (text.startsWith("'")) return fault(field, 'NAME_GUARDED');
    if (isForeign && !isAscii(text)) return fault(field, 'FOREIGN_ENCODING');
  }
  if (HASH.test(password)) return fault('password', 'PASSWORD_HASH');
  if (isMasked(password.trim())) return fault('password', 'PASSWORD_MASKED');
  return usernameFault(username);
}

interface MappedCell {
  field: LineField;
  cell: string;
  column: number;
}

/** True for a database's word for no value. */
const isNoValue = (cell: string) => /^(?:NULL|\\N)$/.test(cell.trim());

const isStateField = (field: LineField): field is StateField =>
  stateFields.some((one) => one === field);

/** True if a cell below "disabled", "banned" or "deleted_at" leaves the line on; null if only a person can decide. */
function isLeftOn(cell: string, timeZone: string): boolean | null {
  if (cell.trim() === '' || isNoValue(cell) || isZeroDay(cell)) return true;
  const isOff = answer(cell);
  if (isOff !== null) return !isOff;
  // A cell with a day contains the day on which the line was switched off.
  return typeof orFault(() => readDay(cell, timeZone)) === 'string' ? false : null;
}

/**
 * The state by all columns of states, and the labels of a line, which this panel keeps in the
 * column "status". One column with "off" is enough.
 */
function statesOf(mapped: readonly MappedCell[], isOwnExport: boolean, timeZone: string) {
  let isSuspended: boolean | null = null;
  const labels: string[] = [];
  const asked = new Map<string, AskedState>();
  for (const { field, cell } of mapped) {
    if (!isStateField(field)) continue;
    const isOfLabels = isOwnExport && field === 'status';
    const values = (isOfLabels ? cell.split('|') : [cell]).map((value) => value.trim());
    for (const value of values.filter((one) => one !== '' || !isOfLabels)) {
      const runs = field === 'disabled' ? isLeftOn(value, timeZone) : isRunning(value);
      if (runs !== null) isSuspended = isSuspended === true || !runs;
      else asked.set(stateKey({ field, value }), { field, value });
      if (runs === null && isOfLabels) labels.push(value);
    }
  }
  return { isSuspended, asked: [...asked.values()], labels };
}

/** The day on which a line was added, and true if the file has one that cannot be read. */
function addedOf(cell: string | undefined, timeZone: string) {
  if (cell === undefined) return { added: null, isAddedUnclear: false };
  const day = orFault(() => readDay(cell, timeZone, 'added_date'));
  const added = typeof day === 'string' ? day : null;
  return { added, isAddedUnclear: added === null && !namesNoDay(cell) };
}

/** Fields that are parsed separately and not copied as texts of a line. */
const read: readonly LineField[] = [
  ...['username', 'password', 'expiry_date', 'added_date'],
  ...stateFields,
] as readonly LineField[];

function textsOf(
  mapped: readonly MappedCell[],
  labels: readonly string[],
): Partial<Record<TextField, string>> {
  const texts: Partial<Record<TextField, string>> = {};
  for (const { field, cell } of mapped) {
    if (read.includes(field)) continue;
    const text = field === 'is_trial' ? String(answer(cell) ?? cell) : cell;
    // If several columns have notes, the first one with a text counts.
    texts[field as TextField] ??= text;
  }
  return labels.length > 0 ? { ...texts, status: labels.join('|') } : texts;
}

/** True for a sale by months or a trial, which needs no day. */
const isTimed = ({ subscription_months, is_trial }: FoundLine['texts']) =>
  subscription_months !== undefined || is_trial === 'true';

/** Words for "never"; an empty cell, 0 and NULL do not count. */
const SAYS_ENDLESS = /^(?:never|unlimited)$/i;

/**
 * The expiry date from all columns with one, any of which may be empty. Throws an UnreadableRow if two dates differ.
 */
function endOf(mapped: readonly MappedCell[], timeZone: string): Day | null {
  const cells = mapped.filter(({ field }) => field === 'expiry_date').map(({ cell }) => cell);
  const [day = null, ...others] = cells
    .map((cell) => readDay(cell, timeZone))
    .filter((one) => one !== null);
  const isEndless = cells.some((cell) => SAYS_ENDLESS.test(cell.trim()));
  if (others.some((other) => other !== day) || (day !== null && isEndless)) {
    throw new UnreadableRow('expiry_date', 'DAYS_SEVERAL');
  }
  return day;
}

/** The line in a row of a table, by the columns' fields; moments become days in `timeZone`. */
export function lineOfRow(
  table: Table,
  row: TableRow,
  mapping: Mapping,
  timeZone: string,
): FoundLine {
  const { isOwnExport, isGuarded, headings } = table;
  if (row.cells.some(isTooLong)) {
    const username = row.cells[mapping.indexOf('username')] ?? '';
    return { ...emptyLine, number: row.number, username, password: '', fault: tooLong };
  }
  const cellOf = (column: number) =>
    unguarded(row.cells[column] ?? '', mapping[column] ?? null, isGuarded);
  const mapped = mapping.flatMap((field, column) => {
    const cell = cellOf(column);
    if (field === null) return [];
    const isStated = isStateField(field) || (cell.trim() !== '' && !isNoValue(cell));
    return isStated ? [{ field, cell, column }] : [];
  });
  const firstOf = (field: LineField) => mapped.find((one) => one.field === field);
  const notTaken = mapping.flatMap((field, column) => {
    const cell = cellOf(column).trim();
    const heading = headings[column]?.trim() ?? '';
    const isTaken = field !== null && !(field === 'notes' && column !== firstOf(field)?.column);
    if (isTaken || !table.hasHeadings || cell === '' || isNoValue(cell)) return [];
    return [heading || nameOfUnnamed(column)];
  });
  const isUnwrapped = mapping.some(
    (field, column) => credentials.includes(field) && cellOf(column) !== (row.cells[column] ?? ''),
  );
  const { labels, ...states } = statesOf(mapped, isOwnExport, timeZone);
  const texts = textsOf(mapped, labels);
  const hasTerm = mapping.includes('expiry_date') || isTimed(texts);
  const line: FoundLine = {
    ...emptyLine,
    number: row.number,
    username: withoutEnds(firstOf('username')?.cell ?? '', ' \t\r\n'),
    password: firstOf('password')?.cell ?? '',
    texts,
    ...states,
    comment: hasTerm ? '' : (texts.notes ?? ''),
    notTaken,
    isUnwrapped,
  };
  const whole = lengthFault(table, row, mapping) ?? credentialFault(line, row.isForeign);
  if (whole) return { ...line, fault: whole };
  return withFacts(line, () => {
    const expiry = endOf(mapped, timeZone);
    if (expiry !== null && texts.subscription_months !== undefined) {
      throw new UnreadableRow('subscription_months', 'MONTHS_AND_DAY');
    }
    return { expiry, ...addedOf(firstOf('added_date')?.cell, timeZone) };
  });
}
