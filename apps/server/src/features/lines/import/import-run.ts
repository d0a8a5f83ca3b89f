import { sql } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import { type Tx, transact } from '../../../db/transaction.ts';
import type { Services } from '../../../domain/context/context.ts';
import { reachedColumns, reserveCapacity } from '../../../domain/machines/servers.ts';
import { fail, Refusal } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import { itemError, refuseUnchanged } from '../change/plan.ts';
import { planRenewal } from '../change/renewal.ts';
import { suspendedColumns } from '../change/suspension.ts';
import { holdActingAccount, outcomesOf, planRows } from '../jobs/apply-rows.ts';
import { finishRows, type JobRow, type Outcome, type WaitingItem } from '../jobs/job-items.ts';
import { type ActingAccount, type Payer, readPayer, termOfImportedLine } from '../price/price.ts';
import { type NewLineSale, RowsRefused, rowOfNewLine, sellLines } from '../sell/sell-lines.ts';
import type { KeptLine, KeptMonths } from './plan-row.ts';

/** Rows of one transaction. */
const ROWS_AT_ONCE = 1000;

/** A row that makes a line. */
interface NewItem extends WaitingItem {
  line_id: string;
  line: KeptLine;
}

/** A row that renews a line that exists. */
interface RenewedItem extends WaitingItem {
  months: number;
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
  const [fresh, renewed]: [NewItem[], RenewedItem[]] = [[], []];
  for (const { input, ...item } of items) {
    const kept = input as unknown as KeptLine | KeptMonths;
    if ('extends_by' in kept) renewed.push({ ...item, months: kept.extends_by });
    else fresh.push({ ...item, line_id: item.line_id ?? '', line: kept });
  }
  return { count: items.length, fresh, renewed };
}

/**
 * Locks the servers against deletion until the transaction ends. Throws NO_ACTIVE_SERVERS, and
 * SERVER_CLOSED or SERVER_FULL if one no longer accepts as many lines, unless it has them already.
 */
async function lockServers(tx: Tx, rows: readonly NewItem[], adopts: boolean) {
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

interface ItemSale extends NewLineSale {
  position: number;
}

/** A line that did not run where it comes from is suspended, and resumed by whoever knows better. */
function offAtItsSource({ status = [] }: KeptLine, by_id: string) {
  const columns = suspendedColumns({ status, suspension: null }, by_id, undefined);
  return {
    status: JSON.stringify(columns.status),
    suspension: JSON.stringify(columns.suspension),
  };
}

/** Locks the lines that rows renew, and plans that. Throws RowsRefused for those that can no longer be renewed. */
async function planRenewals(
  tx: Tx,
  acting: ActingAccount,
  payer: Payer,
  renewals: readonly RenewedItem[],
) {
  const { planned, failed } = await planRows(
    tx,
    acting,
    renewals,
    async () =>
      (line, { months: subscription_months }) =>
        refuseUnchanged(planRenewal(line, { subscription_months }, payer)),
  );
  const idOf = new Map(renewals.map(({ position, line_id }) => [position, line_id ?? '']));
  const problems = failed.flatMap(({ position, error }) =>
    error ? [[idOf.get(position) ?? '', error] as const] : [],
  );
  if (problems.length > 0) throw new RowsRefused(new Map(problems));
  return planned;
}

/** The lines of rows that make some, with their terms. Throws what `lockServers` and `termOfImportedLine` throw. */
async function readSales(
  tx: Tx,
  payer: Payer,
  items: readonly NewItem[],
  adopts: boolean,
): Promise<ItemSale[]> {
  if (items.length === 0) return [];
  const { trial_days } = await readSettings(tx);
  const servers = await lockServers(tx, items, adopts);
  return items.map(({ position, line_id, line }) => {
    const term = termOfImportedLine(payer, line, trial_days);
    const server = servers.get(line.server_id) ?? fail('NO_ACTIVE_SERVERS');
    const row = {
      ...rowOfNewLine(line, server),
      id: line_id,
      password: line.password,
      added_date: line.added_date ?? payer.today,
      expiry_date: term.expiry_date,
      owner_id: line.owner_id,
      ...(line.is_suspended && offAtItsSource(line, payer.actor.id)),
    };
    return { position, row, term };
  });
}

/** The results of rows that have made lines, as they were paid. */
function madeBy(sales: readonly ItemSale[], transfers: ReadonlyMap<string, string>): Outcome[] {
  return sales.map(({ position, row, term: { cost } }) => {
    const { id, expiry_date, is_trial, subscription_months, server_id, owner_id } = row;
    const transfer_id = transfers.get(id) ?? null;
    const after = { expiry_date, is_trial, subscription_months, server_id, owner_id };
    return { position, state: 'done', cost, transfer_id, after };
  });
}

/** Sells and renews all rows: the lines, one debit, and the wanted states on servers. */
async function sellAll(
  tx: Tx,
  acting: ActingAccount,
  job: JobRow,
  { fresh, renewed }: Awaited<ReturnType<typeof lockRows>>,
): Promise<void> {
  const adopts = job.arguments.adopt === true;
  const payer = await readPayer(tx, acting);
  // Lines are locked before servers, in the order in which a move locks them.
  const renewals = await planRenewals(tx, acting, payer, renewed);
  const sales = await readSales(tx, payer, fresh, adopts);
  const sold = await sellLines(tx, acting, sales, { job_id: job.id, renewals, adopts });
  if (sold instanceof RowsRefused) {
    const problems = [...sold.problems].map(([id, problem]) => {
      return [id, { ...problem, field: 'username' }] as const;
    });
    throw new RowsRefused(new Map(problems));
  }
  await finishRows(tx, job, renewed, outcomesOf(renewals, sold.transfers), 'renew');
  await finishRows(tx, job, fresh, madeBy(sales, sold.transfers));
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
    const errors = error instanceof RowsRefused ? error.problems : new Map();
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
