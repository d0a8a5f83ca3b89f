import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as contract from '@linekeeper/contract/lines/bulk.ts';
import { type SqlBool, sql } from 'kysely';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import {
  customerCells,
  customerColumns,
  linesOfRow,
} from '../../../domain/lines/changed-addresses.ts';
import { visibleLines } from '../../../domain/lines/line-sets.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { type Cell, csvHead, csvRows, ROWS_AT_ONCE } from '../../../platform/paging/csv.ts';
import { findJob, itemColumns, type JobRow, shownError } from '../jobs/jobs-store.ts';
import { csvCells, csvColumns, withCsvFields } from '../list/line-csv.ts';
import { customersOf, readAccounts } from './job-customers.ts';

async function readItems({ db }: Ctx, jobId: string, after: number, isRefused: boolean) {
  const items = db
    .selectFrom('job_items')
    .select(itemColumns)
    .where('job_id', '=', jobId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(ROWS_AT_ONCE);
  return (isRefused ? items.where('state', 'in', ['skipped', 'failed']) : items).execute();
}
type Items = Awaited<ReturnType<typeof readItems>>;

async function linesOf(ctx: Ctx, items: Items): Promise<Cell[][]> {
  const ids = items.flatMap(({ state, line_id }) => (state === 'done' && line_id ? [line_id] : []));
  const lines = await withCsvFields(visibleLines(ctx.db, lineScope(ctx.actor)))
    .where(sql<SqlBool>`users.id = any(${ids}::uuid[])`)
    .execute();
  const byId = new Map(lines.map((line) => [line.id, line]));
  return ids.flatMap((id) => {
    const line = byId.get(id);
    return line ? [csvCells(line)] : [];
  });
}

/** A line's fields, each with its value before and after. */
const changedFields = [
  'expiry_date',
  'subscription_months',
  'is_trial',
  'status',
  'notes',
  'server_id',
  'owner_id',
] as const;
const resultColumns = [
  'row',
  'username',
  'state',
  'cost',
  ...changedFields.flatMap((field) => [`${field}_before`, `${field}_after`]),
  'reason',
];

function asCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  return value as Cell;
}

function resultsOf(items: Items): Cell[][] {
  return items.map(({ position, username, state, cost, before, after, error }) => [
    position,
    username,
    state,
    cost,
    ...changedFields.flatMap((field) => [asCell(before?.[field]), asCell(after?.[field])]),
    shownError(error)?.message ?? null,
  ]);
}

async function* writeCsv(
  ctx: Ctx,
  { id, action }: JobRow,
  isRefused: boolean,
): AsyncGenerator<string> {
  const isExport = action === 'export';
  yield csvHead(isExport ? csvColumns : resultColumns);
  for (let after = 0; ; ) {
    const items = await readItems(ctx, id, after, isRefused);
    const last = items.at(-1);
    if (!last) return;
    yield csvRows(isExport ? await linesOf(ctx, items) : resultsOf(items));
    after = last.position;
    // The embedded database runs in this process, so other requests get their turn between chunks.
    await nextTurn();
  }
}

/** Rows of customers who must enter other lines, of lines that are still there and that the account sees. */
async function* writeCustomers(ctx: Ctx, id: string): AsyncGenerator<string> {
  yield csvHead(customerColumns);
  for (let after = 0; ; ) {
    const rows = await customersOf(ctx.db, ctx.actor, id)
      .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
      .select(['users.username', 'users.name', 'users.notes'])
      .select(['owner.email as owner_email', 'position', 'before', 'after'])
      .where('position', '>', after)
      .orderBy('position')
      .limit(ROWS_AT_ONCE)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    yield csvRows(
      rows.map(({ before, after, ...line }) =>
        customerCells({ ...line, ...linesOfRow(before, after) }),
      ),
    );
    after = last.position;
    await nextTurn();
  }
}

export const jobCsv: Action<typeof contract.jobCsv> = async (ctx, { params, query }) => {
  if (query.list === 'customers') {
    await readAccounts(ctx.db, ctx.actor, params.id);
    ctx.saveAs(`customers-${ctx.today()}.csv`);
    return writeCustomers(ctx, params.id);
  }
  const job = await findJob(ctx.db, ctx.actor, params.id);
  ctx.saveAs(
    job.action === 'export' ? `lines-${ctx.today()}.csv` : `${job.action}-${ctx.today()}.csv`,
  );
  return writeCsv(ctx, job, query.list === 'refused');
};
