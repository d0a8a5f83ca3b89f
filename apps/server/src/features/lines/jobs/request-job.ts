import type { Day } from '@linekeeper/contract/dates.ts';
import type * as contract from '@linekeeper/contract/lines/bulk.ts';
import {
  type BulkRequest,
  type Job,
  type JobItem,
  MAX_BULK_LINES,
} from '@linekeeper/contract/lines/bulk.ts';
import { type SqlBool, sql } from 'kysely';
import type { Offer } from '../../../db/schema/job-schema.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import { accountName } from '../../../domain/accounts/accounts.ts';
import { jobSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope, type Scope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { readOffer } from '../../../domain/credits/prices.ts';
import { askForJob, type NewItem } from '../../../domain/lines/jobs.ts';
import { filterLines, visibleLines, withFurtherPlans } from '../../../domain/lines/line-sets.ts';
import { type Mutation, Unkept } from '../../../domain/use-cases/use-case.ts';
import { catchRefusal, fail, Refusal } from '../../../platform/errors/refusal.ts';
import type { AskedChange } from '../change/asked-change.ts';
import { type ChangeableLine, changeableColumns } from '../change/locked-line.ts';
import { itemError } from '../change/plan.ts';
import { plannerOf } from '../change/planner.ts';
import { countKinds } from '../change/renewal.ts';
import type { ReadRow } from '../import/import-row.ts';
import { type PlannedItem, planImport, readRows } from '../import/plan-row.ts';
import { checkQuote } from '../price/price.ts';
import { jobKinds } from './job-kinds.ts';
import { emptyJob, readJob, readOwnerEmails, shownError } from './jobs-store.ts';

type Selecting = Exclude<BulkRequest, { action: 'import' }>;

/** A requested line; undefined if it does not exist or is not visible. */
interface Selected {
  id: string;
  line: ChangeableLine | undefined;
}

/** The lines of a request: in the order of its ids, or those matching its filter, newest first. Throws TOO_MANY_LINES. */
async function selectLines(
  db: Db,
  scope: Scope,
  today: Day,
  { ids, filter }: Pick<Selecting, 'ids' | 'filter'>,
): Promise<Selected[]> {
  const lines = visibleLines(db, scope);
  if (ids) {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    const found = await lines
      .select(changeableColumns)
      .where(sql<SqlBool>`users.id = any(${wanted}::uuid[])`)
      .execute();
    const byId = new Map(found.map((line) => [line.id, line]));
    return wanted.map((id) => ({ id, line: byId.get(id) }));
  }
  const found = await filterLines(lines, await withFurtherPlans(db, filter ?? {}), today)
    .select(changeableColumns)
    .orderBy('users.added_date', 'desc')
    .orderBy('users.id', 'desc')
    .limit(MAX_BULK_LINES + 1)
    .execute();
  if (found.length > MAX_BULK_LINES) fail('TOO_MANY_LINES', { maximum: MAX_BULK_LINES });
  return found.map((line) => ({ id: line.id, line }));
}

const unchanged = { before: null, after: null, cost: 0 };

/** The planned items of a job. `owners` are the ids of the accounts whose lines can be changed. */
type Planned = { items: PlannedItem[]; kinds: Job['kinds']; owners: string[] };

async function planItems(
  tx: Tx,
  ctx: Ctx,
  body: BulkRequest,
  rows: readonly ReadRow[],
): Promise<Planned> {
  if (body.action === 'import') {
    return { items: await planImport(tx, ctx, body, rows), kinds: null, owners: [] };
  }
  const scope = lineScope(ctx.actor, body.filter);
  const selected = await selectLines(tx, scope, ctx.today(), body);
  const lines = selected.flatMap(({ line }) => line ?? []);
  const planLine = await plannerOf(tx, ctx, body, lines);
  const kinds = body.action === 'renew' ? countKinds(lines, ctx.today()) : null;
  const owners: string[] = [];
  const planned: PlannedItem[] = [];
  for (const { id, line } of selected) {
    const about = { line_id: id, username: line?.username ?? '', input: null };
    const plan = await catchRefusal(() => planLine(line ?? fail('LINE_NOT_FOUND')));
    if (plan instanceof Refusal) planned.push({ ...about, ...unchanged, error: itemError(plan) });
    else planned.push({ ...about, ...plan, error: null });
    if (line && !(plan instanceof Refusal)) owners.push(line.owner_id);
  }
  return { items: planned, kinds, owners };
}

/** The position of a row as a person counts it: in the file, or in the selection. */
function positionOf(rows: readonly ReadRow[], index: number): number {
  return rows[index]?.number ?? index + 1;
}

/** The accounts among the owners other than the reader, those with most lines first. */
async function readOthers(
  tx: Tx,
  { actor }: Ctx,
  owners: readonly string[],
): Promise<Job['of_others']> {
  const others = owners.filter((id) => id !== actor.id);
  const { rows } = await sql<Job['of_others'][number]>`
    select auth_users.id as account_id, ${accountName('auth_users')} as name, count(*)::integer as lines
      from unnest(${others}::uuid[]) as owner (id) join auth_users on auth_users.id = owner.id
      group by auth_users.id order by lines desc, auth_users.id`.execute(tx);
  return rows;
}

/** The fields about the line of a job with one line only. */
function ofOneLine([only, ...others]: readonly PlannedItem[]) {
  const { username, line_id, after } = others.length === 0 ? { ...only } : {};
  const expiry_date = typeof after?.expiry_date === 'string' ? after.expiry_date : null;
  return { username: username ?? null, line_id: line_id ?? null, expiry_date };
}

async function preview(
  tx: Tx,
  ctx: Ctx,
  body: BulkRequest,
  rows: readonly ReadRow[],
): Promise<Job> {
  const { items: planned, kinds, owners } = await planItems(tx, ctx, body, rows);
  const credits = await readBalance(tx, ctx.actor.id);
  const cost = planned.reduce((sum, item) => sum + item.cost, 0);
  const emails = await readOwnerEmails(tx, ctx.actor, planned);
  const items = planned.map(
    ({ input: _, term: _term, error, ...item }, index): JobItem => ({
      ...item,
      owner_email: emails.get(String(item.after?.owner_id)) ?? null,
      position: positionOf(rows, index),
      state: error ? 'skipped' : 'waiting',
      error: shownError(error),
      sync_state: null,
      sync_message: null,
      sync_finding: null,
    }),
  );
  return {
    ...emptyJob,
    ...ofOneLine(planned),
    cost,
    credits,
    credits_after: credits - cost,
    kinds,
    items,
    action: body.action,
    arguments: argumentsOf(body),
    state: 'preview',
    total: items.length,
    to_tell: planned.filter(({ before }) => Array.isArray(before?.receivers)).length,
    skipped: planned.filter(({ error }) => error).length,
    of_others: await readOthers(tx, ctx, owners),
  };
}

/** The job's parameters; its lines are in its items. */
function argumentsOf(body: BulkRequest): Record<string, unknown> {
  if (body.action === 'import') {
    const { existing, adopt } = body;
    return { ...(existing === 'extend' && { existing }), ...(adopt && { adopt }) };
  }
  const { action: _, ids: _ids, filter: _filter, preview: _preview, ...asked } = body;
  const { quoted_cost: _quoted, ...about } = { quoted_cost: undefined, ...asked };
  return about satisfies Partial<AskedChange>;
}

/**
 * Refuses a job that cannot be carried out as requested. Throws IMPORT_HAS_INVALID_ROWS,
 * NOTHING_TO_DO, QUOTE_CHANGED or INSUFFICIENT_CREDITS.
 */
async function refuseHopeless(
  tx: Tx,
  ctx: Ctx,
  body: BulkRequest,
  planned: readonly PlannedItem[],
): Promise<void> {
  const invalid = planned.filter(({ error }) => error).length;
  if (body.action === 'import' && !body.only_valid && invalid > 0) {
    fail('IMPORT_HAS_INVALID_ROWS', { count: invalid });
  }
  if (invalid === planned.length) fail('NOTHING_TO_DO');
  const required = planned.reduce((sum, { cost }) => sum + cost, 0);
  if ('quoted_cost' in body) checkQuote(body.quoted_cost, required);
  if (required === 0) return;
  const available = await readBalance(tx, ctx.actor.id);
  if (required > available) fail('INSUFFICIENT_CREDITS', { required, available });
}

async function store(
  tx: Tx,
  ctx: Ctx & { offer: Offer },
  body: BulkRequest,
  rows: readonly ReadRow[],
): Promise<string | Refusal> {
  const { items: planned } = await planItems(tx, ctx, body, rows);
  // The refusal is returned instead of thrown, so that the names of other accounts that were found stay counted.
  const refused = await catchRefusal(() => refuseHopeless(tx, ctx, body, planned));
  if (refused instanceof Refusal) return refused;
  const toDo = jobKinds[body.action].work ? 'waiting' : 'done';
  const items = planned.flatMap(({ line_id, username, error, input }, index): NewItem[] => {
    const position = positionOf(rows, index);
    return error?.code === 'LINE_NOT_FOUND'
      ? []
      : [{ position, line_id, username, state: error ? 'skipped' : toDo, error, input }];
  });
  const not_found = planned.length - items.length;
  const job = { action: body.action, arguments: argumentsOf(body), not_found, offer: ctx.offer };
  return askForJob(tx, ctx, job, items);
}

type Requested = { preview: Job } | { job_id: string };

export const requestJob: Mutation<typeof contract.bulkLines, Requested, ReadRow[]> = {
  audit: {
    action: 'job.request',
    subject: jobSubject,
    made: (requested) => ('job_id' in requested ? requested.job_id : ''),
    data: ({ body: { action } }) => ({ action }),
  },
  prepare: async (_, { body }) => (body.action === 'import' ? readRows(body) : []),
  commit: async (tx, asking, { body }, rows) => {
    // The offer is read once, so that the lines cost as much as was planned for them.
    const ctx = { ...asking, offer: await readOffer(tx, asking.actor) };
    if (body.preview) return new Unkept<Requested>({ preview: await preview(tx, ctx, body, rows) });
    const stored = await store(tx, ctx, body, rows);
    return stored instanceof Refusal ? stored : { job_id: stored };
  },
  reply: async (ctx, requested) => {
    if ('preview' in requested) return { job: requested.preview };
    return { job: await readJob(ctx.db, ctx.actor, requested.job_id) };
  },
};
