import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import { auditAll } from '../../../core/audit.ts';
import { chargeAll, type Sale } from '../../../core/credits.ts';
import { wantAllOnServers } from '../../../core/pushes.ts';
import { fail, Refusal } from '../../../core/refusal.ts';
import { readSettings } from '../../../core/settings.ts';
import type { JobItemError, ServerRow, UsersTable } from '../../../db/schema.ts';
import { type Tx, transact } from '../../../db/transaction.ts';
import type { Changer } from '../extend-line.ts';
import { checkTrialLimit, rowOfNewLine } from '../new-line-row.ts';
import { termOfNewLine } from '../price.ts';
import type { KeptLine } from './import-plan.ts';
import { type JobServices, readChanger } from './job-changer.ts';
import type { JobRow } from './jobs-store.ts';
import { itemError } from './plan.ts';

/** Rows of one INSERT: a statement takes 65,535 values at most. */
const AT_ONCE = 500;

interface Row {
  position: number;
  line_id: string;
  line: KeptLine;
}

type NewRow = Insertable<UsersTable> & { id: string };

/** Thrown where names were taken since the file was judged. */
class NamesTaken extends Error {
  readonly ids: ReadonlySet<string>;
  constructor(ids: ReadonlySet<string>) {
    super('names were taken');
    this.ids = ids;
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

type Address = Pick<ServerRow, 'id' | 'host_ip' | 'port'>;

/** Locked against deletion until the lines stand. Throws where one may take no line any more. */
async function lockServers(tx: Tx, rows: readonly Row[]): Promise<Map<string, Address>> {
  const ids = [...new Set(rows.map(({ line }) => line.server_id))];
  const servers = await tx
    .selectFrom('cccam_servers')
    .select(['id', 'host_ip', 'port'])
    .where('id', 'in', ids)
    .where('status', '=', 'active')
    .forKeyShare()
    .execute();
  if (servers.length < ids.length) fail('NO_ACTIVE_SERVERS');
  return new Map(servers.map((server) => [server.id, server]));
}

async function insertLines(tx: Tx, lines: readonly NewRow[]): Promise<void> {
  const missing = new Set(lines.map(({ id }) => id));
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const inserted = await tx
      .insertInto('users')
      .values(lines.slice(from, from + AT_ONCE))
      .onConflict((conflict) => conflict.column('username').doNothing())
      .returning('id')
      .execute();
    for (const { id } of inserted) missing.delete(id);
  }
  if (missing.size > 0) throw new NamesTaken(missing);
}

async function markDone(
  tx: Tx,
  jobId: string,
  lines: readonly NewRow[],
  costs: ReadonlyMap<string, number>,
  transfers: ReadonlyMap<string, string>,
): Promise<void> {
  const done = lines.map(
    ({ id, expiry_date, is_trial, subscription_months, server_id, owner_id }) => ({
      line_id: id,
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
      where job_id = ${jobId} and job_items.line_id = done.line_id and state = 'waiting'
  `.execute(tx);
}

/** Sells all of the rows: the lines, one debit, what their servers are to hold. */
async function sellAll(tx: Tx, changer: Changer, jobId: string, rows: readonly Row[]) {
  const { actor, today } = changer;
  const { trial_days, trial_limit } = await readSettings(tx);
  const servers = await lockServers(tx, rows);
  const sales: Sale[] = [];
  const lines = rows.map(({ line_id, line }): NewRow => {
    const { expiry_date, cost } = termOfNewLine(actor, line, today(), trial_days);
    sales.push({ line_id, username: line.username, cost });
    return {
      ...rowOfNewLine(line, servers.get(line.server_id) ?? fail('NO_ACTIVE_SERVERS')),
      id: line_id,
      password: line.password,
      added_date: today(),
      expiry_date,
      owner_id: line.owner_id,
    };
  });
  await insertLines(tx, lines);
  if (lines.some(({ is_trial }) => is_trial)) await checkTrialLimit(tx, changer, trial_limit);
  const transfers = await chargeAll(tx, actor, 'sale', sales);
  await wantAllOnServers(
    tx,
    lines.map(({ id, server_id, username, expiry_date }) => ({
      server_id,
      username,
      wanted: { line_id: id, expiry_date },
      operation: 'add',
    })),
  );
  if (actor.is_admin) {
    await auditAll(
      tx,
      lines.map(({ id, username, owner_id, expiry_date }) => ({
        actor_id: actor.id,
        action: 'line.create',
        subject_type: 'line',
        subject_id: id,
        data: { username, owner_id, expiry_date },
      })),
    );
  }
  const costs = new Map(sales.map(({ line_id, cost }) => [line_id, cost]));
  await markDone(tx, jobId, lines, costs, transfers);
}

/** Nothing was imported: every row says why. */
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
      ? code('USERNAME_EXISTS', {}, 'username')
      : code('IMPORT_HAS_INVALID_ROWS', { count: error.ids.size });
}

/** All of a file's lines in one transaction, or none of them. */
export async function runImport(services: JobServices, job: JobRow): Promise<void> {
  const { db } = services;
  try {
    await transact(db, async (tx) => {
      const rows = await lockRows(tx, job.id);
      if (rows.length === 0) return;
      const changer = await readChanger(tx, services, job.account_id);
      await sellAll(tx, changer, job.id, rows);
    });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof NamesTaken)) throw error;
    await transact(db, (tx) => markAllFailed(tx, job.id, reasons(error)));
  }
}
