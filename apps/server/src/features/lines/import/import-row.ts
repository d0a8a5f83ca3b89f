import { type Day, parseDay } from '@linekeeper/contract/dates.ts';
import { strict } from '@linekeeper/contract/fields/strict.ts';
import type { BulkRequest } from '@linekeeper/contract/lines/bulk.ts';
import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import type { StateChoice } from '@linekeeper/contract/lines/import-limits.ts';
import {
  type NamedLine,
  type NewLine,
  namedLine,
  newLine,
} from '@linekeeper/contract/lines/lines.ts';
import { fieldProblems, type Issue, type Problem } from '@linekeeper/contract/problems.ts';
import { dateInComment } from '@linekeeper/line-files/comment-date.ts';
import { orFault } from '@linekeeper/line-files/faults.ts';
import { isRunning } from '@linekeeper/line-files/states.ts';
import * as z from 'zod';

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

/** A price in hundredths; one with two decimals is one in whole units, as people write it. */
function asPrice(text: string): unknown {
  return asNumber(text.trim().replace(/^(\d+)[.,](\d\d)$/, '$1$2'));
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
  price_minor: asPrice,
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

/** Cells are validated like the body of a sale. A column that is misspelt would otherwise be ignored silently. */
const strictLine = strict(newLine);
const strictNamed = strict(namedLine);

/** A cell that is not text must be refused: read as empty, it would select the default. */
const cellText = z.string({ error: 'INVALID_VALUE' }).trim().optional();

/**
 * Columns that are not fields of a new line: `server` and `plan` contain a name, `plan` also an id,
 * and `owner` an email or id; `owner_email` and `added_date` occur in the panel's own exports;
 * `is_suspended` is true if the line was switched off in its previous panel.
 */
const otherCells = z.object({
  server: cellText,
  plan: cellText,
  owner: cellText,
  owner_email: cellText,
  added_date: cellText.refine(
    (text = '') => text === '' || parseDay(text) !== null,
    'INVALID_VALUE',
  ),
  is_suspended: z.union([z.string(), z.boolean()], { error: 'INVALID_VALUE' }).optional(),
  newcamd_ports: cellText,
  des_key: cellText,
});

/** A parsed row; `server` is a server's name. */
export interface ReadRow {
  /** The row's place in the file, from 1. */
  number: number;
  username: string;
  server: string | null;
  /** The plan's name or id. */
  plan: string | null;
  /** The account, and the column that names it. */
  owner: { named: string; field: 'owner' | 'owner_email' } | null;
  added_date: Day | null;
  is_suspended: boolean;
  /** True if the request leaves out rows with this state. */
  isLeftOut: boolean;
  line: NewLine | null;
  /** Fields of the row that name an existing line, if the row may renew one. */
  named: NamedLine | null;
  problem: RowProblem | null;
}

/** The name to show for a row. It may be too long, but has no characters that cannot be stored. */
function shownName(cell: unknown): string {
  if (typeof cell !== 'string') return '';
  return unescapeFormula(cell)
    .replace(/[\0\p{Cs}]/gu, '')
    .trim()
    .slice(0, 100);
}

type ImportRequest = Extract<BulkRequest, { action: 'import' }>;
/** The choices of the request about its rows. */
export type RowChoices = Pick<ImportRequest, 'existing' | 'states' | 'date_order'>;

/** The state of a row. A value that no choice explains is a problem, because a guess could switch on a line that was off. */
interface State {
  isOff: boolean;
  isLeftOut: boolean;
  problem: RowProblem | null;
  /** The labels of the row without those that mean that it is switched off; unchanged if it is not a text. */
  status: unknown;
}

function readState(cells: Cells, choices: RowChoices['states']): State {
  const chosen = new Map(
    Object.entries(choices).map(([text, choice]) => [plainState(text), choice]),
  );
  const state: State = { isOff: false, isLeftOut: false, problem: null, status: cells.status };
  const note = (field: string, text: string, choice: StateChoice | undefined) => {
    if (choice === 'off') state.isOff = true;
    if (choice === 'leave_out') state.isLeftOut = true;
    if (choice) return;
    const data = { text: text.trim().slice(0, 40) };
    state.problem ??= { field, code: 'STATE_WITHOUT_CHOICE', data };
  };
  const known = (isOn: boolean | null) => (isOn === null ? undefined : isOn ? 'on' : 'off');
  const flag = readCell('is_suspended', cells.is_suspended);
  const said = typeof flag === 'string' ? asFlag(flag) : (flag ?? false);
  if (typeof said === 'boolean') note('is_suspended', '', known(!said));
  if (typeof said === 'string') note('is_suspended', said, chosen.get(plainState(said)));
  if (typeof cells.status !== 'string') return state;
  // If another column has the state, labels have no further meaning.
  const stated = flag === undefined ? undefined : 'on';
  const labels = cells.status.split('|').filter((label) => label.trim() !== '');
  const kept = labels.filter((label) => {
    const choice = known(isRunning(label)) ?? chosen.get(plainState(label)) ?? stated;
    note('status', label, choice);
    return choice !== 'off';
  });
  return { ...state, status: kept.join('|') };
}

const plainState = (text: string) => text.trim().toLowerCase();

/** The expiry date in the notes of a row without a term; undefined if the notes have no date in this order. */
function readNotedDay(given: Cells, order: RowChoices['date_order']): Day | undefined {
  const { notes, expiry_date, subscription_months, is_trial } = given;
  const hasTerm = [expiry_date, subscription_months, is_trial || undefined].some(
    (term) => term !== undefined,
  );
  if (hasTerm || typeof notes !== 'string') return undefined;
  const day = orFault(() => dateInComment(notes, order));
  return typeof day === 'string' ? day : undefined;
}

function firstProblem(error: z.ZodError | undefined): RowProblem | null {
  const [found] = error ? fieldProblems(error.issues as readonly Issue[]) : [];
  return found ? { field: found[0], ...found[1] } : null;
}

export function readRow(
  row: Cells,
  number: number,
  { existing, states, date_order }: RowChoices,
): ReadRow {
  const { status, isOff, isLeftOut, problem: stateProblem } = readState(row, states);
  const cells = Object.entries({ ...row, ...(Object.hasOwn(row, 'status') && { status }) });
  const [others, fields] = [true, false].map((isOther) =>
    Object.fromEntries(
      cells
        .filter(([column]) => Object.hasOwn(otherCells.shape, column) === isOther)
        .map(([column, cell]) => [column, readCell(column, cell)]),
    ),
  ) as [Cells, Cells];
  const noted = readNotedDay(fields, date_order);
  if (noted !== undefined) fields.expiry_date = noted;
  const other = otherCells.safeParse(others);
  const line = strictLine.safeParse(fields);
  const named = existing === 'extend' ? strictNamed.safeParse(fields) : null;
  const { username = shownName(row.username) } = named?.data ?? line.data ?? {};
  const { server, plan, owner, owner_email, added_date } = other.data ?? {};
  const problem = firstProblem(other.error) ?? stateProblem;
  return {
    number,
    username,
    server: server || null,
    plan: plan || null,
    owner: owner
      ? { named: owner, field: 'owner' }
      : owner_email
        ? { named: owner_email, field: 'owner_email' }
        : null,
    added_date: parseDay(added_date ?? ''),
    is_suspended: isOff,
    isLeftOut,
    line: problem ? null : (line.data ?? null),
    named: problem ? null : (named?.data ?? null),
    // Problems that any line would have come before those of a new line only.
    problem: firstProblem((named ?? line).error) ?? problem ?? firstProblem(line.error),
  };
}
