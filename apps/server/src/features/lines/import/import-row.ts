import { strict } from '@linekeeper/contract/fields/strict.ts';
import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import { type NewLine, newLine } from '@linekeeper/contract/lines/lines.ts';
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

/** Converts a cell for its field; undefined if it is empty. */
function readCell(field: string, cell: unknown): unknown {
  if (cell === null || cell === '') return undefined;
  if (typeof cell !== 'string') return cell;
  const text = unescapeFormula(cell);
  if (text.trim() === '') return undefined;
  return readers[field]?.(text) ?? text;
}

export interface RowProblem extends Problem {
  field: string;
}

/** Cells are validated like the body of a sale. */
const strictLine = strict(newLine);

/**
 * Columns that are not fields of a new line: `server` names one; the others occur in the panel's
 * own exports, and the panel decides their values.
 */
const otherColumns = ['server', 'added_date', 'owner_email', 'newcamd_ports', 'des_key'] as const;
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
    return cell !== undefined && typeof cell !== 'string';
  });
  return field === undefined ? null : { field, code: 'INVALID_VALUE', data: {} };
}

/** A parsed row; `server` is a server's name. */
export interface ReadRow {
  username: string;
  server: string | null;
  owner_email: string | null;
  line: NewLine | null;
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

export function readRow(cells: Cells): ReadRow {
  const given = Object.fromEntries(
    Object.keys(newLine.shape).flatMap((field) => {
      const value = Object.hasOwn(cells, field) ? readCell(field, cells[field]) : undefined;
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const { data, error } = strictLine.safeParse(given);
  const [found] = error ? fieldProblems(error.issues as readonly Issue[]) : [];
  const problem = found
    ? { field: found[0], ...found[1] }
    : (unreadableColumn(cells) ?? unknownColumn(cells));
  return {
    username: data?.username ?? shownName(cells.username),
    server: otherText(cells, 'server'),
    owner_email: otherText(cells, 'owner_email'),
    line: problem ? null : (data ?? null),
    problem,
  };
}
