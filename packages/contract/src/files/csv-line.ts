import type { Day } from '../dates.ts';
import { lineTextNames } from '../fields/line-texts.ts';
import { unescapeFormula } from '../lines/csv.ts';
import {
  fieldNamed,
  holdsBeginnings,
  holdsLastDays,
  isMomentOfEnd,
  type Mapping,
} from './csv-columns.ts';
import type { Table, TableRow } from './csv-table.ts';
import { namesNoDay, readDay } from './day-of-cell.ts';
import {
  type FileFault,
  isTooLong,
  type LineField,
  orFault,
  tooLong,
  UnreadableRow,
} from './faults.ts';
import { emptyLine, type FoundLine, isAscii, nameOfUnnamed, type TextField } from './found-line.ts';
import { refuseEndElsewhere, refuseOffInNotes } from './notes.ts';
import { withoutEnds } from './plain.ts';
import {
  answer,
  isNoValue,
  isOfCodes,
  isRunningBy,
  isStateLabel,
  meaningOfYes,
  stateNamed,
} from './states.ts';
import { usernameFault } from './username-fault.ts';

/** Facts that a file leaves open: the time zone of its moments, and the current day. */
export interface FileClock {
  timeZone: string;
  today: Day;
}

/** Fields that a row may lack without a change of its meaning. */
const optionalFields: readonly LineField[] = [...lineTextNames, 'added_date', 'host_port'];

/**
 * The fault of a row with too many or too few cells. A file that was cut off ends within a password, within a day or
 * before an owner. Some exporters leave out empty cells at the end of a row, so a shorter row is refused if one of
 * those is missing, or if nothing, not even the end of a line, follows it.
 */
function lengthFault(table: Table, row: TableRow, mapping: Mapping): FileFault | null {
  const { headingCells, columns } = table;
  // Too many cells mean a separator within a cell: the cells behind it belong to other columns.
  if (row.count > headingCells) {
    return { field: '', code: 'TOO_MANY_CELLS', data: { cells: row.count, columns: headingCells } };
  }
  const missing = mapping.slice(row.count).filter((field) => field !== null);
  const isCut = row.isLast
    ? row.count < columns
    : missing.some((field) => !optionalFields.includes(field));
  return isCut ? { field: '', code: 'CUT_OFF', data: { cells: row.count, columns } } : null;
}

/** A column that may say that lines are off, and that has no field yet. */
export function unknownState(
  { stateColumns, headings }: Table,
  mapping: Mapping,
): FileFault | null {
  const column = stateColumns.find((index) => mapping[index] === null);
  if (column === undefined) return null;
  const text = (headings[column] ?? '').trim().slice(0, 40);
  return text === ''
    ? { field: '', code: 'STATE_COLUMN_UNNAMED', data: { column: column + 1 } }
    : { field: '', code: 'STATE_COLUMN', data: { text } };
}

/** A cell such as ="00123", by which an exporter keeps a spreadsheet from reading a number. */
const GUARDED = /^=(?:"((?:[^"]|"")*)"|""([^"]*)"")$/;
/** Cells that a program changed to a number: 1,23457E+11 or 126.0, or sixteen digits, of which fifteen survive. */
const SPOILED = /^-?\d(?:[.,]\d+)?(?:E[+-]?|e\+)\d{1,3}$|^\d+[.,]0+$|^\d{15}0+$/;
const HASH =
  /^(?:\$(?:1|2[abxy]?|5|6|7|8|y|gy|md5|sha1|apr1|s?bcrypt\w*|scrypt|argon2\w*|pbkdf2[\w-]*|P|H|S)\$|(?:pbkdf2|bcrypt|scrypt|argon2|md5|sha|crypt|hasher)\w*[$:][^$:]*[$:]|\{(?:S?SHA\d*|S?MD5|CRYPT|BCRYPT|PBKDF2[\w-]*|ARGON2\w*|SHA\d*-CRYPT|BLF-CRYPT)\}|\*[\dA-F]{40}$)|^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i;

