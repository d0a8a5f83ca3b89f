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
import { csvCells, hasPlans, readCsvColumns, withCsvFields } from '../list/line-csv.ts';
import { customersOf, readAccounts } from './job-customers.ts';
import { findJob, itemColumns, shownError } from './jobs-store.ts';

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

async function linesOf(
  ctx: Ctx,
  columns: Awaited<ReturnType<typeof readCsvColumns>>,
  items: Items,
): Promise<Cell[][]> {
  const ids = items.flatMap(({ state, line_id }) => (state === 'done' && line_id ? [line_id] : []));
  const lines = await withCsvFields(visibleLines(ctx.db, lineScope(ctx.actor)))
    .where(sql<SqlBool>`users.id = any(${ids}::uuid[])`)
    .execute();
  const byId = new Map(lines.map((line) => [line.id, line]));
  return ids.flatMap((id) => {
    const line = byId.get(id);
    return line ? [csvCells(columns, line)] : [];
  });
}

/** The fields of a line, each with its value before and after; the plan only if the panel has several. */
const changedFields = [
  'expiry_date',
  'subscription_months',
  'is_trial',
  'status',
  'notes',
  'server_id',
  'owner_id',
] as const;
const fieldsOf = async ({ db }: Ctx): Promise<string[]> =>
  (await hasPlans(db)) ? [...changedFields, 'plan_id'] : [...changedFields];
const resultColumns = (fields: readonly string[]) => [
  'row',
  'username',
  'state',
  'cost',
  ...fields.flatMap((field) => [`${field}_before`, `${field}_after`]),
  'reason',
];

function asCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  return value as Cell;
}

function resultsOf(fields: readonly string[], items: Items): Cell[][] {
  return items.map(({ position, username, state, cost, before, after, error }) => [
    position,
    username,
    state,
    cost,
    ...fields.flatMap((field) => [asCell(before?.[field]), asCell(after?.[field])]),
    shownError(error)?.message ?? null,
  ]);
}

/** Yields the rows of a job in their order, in batches. */
async function* csvByPosition<Row extends { position: number }>(
  columns: readonly string[],
  readAfter: (position: number) => Promise<Row[]>,
  cellsOf: (rows: Row[]) => Cell[][] | Promise<Cell[][]>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  for (let rows = await readAfter(0); ; ) {
    const last = rows.at(-1);
    if (!last) return;
    yield csvRows(await cellsOf(rows));
    // The embedded database runs in this process, so other requests are served between chunks.
    await nextTurn();
    rows = await readAfter(last.position);
  }
}

/**
 * The customers of a job who must change the receiver, as rows; only for lines that still exist and
 * that the account sees.
 */
const readCustomers = ({ db, actor }: Ctx, jobId: string, after: number) =>
  customersOf(db, actor, jobId)
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .select(['users.username', 'users.name', 'users.notes'])
    .select(['owner.email as owner_email', 'position', 'before', 'after'])
    .where('position', '>', after)
    .orderBy('position')
    .limit(ROWS_AT_ONCE)
    .execute();

export const jobCsv: Action<typeof contract.jobCsv> = async (ctx, { params: { id }, query }) => {
  const { list } = query;
  if (list === 'customers') {
    await readAccounts(ctx.db, ctx.actor, id);
    ctx.saveAs(`customers-${ctx.today()}.csv`);
    return csvByPosition(
      customerColumns,
      (after) => readCustomers(ctx, id, after),
      (rows) =>
        rows.map(({ before, after, ...line }) =>
          customerCells({ ...line, ...linesOfRow(before, after) }),
        ),
    );
  }
  const { action } = await findJob(ctx.db, ctx.actor, id);
  const isExport = action === 'export';
  ctx.saveAs(`${isExport ? 'lines' : action}-${ctx.today()}.csv`);
  const readAfter = (after: number) => readItems(ctx, id, after, list === 'refused');
  if (isExport) {
    const columns = await readCsvColumns(ctx.db);
    return csvByPosition(columns, readAfter, (items) => linesOf(ctx, columns, items));
  }
  const fields = await fieldsOf(ctx);
  return csvByPosition(resultColumns(fields), readAfter, (items) => resultsOf(fields, items));
};
