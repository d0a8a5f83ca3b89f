import type { NewLine } from '@linekeeper/contract/lines/lines.ts';
import type { Insertable } from 'kysely';
import { violates } from '../../../db/errors.ts';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { ServerRow, UsersTable } from '../../../db/schema/schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { refuseUnpaid } from '../../../domain/credits/balance.ts';
import type { SoldTerm } from '../../../domain/credits/charge.ts';
import { detailColumns } from '../../../domain/lines/line-details.ts';
import { otherServers } from '../../../domain/lines/places.ts';
import { checkAccounts, checkNames, lockSharedNames } from '../../../domain/lines/sent-names.ts';
import {
  chooseServer,
  defaultHostPort,
  lineProtocol,
  type Places,
  type Reached,
} from '../../../domain/machines/servers.ts';
import { fail, Refusal, refusal } from '../../../platform/errors/refusal.ts';
import { carryOut, PLAN_OF_LINE, type PlannedLine } from '../change/carry-out.ts';
import { refusalOf } from '../change/plan.ts';
import { active } from '../change/suspension.ts';
import type { ActingAccount } from '../price/price.ts';
import { countNewTrials, type NewTrial } from '../price/trial-limits.ts';

export type NewRow = Insertable<UsersTable> & Omit<NewTrial, 'also'>;

/** Rows in one INSERT, because a statement can have at most 65,535 values. */
const AT_ONCE = 500;

/** The columns of a new line, with defaults for omitted fields. */
export function rowOfNewLine(
  line: Omit<NewLine, 'password'>,
  server: Reached & Pick<ServerRow, 'id'>,
) {
  return {
    username: line.username,
    protocol: line.protocol ?? lineProtocol(server),
    host_port: line.host_port ?? [defaultHostPort(server)],
    status: JSON.stringify(line.status ?? [active]),
    server_id: server.id,
    is_trial: line.is_trial,
    subscription_months: line.subscription_months ?? null,
    ...detailColumns(line),
  };
}

/** Inserts lines; returns the ids of those whose names are taken. Throws PLAN_NOT_FOUND. */
export async function insertLines(tx: Tx, rows: readonly NewRow[]): Promise<Set<string>> {
  const missing = new Set(rows.map(({ id }) => id));
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const inserted = await tx
      .insertInto('users')
      .values(rows.slice(from, from + AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute()
      .catch((error: unknown) => {
        if (violates(error, PLAN_OF_LINE)) fail('PLAN_NOT_FOUND');
        throw error;
      });
    for (const { id } of inserted) missing.delete(id);
  }
  return missing;
}

type Problems = ReadonlyMap<string, JobItemError>;

/** The refusal of some rows, with the reasons by the ids of their lines. The transaction must be rolled back. */
export class RowsRefused extends Refusal {
  readonly problems: Problems;
  constructor(problems: Problems) {
    super(refusal('IMPORT_HAS_INVALID_ROWS', { count: problems.size }).body);
    this.problems = problems;
  }
}

/** Inserts lines; returns the refusals of their names, by the ids of those lines. */
async function insertNamed(
  tx: Tx,
  { actor }: ActingAccount,
  sold: readonly NewLineSale[],
  adopts: boolean,
): Promise<Problems> {
  const rows = sold.map(({ row }) => row);
  const taken = await insertLines(tx, rows);
  const problem = { code: 'USERNAME_EXISTS', data: {}, field: null };
  if (taken.size > 0) return new Map([...taken].map((id) => [id, problem]));
  const named = sold.flatMap(({ row, also = [] }) => [
    row,
    ...also.map((server_id) => ({ ...row, server_id })),
  ]);
  await lockSharedNames(tx, named);
  const refused = await (adopts ? checkAccounts : checkNames)(tx, actor, named);
  const codes = new Map(refused.map(({ username, refusal }) => [username, refusal]));
  const unfit = rows.filter(({ username }) => codes.has(username));
  // If lines are on several servers, only those of the first server are refused: the others may be allowed without
  // these.
  const told = unfit.filter(({ server_id }) => server_id === unfit[0]?.server_id);
  return new Map(
    told.map(({ id, username }) => {
      return [id, { code: codes.get(username) ?? '', data: {}, field: 'username' }];
    }),
  );
}

/** A line to sell: the columns of its row, and the term that is paid for. */
export interface NewLineSale {
  row: NewRow;
  term: SoldTerm;
  /** Ids of the other servers of its plan. */
  also?: readonly string[];
}

interface Selling {
  job_id?: string;
  /** Renewals that the same debit pays for. */
  renewals?: readonly PlannedLine[];
  /** True if the card servers already have the lines. */
  adopts?: boolean;
}

/** One line to sell: its id, its fields, the term that is paid for, and its plan with the servers of that. */
interface OneSale {
  id: string;
  line: NewLine;
  term: SoldTerm;
  plan: Places & { plan_id: string };
  owner_id: string;
}

/**
 * Sells one line on the server that it names, or on one that its plan chooses. Also returns the line's row, and the
 * fields that a job of the sale keeps. Throws the refusal of its name, and the errors of `chooseServer` and `sellLines`.
 */
export async function sellOne(
  tx: Tx,
  acting: ActingAccount & Pick<Ctx, 'secrets'>,
  { id, line, term, plan, owner_id }: OneSale,
) {
  const server = await chooseServer(tx, line.server_id, 'NO_ACTIVE_SERVERS', plan);
  const { expiry_date } = term;
  const { plan_id } = plan;
  const row = {
    ...rowOfNewLine(line, server),
    id,
    password: acting.secrets.seal(line.password, id),
    added_date: acting.today(),
    expiry_date,
    owner_id,
    plan_id,
  };
  const sale = await sellLines(tx, acting, [{ row, term, also: otherServers(plan, server.id) }]);
  if (sale instanceof RowsRefused) {
    await refuseUnpaid(tx, acting.actor, term.cost);
    const [problem] = sale.problems.values();
    throw problem ? refusalOf(problem) : sale;
  }
  const { is_trial, server_id } = row;
  return { ...sale, row, after: { expiry_date, is_trial, server_id, plan_id, owner_id } };
}

/**
 * Sells lines, one from a form or a thousand from a file: inserts them, counts the trials among them, pays by one
 * debit, and updates the wanted state. Returns the rows whose names are refused. Throws TRIAL_LIMIT_REACHED,
 * TRIAL_DAILY_LIMIT_REACHED, TRIAL_OF_NAME, INSUFFICIENT_CREDITS and PAYER_MISSING.
 */
export async function sellLines(
  tx: Tx,
  acting: ActingAccount,
  sold: readonly NewLineSale[],
  { job_id, renewals = [], adopts = false }: Selling = {},
) {
  const problems = await insertNamed(tx, acting, sold, adopts);
  if (problems.size > 0) return new RowsRefused(problems);
  const trials = sold.flatMap(({ row: { id, username, server_id, is_trial }, also }) =>
    is_trial ? [{ id, username, server_id, also }] : [],
  );
  await countNewTrials(tx, acting, trials);
  const sales = sold.map(({ row: { id: line_id, username }, term }) => {
    return { ...term, kind: 'sale' as const, line_id, username };
  });
  return carryOut(tx, acting, renewals, job_id, sales);
}