/** Placeholders for a password in other panels: stars, dots, "(hidden)". */
const MASK =
  /^[*＊∗⁎✱]+$|[*＊∗⁎✱]{3,}|[•●∙⬤◦○▪■█⚫⋅]|^#{3,}$|^[([<{](?:(?:password|passwort|has[łl]o|senha|contrase[ñn]a)\s+)?(?:hidden|masked|redacted|protected|encrypted|hashed|secret|not shown|no password|versteckt|verborgen|ausgeblendet|gesch[üu]tzt|verschl[üu]sselt|geheim|ukryt[aeyo]|zaszyfrowan[aey]|ocult[oa]|escondid[oa]|protegid[oa]|criptografad[oa]|cifrad[oa]|encriptad[oa]|cach[ée]e?|nascost[oa]|gizli)[)\]>}]$/iu;

const credentials: readonly (LineField | null)[] = ['username', 'password'];

/**
 * A cell without the guard of a spreadsheet. An apostrophe in front of a username or password is a guard in files of
 * this panel only; elsewhere it may be the first character.
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
  const fault = (field: 'username' | 'password', code: FileFault['code']) => ({
    field,
    code,
    data: {},
  });
  for (const [field, text] of [
    ['username', username],
    ['password', password],
  ] as const) {
    if (SPOILED.test(text)) return fault(field, 'NUMBER_SPOILED');
    if (text.startsWith("'")) return fault(field, 'NAME_GUARDED');
    if (isForeign && !isAscii(text)) return fault(field, 'FOREIGN_ENCODING');
  }
  if (HASH.test(password)) return fault('password', 'PASSWORD_HASH');
  if (MASK.test(password.trim())) return fault('password', 'PASSWORD_MASKED');
  return usernameFault(username);
}

interface MappedCell {
  field: LineField;
  heading: string;
  cell: string;
  column: number;
}

/** Whether a cell has a day or a moment, which counts as a yes. */
const isDay = (cell: string, { timeZone }: FileClock) =>
  typeof orFault(() => readDay(cell, timeZone)) === 'string';

function isOff(mapped: MappedCell, clock: FileClock): boolean {
  const { field, heading, cell } = mapped;
  const unknown = () => new UnreadableRow(field, 'STATE_UNKNOWN', { text: cell.trim() });
  if (field === 'disabled') {
    if (hasEnded(mapped)) return false;
    const isRunning = isRunningBy(cell);
    if (isRunning !== null) return !isRunning;
    // The words "never" and "-" are neither an answer nor a moment.
    if (namesNoDay(cell) && (isMomentOfEnd(heading) || /null|0/i.test(cell))) return false;
    if (isMomentOfEnd(heading) || isDay(cell, clock)) return true;
    throw unknown();
  }
  // An x is a tick; in a column for the state it may as well cross out.
  if (field === 'enabled' && /^x$/i.test(cell.trim())) return false;
  const state = isNoValue(cell) ? null : stateNamed(cell);
  if (state === null) throw unknown();
  return state === 'off';
}

/** Throws an UnreadableRow for an empty cell in a column whose other cells say more than no. */
function refuseUnticked(table: Table, row: TableRow, mapping: Mapping): void {
  const column = table.tickColumns.find((index) => {
    const field = mapping[index] ?? null;
    // A label of this panel's own may be empty.
    const isRequired = stateFields.includes(field) && !(field === 'status' && table.isOwnExport);
    return isRequired && (row.cells[index] ?? '').trim() === '';
  });
  const field = column === undefined ? null : mapping[column];
  if (field) throw new UnreadableRow(field, 'STATE_UNKNOWN', { text: '' });
}

/** Whether a cell says "expired", or yes below a heading for it. */
function hasEnded({ field, heading, cell }: MappedCell): boolean {
  const isEnded = stateNamed(cell) === 'ended';
  return field === 'disabled'
    ? meaningOfYes(heading) === 'ended' && (isEnded || answer(cell) === true)
    : isEnded;
}

/** Requires a past day of a line that has ended: without one, the line would start again. Throws an UnreadableRow. */
function refuseEndless(mapped: readonly MappedCell[], expiry: Day | null, clock: FileClock): void {
  const ended = mapped.find(hasEnded);
  if (!ended || (expiry !== null && expiry < clock.today)) return;
  const text = ended.field === 'disabled' ? ended.heading : ended.cell;
  throw new UnreadableRow(ended.field, 'STATE_ENDED', { text: text.trim() });
}

