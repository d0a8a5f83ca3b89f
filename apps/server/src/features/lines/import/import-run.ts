import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import { chargeAll, type Sale } from '../../../core/credits/charge.ts';
import {
  findSharedNames,
  lockSharedNames,
  refuseLongName,
} from '../../../core/lines/sent-names.ts';
import { wantAllOnServers } from '../../../core/pushes/wanted-state.ts';
import { fail, Refusal } from '../../../core/refusal.ts';
import { type Reached, reachedColumns, reservePlaces } from '../../../core/servers.ts';
import { readSettings } from '../../../core/settings.ts';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { ServerRow, UsersTable } from '../../../db/schema.ts';
import { type Tx, transact } from '../../../db/transaction.ts';
import { auditRows } from '../bulk/audit-rows.ts';
import {
  checkStillActs,
  holdActingAccount,
  type JobServices,
  PowersLessened,
  readActingAccount,
} from '../bulk/job-account.ts';
import type { JobRow } from '../bulk/jobs-store.ts';
import { itemError } from '../bulk/plan.ts';
import { type ActingAccount, priceImportedLine } from '../price/price.ts';
import { countNewTrials } from '../price/trial-limits.ts';
import { rowOfNewLine } from '../sell/new-line-row.ts';
import { suspendedColumns } from '../suspend/suspension.ts';
import type { KeptLine } from './import-plan.ts';

/** Rows per INSERT, because a statement takes 65,535 values at most. */
const AT_ONCE = 500;

interface Row {
  position: number;
  line_id: string;
  line: KeptLine;
}

type NewRow = Insertable<UsersTable> & { id: string };

/** Names of the file were taken, or began to share what is sent of them, after it was validated. */
class NamesTaken extends Error {
  readonly ids: ReadonlySet<string>;
  readonly code: ErrorCode;
  constructor(ids: ReadonlySet<string>, code: ErrorCode = 'USERNAME_EXISTS') {
    super('names were taken');
    this.ids = ids;
    this.code = code;
  }
}

async function lockRows(tx: Tx, jobId: string): Promise<Row[]> {
  const items = await tx
    .selectFrom('job_items')
    .select(['position', 'line_id', 'input'])
    .where('job_id', '=', jobId)
    .where('state', '=', 'waiting')
    .orderBy('position')
    .forUpdate()
    .execute();
  return items.map(({ position, line_id, input }) => ({
    position,
    line_id: line_id ?? '',
    line: input as unknown as KeptLine,
  }));
}

type Target = Reached & Pick<ServerRow, 'id'>;

/**
 * Locks the servers against deletion until the transaction ends. Throws if one no longer accepts as
 * many lines.
 */
async function lockServers(tx: Tx, rows: readonly Row[]): Promise<Map<string, Target>> {
  const ids = [...new Set(rows.map(({ line }) => line.server_id))];
  const servers = await tx
    .selectFrom('cccam_servers')
    .select([...reachedColumns, 'id', 'closed_to_new_lines', 'max_lines'])
    .where('id', 'in', ids)
    .where('status', '=', 'active')
    .orderBy('id')
    .forKeyShare()
    .execute();
  if (servers.length < ids.length) fail('NO_ACTIVE_SERVERS');
  for (const server of servers) {
    const count = rows.filter(({ line }) => line.server_id === server.id).length;
    await reservePlaces(tx, server, count, 'server_id');
  }
  return new Map(servers.map((server) => [server.id, server]));
}

