import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { ServerRow, UsersTable } from '../../../db/schema/schema.ts';
import { type Tx, transact } from '../../../db/transaction.ts';
import { chargeAll, type Sale } from '../../../domain/credits/charge.ts';
import { settle } from '../../../domain/delivery/settle.ts';
import { checkNames, lockSharedNames } from '../../../domain/lines/sent-names.ts';
import { type Reached, reachedColumns, reserveCapacity } from '../../../domain/machines/servers.ts';
import { fail, Refusal } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import { itemError } from '../change/plan.ts';
import { suspendedColumns } from '../change/suspension.ts';
import { auditRows } from '../jobs/audit-rows.ts';
import {
  checkStillActs,
  holdActingAccount,
  type JobServices,
  PowersLessened,
  readActingAccount,
} from '../jobs/job-account.ts';
import { markItems, type WaitingItem } from '../jobs/job-items.ts';
import type { JobRow } from '../jobs/jobs-store.ts';
import { planRenewals, type Renewal, renewalSales, storeRenewals } from '../jobs/renew-all.ts';
import { type ActingAccount, priceImportedLine } from '../price/price.ts';
import { countNewTrials, type NewTrial } from '../price/trial-limits.ts';
import { rowOfNewLine } from '../sell/new-line-row.ts';
import { adopted } from './import-facts.ts';
import type { KeptLine, KeptMonths } from './plan-row.ts';

/** Rows of one transaction. */
const ROWS_AT_ONCE = 1000;
/** Rows per INSERT, because a statement takes 65,535 values at most. */
const AT_ONCE = 500;

interface Row {
  line_id: string;
  line: KeptLine;
}

/** A row that extends a line that exists. */
interface Extension extends WaitingItem {
  months: number;
}

interface Rows {
  count: number;
  fresh: Row[];
  extensions: Extension[];
}

type NewRow = Insertable<UsersTable> & NewTrial;

/** Rows became invalid after the file was validated; the errors by the ids of their lines. */
class RowsRefused extends Error {
  readonly errors: ReadonlyMap<string, JobItemError>;
  constructor(errors: ReadonlyMap<string, JobItemError>) {
    super('rows became invalid');
    this.errors = errors;
  }
}

const namedError = (code: ErrorCode): JobItemError => ({ code, data: {}, field: 'username' });

/** Locks the next rows. One that another worker has at the same time is waited for, as that may be refused. */
async function lockRows(tx: Tx, jobId: string): Promise<Rows> {
  const items = await tx
    .selectFrom('job_items')
    .select(['position', 'line_id', 'username', 'input'])
    .where('job_id', '=', jobId)
    .where('state', '=', 'waiting')
    .orderBy('position')
    .limit(ROWS_AT_ONCE)
    .forUpdate()
    .execute();
  const rows: Rows = { count: items.length, fresh: [], extensions: [] };
  for (const { input, ...item } of items) {
    const kept = input as unknown as KeptLine | KeptMonths;
    if ('extends_by' in kept) rows.extensions.push({ ...item, months: kept.extends_by });
    else rows.fresh.push({ line_id: item.line_id ?? '', line: kept });
  }
  return rows;
}

type Target = Reached & Pick<ServerRow, 'id'>;

/**
 * Locks the servers against deletion until the transaction ends. Throws if one no longer accepts as
 * many lines, unless it has them already.
 */
async function lockServers(
  tx: Tx,
  rows: readonly Row[],
  adopts: boolean,
): Promise<Map<string, Target>> {
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
    if (!adopts) await reserveCapacity(tx, server, count, 'server_id');
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
  const taken = [...missing].map((id) => [id, namedError('USERNAME_EXISTS')] as const);
  if (taken.length > 0) throw new RowsRefused(new Map(taken));
}