/** A file of this panel's own has labels of its own in the column "status". */
function isLabel({ field, cell }: MappedCell, isOwnExport: boolean): boolean {
  return field === 'status' && isOwnExport && !isStateLabel(cell);
}

/** Columns that have a word for every line at their source, so that an empty cell is an unknown state. */
const stateFields: readonly (LineField | null)[] = ['enabled', 'status'];
const states: readonly (LineField | null)[] = ['enabled', 'disabled', 'status'];
/** Fields that are not free texts of a line. */
const read: readonly LineField[] = [
  'username',
  'password',
  'expiry_date',
  'added_date',
  'enabled',
  'disabled',
];

/** The day of a cell; null if the cell has no clear day. */
function clearDay(cell: string | undefined, { timeZone }: FileClock): Day | null {
  if (cell === undefined) return null;
  const day = orFault(() => readDay(cell, timeZone, 'added_date'));
  return typeof day === 'string' ? day : null;
}

/** The day on which a line was added; none for an unreadable day or a day to come. */
function addedOf(cell: string | undefined, clock: FileClock) {
  const day = clearDay(cell, clock);
  const isClear = day !== null && day <= clock.today;
  const isNamed = cell !== undefined && !namesNoDay(cell);
  return { added: isClear ? day : null, isAddedUnclear: isNamed && !isClear };
}

/** Refuses a line that begins later, because it does not run at its source yet. Throws an UnreadableRow. */
function refuseLaterStart(headings: readonly string[], row: TableRow, clock: FileClock): void {
  for (const [column, heading] of headings.entries()) {
    if (!holdsBeginnings(heading)) continue;
    const day = clearDay(row.cells[column], clock);
    if (day !== null && day > clock.today) {
      throw new UnreadableRow('added_date', 'STARTS_LATER', { day });
    }
  }
}

function textsOf(
  mapped: readonly MappedCell[],
  isOwnExport: boolean,
): Partial<Record<TextField, string>> {
  const texts: Partial<Record<TextField, string>> = {};
  for (const one of mapped) {
    const { field, cell } = one;
    if (read.includes(field) || (field === 'status' && !isLabel(one, isOwnExport))) continue;
    const text = field === 'is_trial' ? String(answer(cell) ?? cell) : cell;
    // The first column of notes with a text wins.
    texts[field as TextField] ??= text;
  }
  return texts;
}

/** Fields with free text, in which people write facts that the file has no column for. */
const freeTexts: readonly LineField[] = ['notes', 'info', 'name', 'company'];

/** A sale by months or a trial needs no day. */
const isTimed = ({ subscription_months, is_trial }: FoundLine['texts']) =>
  subscription_months !== undefined || is_trial === 'true';

/** Applies facts from free texts if no column states them. Throws an UnreadableRow. */
function refuseByTexts(
  mapped: readonly MappedCell[],
  isOpen: boolean,
  mapping: Mapping,
  expiry: Day | null,
  today: Day,
): void {
  const isSaidByColumn = mapping.some((field) => states.includes(field));
  for (const { field, cell } of mapped) {
    if (!freeTexts.includes(field)) continue;
    if (!isSaidByColumn) refuseOffInNotes(cell, expiry, today);
    if (isOpen) refuseEndElsewhere(cell, today);
  }
}

/** Refuses a row without a last day that has a day below an unknown heading. Throws an UnreadableRow. */
function refuseUnknownDays(
  headings: readonly string[],
  row: TableRow,
  mapping: Mapping,
  clock: FileClock,
): void {
  for (const [column, field] of mapping.entries()) {
    const cell = row.cells[column]?.trim() ?? '';
    const holds = holdsLastDays(headings[column] ?? '');
    if (field !== null || holds === false || isNoValue(cell) || namesNoDay(cell)) continue;
    const isOne = holds === true || (/\d\D+\d/.test(cell) && isDay(cell, clock));
    if (isOne) throw new UnreadableRow('expiry_date', 'DAY_ELSEWHERE', { text: cell });
    if (/\p{L}/u.test(cell)) refuseEndElsewhere(cell, clock.today);
  }
}

/** Whether a cell has a person's word for "never"; an empty cell, 0 and NULL do not count. */
const SAYS_ENDLESS = /^(?:never|unlimited)$/i;

/**
 * The day of the columns that name the end, of which any may be empty. Throws an UnreadableRow if two days differ.
 */
