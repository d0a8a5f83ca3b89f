import { type NewLine, newLine } from '@linekeeper/contract/lines.ts';
import { fieldProblems, type Issue, type Problem } from '@linekeeper/contract/problems.ts';
import { unescapeFormula } from './csv.ts';

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

/** What a file can say in text alone only. */
const readers: Record<string, (text: string) => unknown> = {
  is_trial: asFlag,
  subscription_months: asNumber,
  host_port: asList,
  status: asStatus,
};

/** A file's cell as the field it fills; undefined where it is empty. */
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

/** A row as it was meant; `server` is the name of one. Columns that are no field are left out. */
export interface ReadRow {
  username: string;
  server: string | null;
  line: NewLine | null;
  problem: RowProblem | null;
}

/** Room for a name that is too long, and none for what no text can hold. */
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
  const server = Object.hasOwn(cells, 'server') ? readCell('server', cells.server) : undefined;
  const { data, error } = newLine.safeParse(given);
  const [found] = error ? fieldProblems(error.issues as readonly Issue[]) : [];
  return {
    username: data?.username ?? shownName(cells.username),
    server: typeof server === 'string' ? server.trim() : null,
    line: data ?? null,
    problem: found ? { field: found[0], ...found[1] } : null,
  };
}
