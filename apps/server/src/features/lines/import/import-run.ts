import { sql } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { ServerRow } from '../../../db/schema/schema.ts';
import { type Tx, transact } from '../../../db/transaction.ts';
import type { Services } from '../../../domain/context/context.ts';
import { charge, type Sale } from '../../../domain/credits/charge.ts';
import { settle } from '../../../domain/delivery/settle.ts';
import { type Reached, reachedColumns, reserveCapacity } from '../../../domain/machines/servers.ts';
import { fail, Refusal } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import { changeLines, changeOf, salesOf } from '../change/change-row.ts';
import { itemError, planRenewal } from '../change/plan.ts';
import { suspendedColumns } from '../change/suspension.ts';
import { holdActingAccount, outcomesOf, planRows } from '../jobs/apply-rows.ts';
import { finishRows, type JobRow, type Outcome, type WaitingItem } from '../jobs/job-items.ts';
import { type ActingAccount, priceTerm, termOfImportedLine } from '../price/price.ts';
import { makeLines, type NewRow, rowOfNewLine } from '../sell/make-lines.ts';
import { adopted } from './import-facts.ts';
import type { KeptLine, KeptMonths } from './plan-row.ts';

/** Rows of one transaction. */
const ROWS_AT_ONCE = 1000;
/** A row that makes a line. */
interface NewItem extends WaitingItem {
  line_id: string;
  line: KeptLine;
}

/** A row that extends a line that exists. */
interface Extension extends WaitingItem {
  months: number;
}

/** Rows became invalid after the file was validated; the errors by the ids of their lines. */
class RowsRefused extends Error {
  readonly errors: ReadonlyMap<string, JobItemError>;
  constructor(errors: ReadonlyMap<string, JobItemError>) {
    super('rows became invalid');
    this.errors = errors;
  }
}

/** Locks the next rows. One that another worker has at the same time is waited for, as that may be refused. */
async function lockRows(tx: Tx, jobId: string) {
  const items = await tx
    .selectFrom('job_items')
    .select(['position', 'line_id', 'username', 'input'])
    .where('job_id', '=', jobId)
    .where('state', '=', 'waiting')
    .orderBy('position')
    .limit(ROWS_AT_ONCE)
    .forUpdate()
    .execute();
  const [fresh, extensions]: [NewItem[], Extension[]] = [[], []];
  for (const { input, ...item } of items) {
    const kept = input as unknown as KeptLine | KeptMonths;
    if ('extends_by' in kept) extensions.push({ ...item, months: kept.extends_by });
    else fresh.push({ ...item, line_id: item.line_id ?? '', line: kept });
  }
  return { count: items.length, fresh, extensions };
}

type Target = Reached & Pick<ServerRow, 'id'>;

/**
 * Locks the servers against deletion until the transaction ends. Throws if one no longer accepts as
 * many lines, unless it has them already.
 */