function endOf(mapped: readonly MappedCell[], { timeZone }: FileClock): Day | null {
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

/** Refuses a second end below an unknown heading, such as "contract_end". Throws an UnreadableRow. */
function refuseOtherEnds(
  headings: readonly string[],
  row: TableRow,
  mapping: Mapping,
  expiry: Day,
  { timeZone }: FileClock,
): void {
  for (const [column, field] of mapping.entries()) {
    const heading = headings[column] ?? '';
    // A known heading without a field was left out by a person.
    const isKnown = field !== null || fieldNamed(heading) === 'expiry_date';
    if (isKnown || holdsLastDays(heading) !== true) continue;
    const day = orFault(() => readDay(row.cells[column] ?? '', timeZone));
    if (typeof day === 'string' && day !== expiry) {
      throw new UnreadableRow('expiry_date', 'DAYS_SEVERAL');
    }
  }
}

/**
 * Refuses a line of a code, which has no day until the code is redeemed: the line is in stock, and no customer has
 * it. Throws an UnreadableRow.
 */
function refuseCodes(headings: readonly string[], row: TableRow): void {
  const isOfCode = headings.some(
    (heading, column) => isOfCodes(heading) && answer(row.cells[column] ?? '') === true,
  );
  if (isOfCode) throw new UnreadableRow('expiry_date', 'CODE_NOT_REDEEMED');
}

/** The line that a row of a table names, by the columns' fields. */
export function lineOfRow(
  table: Table,
  row: TableRow,
  mapping: Mapping,
  clock: FileClock,
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
    const isStated = cell.trim() !== '' && (stateFields.includes(field) || !isNoValue(cell));
    const heading = headings[column] ?? '';
    return field !== null && isStated ? [{ field, cell, heading, column }] : [];
  });
  const firstOf = (field: LineField) => mapped.find((one) => one.field === field)?.cell;
  const username = withoutEnds(firstOf('username') ?? '', ' \t\r\n');
  const password = firstOf('password') ?? '';
  const notesColumn = mapped.find(({ field }) => field === 'notes')?.column;
  const notTaken = mapping.flatMap((field, column) => {
    const cell = cellOf(column).trim();
    const heading = headings[column]?.trim() ?? '';
    const isTaken = field !== null && !(field === 'notes' && column !== notesColumn);
    if (isTaken || !table.hasHeadings || cell === '' || isNoValue(cell)) return [];
    return [heading || nameOfUnnamed(column)];
  });
  const isUnwrapped = mapping.some(
    (field, column) => credentials.includes(field) && cellOf(column) !== (row.cells[column] ?? ''),
  );
  const line: FoundLine = {
    ...emptyLine,
    number: row.number,
    username,
    password,
    texts: textsOf(mapped, isOwnExport),
    notTaken,
    isUnwrapped,
  };
  const whole =
    unknownState(table, mapping) ??
    lengthFault(table, row, mapping) ??
    credentialFault(line, row.isForeign);
  if (whole) return { ...line, fault: whole };
  const rest = orFault(() => {
    const saysState = mapped.filter(
      (one) => states.includes(one.field) && !isLabel(one, isOwnExport),
    );
    refuseUnticked(table, row, mapping);
    const isSuspended =
      saysState.length > 0 ? saysState.map((one) => isOff(one, clock)).includes(true) : null;
    const expiry = endOf(mapped, clock);
    if (expiry !== null && firstOf('subscription_months') !== undefined) {
      throw new UnreadableRow('subscription_months', 'MONTHS_AND_DAY');
    }
    refuseLaterStart(headings, row, clock);
    refuseEndless(saysState, expiry, clock);
    if (!isOwnExport) {
      const isOpen = expiry === null && !isTimed(line.texts);
      refuseByTexts(mapped, isOpen, mapping, expiry, clock.today);
      if (isOpen) {
        refuseCodes(headings, row);
        refuseUnknownDays(headings, row, mapping, clock);
      }
      if (expiry !== null) refuseOtherEnds(headings, row, mapping, expiry, clock);
    }
    return { isSuspended, expiry, ...addedOf(firstOf('added_date'), clock) };
  });
  return 'code' in rest ? { ...line, fault: rest } : { ...line, ...rest };
}