/** Throws RowsRefused with names that their servers cannot have, some of them beside others of the file. */
async function refuseUnfitNames(tx: Tx, lines: readonly NewRow[], adopts: boolean): Promise<void> {
  const names = lines.map(({ username }) => username);
  const servers = [...new Set(lines.map(({ server_id }) => server_id))];
  await lockSharedNames(tx, servers, names);
  for (const server_id of servers) {
    const there = lines.filter((line) => line.server_id === server_id);
    const refusals = await checkNames(tx, {
      server_id,
      names: there.map(({ username }) => username),
      except: adopts ? adopted : [],
    });
    const errors = there.flatMap(({ id, username }) => {
      const refusal = refusals.get(username);
      return refusal ? [[id, namedError(refusal)] as const] : [];
    });
    if (errors.length > 0) throw new RowsRefused(new Map(errors));
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
type Locking = 'first' | 'last';

/** A line that did not run where it comes from is suspended, and resumed by whoever knows better. */
function offAtItsSource({ status = [] }: KeptLine, by_id: string) {
  const columns = suspendedColumns({ status, suspension: null }, by_id, undefined);
  return {
    status: JSON.stringify(columns.status),
    suspension: JSON.stringify(columns.suspension),
  };
}

/** Locks the lines that rows extend. Throws the errors of those that can no longer be extended. */
async function extendAll(
  tx: Tx,
  acting: ActingAccount,
  extensions: readonly Extension[],
): Promise<Renewal[]> {
  const planned = await planRenewals(tx, acting, extensions, ({ months }) => ({
    subscription_months: months,
  }));
  const idOf = new Map(extensions.map(({ position, line_id }) => [position, line_id ?? '']));
  const errors = planned.failed.flatMap(({ position, error }) =>
    error ? [[idOf.get(position) ?? '', error] as const] : [],
  );
  if (errors.length > 0) throw new RowsRefused(new Map(errors));
  return planned.renewals;
}

async function markExtended(
  tx: Tx,
  job: JobRow,
  extensions: readonly Extension[],
  renewals: readonly Renewal[],
  transfers: ReadonlyMap<string, string>,
): Promise<void> {
  if (renewals.length === 0) return;
  const outcomes = await storeRenewals(tx, renewals, transfers);
  await markItems(tx, job.id, outcomes);
  const byPosition = new Map(outcomes.map(({ position, state: _, ...done }) => [position, done]));
  const done = extensions.map(({ position, line_id, ...row }) => ({
    ...row,
    ...byPosition.get(position),
    line_id: line_id ?? '',
  }));
  await auditRows(tx, { ...job, action: 'renew' }, done);
}

/** Inserts the lines of these rows; returns them with what each costs. */
async function makeLines(tx: Tx, acting: ActingAccount, rows: readonly Row[], adopts: boolean) {
  const { actor, today } = acting;
  const sales: (Sale & { kind: 'sale' })[] = [];
  const lines: NewRow[] = [];
  if (rows.length === 0) return { sales, lines };
  const { trial_days } = await readSettings(tx);
  const servers = await lockServers(tx, rows, adopts);
  for (const { line_id, line } of rows) {
    const { expiry_date, months, cost } = await priceImportedLine(tx, acting, line, trial_days);
    const server = servers.get(line.server_id) ?? fail('NO_ACTIVE_SERVERS');
    const term = { months, expiry_date };
    sales.push({ kind: 'sale', line_id, username: line.username, cost, term });
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
  await refuseUnfitNames(tx, lines, adopts);
  const trials = lines.filter(({ is_trial }) => is_trial);
  await countNewTrials(tx, acting, trials);
  return { sales, lines };
}

/** Sells and extends all rows: the lines, one debit, and the wanted states on servers. */
async function sellAll(
  tx: Tx,
  acting: ActingAccount,
  job: JobRow,
  { fresh, extensions }: Rows,
  locking: Locking,
): Promise<void> {
  // Lines are locked before servers, in the order in which a move locks them.
  const renewals = await extendAll(tx, acting, extensions);
  const { sales, lines } = await makeLines(tx, acting, fresh, job.arguments.adopt === true);
  if (locking === 'last') await checkStillActs(tx, acting);
  const transfers = await chargeAll(tx, acting.actor, job.id, [
    ...sales,
    ...renewalSales(renewals),
  ]);
  await markExtended(tx, job, extensions, renewals, transfers);
  if (lines.length === 0) return;
  await settle(
    tx,
    lines.map(({ id }) => id),
  );
  const costs = new Map(sales.map(({ line_id, cost }) => [line_id, cost]));
  await markDone(tx, job, lines, costs, transfers);
}

/** Refuses all rows that are left: those of the same name, of no place or no credits by their own error. */
async function markRestFailed(
  tx: Tx,
  jobId: string,
  errors: ReadonlyMap<string, JobItemError>,
  others: JobItemError,
): Promise<void> {
  await sql`
    update job_items set state = 'failed', input = null,
        error = coalesce(${JSON.stringify(Object.fromEntries(errors))}::jsonb -> line_id::text,
          ${JSON.stringify(others)}::jsonb)
      where job_id = ${jobId} and state = 'waiting'`.execute(tx);
}

async function importSome(services: JobServices, job: JobRow, locking: Locking): Promise<boolean> {
  return transact(services.db, async (tx) => {
    const read = locking === 'first' ? holdActingAccount : readActingAccount;
    const acting = await read(tx, services, job.account_id);
    const rows = await lockRows(tx, job.id);
    if (rows.count > 0) await sellAll(tx, acting, job, rows, locking);
    return rows.count > 0;
  });
}

/**
 * Imports the next thousand lines of a file in one transaction, so that a job that was cut short goes on behind
 * them. Where a row became invalid since the file was checked, nothing of these and no further line is imported.
 * False if no row is left.
 */
export async function importNext(services: JobServices, job: JobRow): Promise<boolean> {
  try {
    // Held from the beginning, a ban would wait for all of them.
    return await importSome(services, job, 'last').catch((error: unknown) => {
      if (error instanceof PowersLessened) return importSome(services, job, 'first');
      throw error;
    });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof RowsRefused)) throw error;
    const errors = error instanceof Refusal ? new Map() : error.errors;
    const invalid = {
      code: 'IMPORT_HAS_INVALID_ROWS',
      data: { count: errors.size },
      field: null,
    };
    const others = error instanceof Refusal ? itemError(error) : invalid;
    await transact(services.db, (tx) => markRestFailed(tx, job.id, errors, others));
    return false;
  }
}