async function lockServers(
  tx: Tx,
  rows: readonly NewItem[],
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

/** A row that has made a line, and what it costs. */
interface Sold {
  position: number;
  row: NewRow;
  sale: Sale;
}

/** A line that did not run where it comes from is suspended, and resumed by whoever knows better. */
function offAtItsSource({ status = [] }: KeptLine, by_id: string) {
  const columns = suspendedColumns({ status, suspension: null }, by_id, undefined);
  return {
    status: JSON.stringify(columns.status),
    suspension: JSON.stringify(columns.suspension),
  };
}

/** Locks the lines that rows extend. Throws the errors of those that can no longer be extended. */
async function planExtensions(tx: Tx, acting: ActingAccount, extensions: readonly Extension[]) {
  const { planned, failed } = await planRows(
    tx,
    acting,
    extensions,
    async () =>
      (line, { months: subscription_months }) =>
        planRenewal(tx, acting, line, { subscription_months }),
  );
  const idOf = new Map(extensions.map(({ position, line_id }) => [position, line_id ?? '']));
  const errors = failed.flatMap(({ position, error }) =>
    error ? [[idOf.get(position) ?? '', error] as const] : [],
  );
  if (errors.length > 0) throw new RowsRefused(new Map(errors));
  return planned;
}

/** Makes the lines of these rows; returns what each costs. */
async function makeLinesOf(
  tx: Tx,
  acting: ActingAccount,
  rows: readonly NewItem[],
  adopts: boolean,
): Promise<Sold[]> {
  if (rows.length === 0) return [];
  const { actor, today } = acting;
  const { trial_days } = await readSettings(tx);
  const servers = await lockServers(tx, rows, adopts);
  const sold: Sold[] = [];
  for (const { position, line_id, line } of rows) {
    const priced = await priceTerm(tx, acting, termOfImportedLine(acting, line, trial_days));
    const server = servers.get(line.server_id) ?? fail('NO_ACTIVE_SERVERS');
    const row = {
      ...rowOfNewLine(line, server),
      id: line_id,
      password: line.password,
      added_date: line.added_date ?? today(),
      expiry_date: priced.expiry_date,
      owner_id: line.owner_id,
      ...(line.is_suspended && offAtItsSource(line, actor.id)),
    };
    const sale = { kind: 'sale' as const, ...priced, line_id, username: line.username };
    sold.push({ position, row, sale });
  }
  const problems = await makeLines(
    tx,
    acting,
    sold.map(({ row }) => row),
    { except: adopts ? adopted : [] },
  );
  const errors = [...problems].map(([id, error]) => [id, { ...error, field: 'username' }] as const);
  if (errors.length > 0) throw new RowsRefused(new Map(errors));
  return sold;
}

/** The results of rows that have made lines, as they were paid. */
function madeBy(sold: readonly Sold[], transfers: ReadonlyMap<string, string>): Outcome[] {
  return sold.map(({ position, sale, row }) => {
    const { id, expiry_date, is_trial, subscription_months, server_id, owner_id } = row;
    const transfer_id = transfers.get(id) ?? null;
    const after = { expiry_date, is_trial, subscription_months, server_id, owner_id };
    return { position, state: 'done', cost: transfer_id ? sale.cost : 0, transfer_id, after };
  });
}

/** Sells and extends all rows: the lines, one debit, and the wanted states on servers. */
async function sellAll(
  tx: Tx,
  acting: ActingAccount,
  job: JobRow,
  { fresh, extensions }: Awaited<ReturnType<typeof lockRows>>,
): Promise<void> {
  // Lines are locked before servers, in the order in which a move locks them.
  const planned = await planExtensions(tx, acting, extensions);
  const sold = await makeLinesOf(tx, acting, fresh, job.arguments.adopt === true);
  const sales = [...sold.map(({ sale }) => sale), ...salesOf(planned)];
  const { transfers } = await charge(tx, acting.actor, sales, job.id);
  await changeLines(tx, planned.map(changeOf));
  await settle(
    tx,
    sold.map(({ row }) => row.id),
  );
  await finishRows(tx, job, extensions, outcomesOf(planned, transfers), 'renew');
  await finishRows(tx, job, fresh, madeBy(sold, transfers));
}

/**
 * Imports the next thousand lines of a file in one transaction, so that a job that was cut short goes on behind
 * them. Where a row became invalid since the file was checked, nothing of these and no further line is imported.
 * False if no row is left.
 */
export async function importNext(services: Services, job: JobRow): Promise<boolean> {
  try {
    return await transact(services.db, async (tx) => {
      const acting = await holdActingAccount(tx, services, job.account_id);
      const rows = await lockRows(tx, job.id);
      if (rows.count > 0) await sellAll(tx, acting, job, rows);
      return rows.count > 0;
    });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof RowsRefused)) throw error;
    const errors = error instanceof RowsRefused ? error.errors : new Map();
    const others: JobItemError =
      error instanceof Refusal
        ? itemError(error)
        : { code: 'IMPORT_HAS_INVALID_ROWS', data: { count: errors.size }, field: null };
    // Those of the same name, of no place or no credits have their own error.
    await sql`
      update job_items set state = 'failed', input = null,
          error = coalesce(${JSON.stringify(Object.fromEntries(errors))}::jsonb -> line_id::text,
            ${JSON.stringify(others)}::jsonb)
        where job_id = ${job.id} and state = 'waiting'`.execute(services.db);
    return false;
  }
}
