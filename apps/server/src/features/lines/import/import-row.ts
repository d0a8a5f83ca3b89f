import { type Day, parseDay } from '@linekeeper/contract/dates.ts';
import { strict } from '@linekeeper/contract/fields/strict.ts';
import { isStateLabel, stateNamed } from '@linekeeper/contract/files/states.ts';
import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import {
  type NamedLine,
  type NewLine,
  namedLine,
  newLine,
} from '@linekeeper/contract/lines/lines.ts';
import { fieldProblems, type Issue, type Problem } from '@linekeeper/contract/problems.ts';

type Cells = Record<string, unknown>;

const yes = ['true', '1', 'yes'];
const no = ['false', '0', 'no'];

function asFlag(text: string): unknown {
  const word = text.trim().toLowerCase();
  return yes.includes(word) ? true : no.includes(word) ? false : text;
}

function asNumber(text: string): unknown {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : text;
}

function asList(text: string): string[] {
  return text
    .split(/[,|]/)
    .map((part) => part.trim())
    .filter(Boolean);
}

function asStatus(text: string): unknown {
  const labels = text.split('|').map((label) => label.trim());
  return labels.length === 1 ? labels[0] : labels.map((label) => ({ label }));
}

/** Converts text cells for fields that are not text. */
const readers: Record<string, (text: string) => unknown> = {
  is_trial: asFlag,
  subscription_months: asNumber,
  host_port: asList,
  status: asStatus,
};

/** Converts a text of a file for its field; undefined if it is empty. */
function readText(field: string, text: string): unknown {
  if (text.trim() === '') return undefined;
  return readers[field]?.(text) ?? text;
}

/** Converts a cell for its field; undefined if it is empty. */
function readCell(field: string, cell: unknown): unknown {
  if (cell === null) return undefined;
  return typeof cell === 'string' ? readText(field, unescapeFormula(cell)) : cell;
}

export interface RowProblem extends Problem {
  field: string;
}

/** Cells are validated like the body of a sale. */
const strictLine = strict(newLine);
const strictNamed = strict(namedLine);

/**
 * Columns that are not fields of a new line: `server` and `owner` name one, by its name and by email or
 * id; `owner_email` and `added_date` occur in the panel's own exports; `is_suspended` says that the
 * line did not run where it comes from.
 */
const otherColumns = [
  'server',
  'owner',
  'owner_email',
  'added_date',
  'is_suspended',
  'newcamd_ports',
  'des_key',
] as const;
type OtherColumn = (typeof otherColumns)[number];

/** The first unknown column: a misspelt one would otherwise be ignored silently. */
function unknownColumn(cells: Cells): RowProblem | null {
  const field = Object.keys(cells).find(
    (name) =>
      !Object.hasOwn(newLine.shape, name) && !otherColumns.some((column) => column === name),
  );
  return field === undefined ? null : { field, code: 'UNKNOWN_FIELD', data: {} };
}

function otherCell(cells: Cells, column: OtherColumn): unknown {
  return Object.hasOwn(cells, column) ? readCell(column, cells[column]) : undefined;
}

function otherText(cells: Cells, column: OtherColumn): string | null {
  const cell = otherCell(cells, column);
  return typeof cell === 'string' ? cell.trim() : null;
}

/** Cells that are not text must be refused: read as empty, they would select the default. */
function unreadableColumn(cells: Cells): RowProblem | null {
  const field = otherColumns.find((column) => {
    const cell = otherCell(cells, column);
    const isFlag = column === 'is_suspended' && typeof cell === 'boolean';
    return cell !== undefined && typeof cell !== 'string' && !isFlag;
  });
  return field === undefined ? null : { field, code: 'INVALID_VALUE', data: {} };
}

/** A parsed row; `server` is a server's name. */
export interface ReadRow {
  username: string;
  server: string | null;
  /** The account, and the column that names it. */
  owner: { named: string; field: 'owner' | 'owner_email' } | null;
  added_date: Day | null;
  is_suspended: boolean;
  line: NewLine | null;
  /** Fields that the row gives of an existing line, where it may extend one. */
  named: NamedLine | null;
  problem: RowProblem | null;
}

/** Allows for names that are too long, but not for characters that cannot be stored. */
function shownName(cell: unknown): string {
  if (typeof cell !== 'string') return '';
  return unescapeFormula(cell)
    .replace(/[\0\p{Cs}]/gu, '')
    .trim()
    .slice(0, 100);
}

/** Whether the row says that the line did not run at its source; null where the cell says neither. */
function readSuspended(cells: Cells): boolean | null {
  const flag = otherCell(cells, 'is_suspended') ?? false;
  const said = typeof flag === 'string' ? asFlag(flag) : flag;
  return typeof said === 'boolean' ? said : null;
}

/** "disabled" or "expired" as a label would be a running line that is called so. */
function isOffLabel(label: string): boolean {
  return isStateLabel(label) && stateNamed(label) !== 'on';
}

interface Status {
  /** The cell without the labels that say so; as it was where it is no text. */
  cell: unknown;
  isOff: boolean;
}

function readStatus({ status }: Cells): Status {
  if (typeof status !== 'string') return { cell: status, isOff: false };
  const labels = status.split('|').filter((label) => label.trim() !== '');
  const kept = labels.filter((label) => !isOffLabel(label));
  return { cell: kept.join('|'), isOff: kept.length < labels.length };
}

function readOwner(cells: Cells): ReadRow['owner'] {
  for (const field of ['owner', 'owner_email'] as const) {
    const named = otherText(cells, field);
    if (named) return { named, field };
  }
  return null;
}

type Parsed = ReturnType<typeof strictLine.safeParse> | ReturnType<typeof strictNamed.safeParse>;

function firstProblem({ error }: Parsed): RowProblem | null {
  const [found] = error ? fieldProblems(error.issues as readonly Issue[]) : [];
  return found ? { field: found[0], ...found[1] } : null;
}

export function readRow(row: Cells, mayExtend: boolean): ReadRow {
  const status = readStatus(row);
  const cells = Object.hasOwn(row, 'status') ? { ...row, status: status.cell } : row;
  const isSuspended = readSuspended(cells);
  const given = Object.fromEntries(
    Object.keys(newLine.shape).flatMap((field) => {
      const value = Object.hasOwn(cells, field) ? readCell(field, cells[field]) : undefined;
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const added = otherText(cells, 'added_date') ?? '';
  const added_date = parseDay(added);
  const unread = (field: string): RowProblem => ({ field, code: 'INVALID_VALUE', data: {} });
  const other =
    unreadableColumn(cells) ??
    unknownColumn(cells) ??
    (isSuspended === null ? unread('is_suspended') : null) ??
    (added !== '' && added_date === null ? unread('added_date') : null);
  const line = strictLine.safeParse(given);
  const named = mayExtend ? strictNamed.safeParse(given) : null;
  const { username = shownName(cells.username) } = named?.data ?? line.data ?? {};
  return {
    username,
    server: otherText(cells, 'server'),
    owner: readOwner(cells),
    added_date,
    is_suspended: isSuspended === true || status.isOff,
    line: other ? null : (line.data ?? null),
    named: other ? null : (named?.data ?? null),
    // Problems of any line come before those that only a new one has.
    problem: firstProblem(named ?? line) ?? other ?? firstProblem(line),
  };
}