async function insertLines(tx: Tx, lines: readonly NewRow[]): Promise<void> {
  const missing = new Set(lines.map(({ id }) => id));
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const inserted = await tx
      .insertInto('users')
      .values(lines.slice(from, from + AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    for (const { id } of inserted) missing.delete(id);
  }
  if (missing.size > 0) throw new NamesTaken(missing);
}

/** Also those that share it with each other, on different servers of one machine. */
async function refuseSharedNames(tx: Tx, lines: readonly NewRow[]): Promise<void> {
  const names = lines.map(({ username }) => username);
  const servers = [...new Set(lines.map(({ server_id }) => server_id))];
  await lockSharedNames(tx, servers, names);
  for (const server_id of servers) {
    const there = lines.filter((line) => line.server_id === server_id);
    const namesThere = there.map(({ username }) => username);
    const shared = await findSharedNames(tx, server_id, namesThere);
    const ids = there.flatMap(({ id, username }) => (shared.has(username) ? [id] : []));
    if (ids.length > 0) throw new NamesTaken(new Set(ids), 'NAME_SHARES_FIRST_20');
  }
}

async function markDone(
  tx: Tx,
  job: JobRow,
  lines: readonly NewRow[],
  costs: ReadonlyMap<string, number>,
  transfers: ReadonlyMap<string, string>,
): Promise<void> {
  const done = lines.map(
    ({ id, username, expiry_date, is_trial, subscription_months, server_id, owner_id }) => ({
      line_id: id,
      username,
      cost: transfers.has(id) ? (costs.get(id) ?? 0) : 0,
      transfer_id: transfers.get(id) ?? null,
      after: { expiry_date, is_trial, subscription_months, server_id, owner_id },
    }),
  );
  await sql`
    update job_items set state = 'done', cost = done.cost, transfer_id = done.transfer_id,
        after = done.after, input = null
      from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as done (
        line_id uuid, cost integer, transfer_id uuid, after jsonb)
      where job_id = ${job.id} and job_items.line_id = done.line_id and state = 'waiting'
  `.execute(tx);
  await auditRows(tx, job, done);
}

/** Whether what the account may do is held from the beginning, or only where it pays. */
type Hold = 'first' | 'last';

/** A line that did not run where it comes from is suspended, and resumed by whoever knows better. */
function offAtItsSource({ status = [] }: KeptLine, by_id: string) {
  const columns = suspendedColumns({ status, suspension: null }, by_id, undefined);
  return {
    status: JSON.stringify(columns.status),
    suspension: JSON.stringify(columns.suspension),
  };
}

/** Sells all rows: the lines, one debit, and the wanted states on servers. */
async function sellAll(
  tx: Tx,
  acting: ActingAccount,
  job: JobRow,
  rows: readonly Row[],
  hold: Hold,
): Promise<void> {
  const { actor, today } = acting;
  const { trial_days } = await readSettings(tx);
  const servers = await lockServers(tx, rows);
  const sales: Sale[] = [];
  const lines: NewRow[] = [];
  for (const { line_id, line } of rows) {
    const { expiry_date, months, cost } = await priceImportedLine(tx, acting, line, trial_days);
    const server = servers.get(line.server_id) ?? fail('NO_ACTIVE_SERVERS');
    refuseLongName(line.username, server);
    sales.push({ line_id, username: line.username, cost, term: { months, expiry_date } });
    lines.push({
      ...rowOfNewLine(line, server),
      id: line_id,
      password: line.password,
      added_date: line.added_date ?? today(),
      expiry_date,
      owner_id: line.owner_id,
      ...(line.is_suspended && offAtItsSource(line, actor.id)),
    });
  }
  await insertLines(tx, lines);
  await refuseSharedNames(tx, lines);
  const trials = lines.filter(({ is_trial }) => is_trial);
  await countNewTrials(
    tx,
    acting,
    trials.map(({ id }) => id),
  );
  if (hold === 'last') await checkStillActs(tx, acting);
  const transfers = await chargeAll(tx, actor, 'sale', sales);
  await wantAllOnServers(
    tx,
    lines.map(({ id, server_id, username, expiry_date, suspension }) => ({
      server_id,
      username,
      wanted: suspension ? null : { line_id: id, expiry_date },
      operation: suspension ? 'edit' : 'add',
    })),
  );
  const costs = new Map(sales.map(({ line_id, cost }) => [line_id, cost]));
  await markDone(tx, job, lines, costs, transfers);
}

/** Nothing was imported; each row gets the error. */
async function markAllFailed(
  tx: Tx,
  jobId: string,
  errorOf: (line_id: string) => JobItemError,
): Promise<void> {
  const rows = await lockRows(tx, jobId);
  const failed = rows.map(({ line_id }) => ({ line_id, error: errorOf(line_id) }));
  await sql`
    update job_items set state = 'failed', error = failed.error, input = null
      from jsonb_to_recordset(${JSON.stringify(failed)}::jsonb) as failed (
        line_id uuid, error jsonb)
      where job_id = ${jobId} and job_items.line_id = failed.line_id and state = 'waiting'
  `.execute(tx);
}

function reasons(error: Refusal | NamesTaken): (line_id: string) => JobItemError {
  if (error instanceof Refusal) return () => itemError(error);
  const code = (name: ErrorCode, data = {}, field: string | null = null) => ({
    code: name,
    data,
    field,
  });
  return (line_id) =>
    error.ids.has(line_id)
      ? code(error.code, {}, 'username')
      : code('IMPORT_HAS_INVALID_ROWS', { count: error.ids.size });
}

async function importAll(services: JobServices, job: JobRow, hold: Hold): Promise<void> {
  await transact(services.db, async (tx) => {
    const read = hold === 'first' ? holdActingAccount : readActingAccount;
    const acting = await read(tx, services, job.account_id);
    const rows = await lockRows(tx, job.id);
    if (rows.length > 0) await sellAll(tx, acting, job, rows, hold);
  });
}

/** Imports all lines of a file in one transaction. */
export async function runImport(services: JobServices, job: JobRow): Promise<void> {
  try {
    // Held from the beginning, a ban would wait for every whole import.
    await importAll(services, job, 'last').catch((error: unknown) => {
      if (error instanceof PowersLessened) return importAll(services, job, 'first');
      throw error;
    });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof NamesTaken)) throw error;
    await transact(services.db, (tx) => markAllFailed(tx, job.id, reasons(error)));
  }
}
