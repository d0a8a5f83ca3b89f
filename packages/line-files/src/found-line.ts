import type { Day } from '@linekeeper/contract/dates.ts';
import {
  bytesOf,
  cutToBytes,
  MAX_CCCAM_NAME_BYTES,
} from '@linekeeper/contract/fields/line-credentials.ts';
import { type FileFault, type LineField, orFault } from './faults.ts';

/** Fields that are read as text, unchanged. */
export type TextField = Exclude<
  LineField,
  'username' | 'password' | 'expiry_date' | 'added_date' | 'enabled' | 'disabled'
>;

/** Options of an F line after name and password, none of which the panel keeps. */
export const friendOptions = [
  'hops',
  'rights',
  'shareLimits',
  'channelLimits',
  'timeSlots',
  'hosts',
] as const;
export type FriendOption = (typeof friendOptions)[number];

/** Columns that may contain the state of a line. */
export const stateFields = ['enabled', 'disabled', 'status'] as const satisfies LineField[];
export type StateField = (typeof stateFields)[number];

export interface AskedState {
  field: StateField;
  value: string;
}

/**
 * The key of a choice, with its column, because a mark such as x means the opposite in a column for lines that are off.
 */
export const stateKey = ({ field, value }: AskedState) => `${field}: ${value.toLowerCase()}`;

/** A line in a file; facts that the file does not contain are absent or null. */
export interface FoundLine {
  /** The number of the row as a spreadsheet counts it, or of the line in a configuration file. */
  number: number;
  username: string;
  password: string;
  /** The expiry date; null if the line never expires, or if the file has no date. */
  expiry: Day | null;
  added: Day | null;
  /** True if the file has an impossible date for the day on which the line was added. */
  isAddedUnclear: boolean;
  /** True if the line is suspended; null if the file has no state, which means that it is not. */
  isSuspended: boolean | null;
  texts: Readonly<Partial<Record<TextField, string>>>;
  /** Values of its states that only a person can explain. */
  asked: readonly AskedState[];
  /** The text that may contain the expiry date; empty if the file has a field for it. */
  comment: string;
  /** True if a person chose not to import the line. */
  isLeftOut: boolean;
  fault: FileFault | null;
  /** Settings of the line that the panel does not keep: keys, or kinds of options of an F line. */
  notTaken: readonly string[];
  /** True if a spreadsheet's guard was removed from username or password. */
  isUnwrapped: boolean;
}

export const emptyLine = {
  expiry: null,
  added: null,
  isAddedUnclear: false,
  isSuspended: null,
  texts: {},
  asked: [],
  comment: '',
  isLeftOut: false,
  fault: null,
  notTaken: [],
  isUnwrapped: false,
} as const satisfies Partial<FoundLine>;

export interface FoundAccounts {
  lines: FoundLine[];
  /** Lines that are commented out in the file, as suspended lines; an oscam.user has none. */
  switchedOff: FoundLine[];
  /** Numbers of the rows that are commented out. */
  switchedOffRows: number[];
}

/** The line with the facts from `read`, or refused with the UnreadableRow that it throws. */
export function withFacts(line: FoundLine, read: () => Partial<FoundLine>): FoundLine {
  const facts = orFault(read);
  return 'code' in facts ? { ...line, fault: facts } : { ...line, ...facts };
}

/** A name for a column without a heading, in the list of columns that are not read; the page translates it. */
export const nameOfUnnamed = (column: number) => `column ${column + 1} (no heading)`;

/** The number of a column without a heading, from 1; null if the text is a heading. */
export function numberOfUnnamed(text: string): number | null {
  const number = /^column (\d+) \(no heading\)$/.exec(text)?.[1];
  return number === undefined ? null : Number(number);
}

const NOT_ASCII = /[^\0-\x7f]/;

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/**
 * Groups of rows whose usernames have the same bytes in the part that a CCcam client sends, for names on one server.
 */
function rowsAlike(lines: readonly FoundLine[]): number[][] {
  const long = lines.filter(({ username }) => bytesOf(username) >= MAX_CCCAM_NAME_BYTES);
  const groups = Map.groupBy(long, ({ username, texts: { server = '' } }) => {
    return `${server.trim().toLowerCase()}\n${cutToBytes(username, MAX_CCCAM_NAME_BYTES)}`;
  });
  const areDifferent = (group: FoundLine[]) =>
    new Set(group.map(({ username }) => username)).size > 1;
  return [...groups.values()]
    .filter(areDifferent)
    .map((group) => group.map(({ number }) => number));
}

function countAsked(lines: readonly FoundLine[]) {
  const groups = Map.groupBy(
    lines.flatMap(({ asked }) => asked),
    stateKey,
  );
  return [...groups.values()].flatMap((states) => {
    return states.slice(-1).map((state) => ({ ...state, count: states.length }));
  });
}

/** Facts to show before the import. Rows that are refused for more than a missing choice are not counted. */
export function summarise(lines: readonly FoundLine[]) {
  const sound = lines.filter(({ fault, isLeftOut }) => {
    return (!fault || /_WITHOUT_CHOICE$/.test(fault.code)) && !isLeftOut;
  });
  const kinds = Map.groupBy(
    sound.flatMap(({ notTaken }) => [...new Set(notTaken)]),
    (kind) => kind,
  );
  const rows = (isListed: (line: FoundLine) => boolean) =>
    sound.filter(isListed).map(({ number }) => number);
  return {
    /** Values of states that need a choice, with the number of rows that have each. */
    asked: countAsked(lines),
    /** Settings that are not kept, with the number of lines that have each. */
    notTaken: [...kinds].map(([kind, { length }]) => ({ kind, count: length })),
    /** Rows with letters outside ASCII, for which receivers may send other bytes. */
    notAscii: rows(({ username, password }) => !isAscii(username + password)),
    unwrapped: rows(({ isUnwrapped }) => isUnwrapped),
    addedUnclear: rows(({ isAddedUnclear }) => isAddedUnclear),
    endless: rows(({ expiry, fault }) => expiry === null && fault?.code !== 'DATE_WITHOUT_CHOICE'),
    /**
     * Rows with a username that CCcam clients do not send whole, and groups of rows for which clients send the same
     * bytes. A sale of such a name on a CCcam server is refused. If a card server already has the name, it is adopted
     * with a warning.
     */
    namesCut: rows(({ username }) => bytesOf(username) > MAX_CCCAM_NAME_BYTES),
    namesAlike: rowsAlike(sound),
  };
}

/**
 * The lines with a fault for every second line with one name, even if the first is refused, because it is unclear which
 * of them the customer uses.
 */
export function refuseDuplicates(lines: readonly FoundLine[]): FoundLine[] {
  const rows = new Map<string, number>();
  return lines.map((line) => {
    const name = line.username.trim().normalize('NFC');
    const row = rows.get(name);
    if (name === '' || line.isLeftOut) return line;
    if (row === undefined) {
      rows.set(name, line.number);
      return line;
    }
    return { ...line, fault: { field: 'username', code: 'NAME_TWICE', data: { row } } };
  });
}
