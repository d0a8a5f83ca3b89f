import type * as contract from '@linekeeper/contract/bulk.ts';
import { type SqlBool, sql } from 'kysely';
import { lineScope } from '../../../core/access.ts';
import type { Ctx } from '../../../core/context.ts';
import type { Action } from '../../../core/use-case.ts';
import { visibleLines } from '../store.ts';
import { type Cell, csvHead, csvRows } from './csv.ts';
import { findJob, itemColumns, type JobRow, shownError } from './jobs-store.ts';

/** Rows read and written at a time: others are served in between. */
const AT_ONCE = 500;

/** Every field of a line but its password, by the names an import knows. */
const lineColumns = [
  'username',
  'protocol',
  'server',
  'host_port',
  'user_value',
  'added_date',
  'expiry_date',
  'is_trial',
  'subscription_months',
  'status',
  'live_channel',
  'info',
  'notes',
  'name',
  'company',
  'role',
  'email',
  'avatar_url',
  'owner_email',
] as const;

async function readItems({ db }: Ctx, jobId: string, after: number) {
  return db
    .selectFrom('job_items')
    .select(itemColumns)
    .where('job_id', '=', jobId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(AT_ONCE)
    .execute();
}
type Items = Awaited<ReturnType<typeof readItems>>;

async function linesOf(ctx: Ctx, items: Items): Promise<Cell[][]> {
  const ids = items.flatMap(({ state, line_id }) => (state === 'done' && line_id ? [line_id] : []));
  const lines = await visibleLines(ctx.db, lineScope(ctx.actor))
    .innerJoin('cccam_servers as server', 'server.id', 'users.server_id')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .select(['users.id', 'users.username', 'users.protocol', 'server.server_name as server'])
    .select(['users.host_port', 'users.user_value', 'users.added_date', 'users.expiry_date'])
    .select(['users.is_trial', 'users.subscription_months', 'users.status', 'users.live_channel'])
    .select(['users.info', 'users.notes', 'users.name', 'users.company', 'users.role'])
    .select(['users.email', 'users.avatar_url', 'owner.email as owner_email'])
    .where(sql<SqlBool>`users.id = any(${ids}::uuid[])`)
    .execute();
  const byId = new Map(lines.map((line) => [line.id, line]));
  return ids.flatMap((id) => {
    const line = byId.get(id);
    if (!line) return [];
    const host_port = line.host_port.join('|');
    const status = line.status.map(({ label }) => label).join('|');
    const cells = { ...line, host_port, status };
    return [lineColumns.map((column) => cells[column])];
  });
}

/** A line's fields before and after, side by side. */
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

async function writeCsv(ctx: Ctx, { id, action }: JobRow): Promise<string> {
  const isExport = action === 'export';
  const parts = [csvHead(isExport ? lineColumns : resultColumns)];
  for (let after = 0; ; ) {
    const items = await readItems(ctx, id, after);
    const last = items.at(-1);
    if (!last) return parts.join('');
    parts.push(csvRows(isExport ? await linesOf(ctx, items) : resultsOf(items)));
    after = last.position;
  }
}

export const jobCsv: Action<typeof contract.jobCsv> = async (ctx, { params }) => {
  const job = await findJob(ctx.db, ctx.actor, params.id);
  const text = await writeCsv(ctx, job);
  ctx.saveAs(
    job.action === 'export' ? `lines-${ctx.today()}.csv` : `${job.action}-${ctx.today()}.csv`,
  );
  return text;
};
