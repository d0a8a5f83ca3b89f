import type * as contract from '@linekeeper/contract/lines/customers.ts';
import { MAX_CUSTOMERS } from '@linekeeper/contract/lines/customers.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { accountName } from '../../../domain/accounts/accounts.ts';
import { lineScope, type Scope, type SignedIn } from '../../../domain/context/access.ts';
import { isReaddressed, linesOfRow } from '../../../domain/lines/changed-addresses.ts';
import { visibleLines } from '../../../domain/lines/line-sets.ts';
import { languageOfCustomer, ownTextsIn } from '../../../domain/lines/seller-texts.ts';
import type { Action, Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { findJob, keepsCustomers } from './jobs-store.ts';

/**
 * Visible lines whose customers must change the receiver since a job, each with the account that
 * marked the customer as notified.
 */
const readdressedLines = (db: Db, scope: Scope) =>
  visibleLines(db, scope)
    .innerJoin('job_items', 'job_items.line_id', 'users.id')
    .leftJoin('told_customers', (join) =>
      join
        .onRef('told_customers.line_id', '=', 'users.id')
        .onRef('told_customers.job_id', '=', 'job_items.job_id'),
    )
    .where(isReaddressed);

/** Customers of one job, until its list is deleted. */
export const customersOf = (db: Db, actor: SignedIn, jobId: string) =>
  readdressedLines(db, lineScope(actor))
    .where('job_items.job_id', '=', jobId)
    .where(
      sql<SqlBool>`exists (select from jobs where jobs.id = job_items.job_id and ${keepsCustomers})`,
    );

/**
 * The owners of the lines whose receiver settings a job changed, those with most customers left to notify first. Throws
 * JOB_NOT_FOUND once the job's list of customers is deleted.
 */
export async function readAccounts(db: Db, actor: SignedIn, id: string) {
  const accounts = await customersOf(db, actor, id)
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .leftJoin('account_texts', 'account_texts.account_id', 'owner.id')
    .select(['owner.id as account_id', accountName('owner').as('name')])
    .select('account_texts.texts as stored')
    .select(sql<number>`count(*)::integer`.as('lines'))
    .select(sql<number>`count(told_at)::integer`.as('told'))
    .groupBy(['owner.id', 'account_texts.account_id'])
    .orderBy(sql`count(*) - count(told_at)`, 'desc')
    .orderBy('owner.id')
    .execute();
  if (accounts.length > 0) {
    return accounts.map(({ stored, ...account }) => ({
      ...account,
      texts: ownTextsIn(stored).moved ?? {},
    }));
  }
  const { keeps_customers } = await findJob(db, actor, id);
  return keeps_customers ? [] : fail('JOB_NOT_FOUND');
}

/**
 * The server that all lines came from, and the one on which all are now; null if there are several,
 * or if it was deleted.
 */
async function readServers(db: Db, jobId: string) {
  const nameAt = (moment: 'before' | 'after') => sql`(select server_name from cccam_servers
    where id = coalesce((${sql.ref(`job_items.${moment}`)} ->> 'server_id')::uuid, users.server_id))`;
  const { rows } = await sql<{ from_server: string | null; to_server: string | null }>`
    select case when min(old) = max(old) and count(old) = count(*) then min(old) end as from_server,
        case when min(new) = max(new) and count(new) = count(*) then min(new) end as to_server
      from (
        select ${nameAt('before')} as old, ${nameAt('after')} as new
          from job_items left join users on users.id = line_id
          where job_id = ${jobId}::uuid and ${isReaddressed}) as moved`.execute(db);
  return rows[0] ?? { from_server: null, to_server: null };
}

export const jobCustomers: Action<typeof contract.jobCustomers> = async (
  { db, actor },
  { params: { id }, query },
) => {
  const accounts = await readAccounts(db, actor, id);
  // The email of the job's account is only for administrators.
  const by = actor.is_admin
    ? sql<string | null>`${accountName('author')}`
    : sql<string | null>`nullif(author.full_name, '')`;
  const job = await db
    .selectFrom('jobs')
    .innerJoin('auth_users as author', 'author.id', 'jobs.account_id')
    .select(['jobs.action', 'jobs.created_at', by.as('by')])
    .select(
      sql<boolean>`exists (select from jobs as undo where undo.undo_of = jobs.id)`.as('is_undone'),
    )
    .where('jobs.id', '=', id)
    .executeTakeFirstOrThrow();
  let found = customersOf(db, actor, id).where('job_items.position', '>', query.after ?? 0);
  if (query.owner_id) found = found.where('users.owner_id', '=', query.owner_id);
  if (query.told !== undefined) {
    found = found.where(sql<SqlBool>`(told_at is not null) = ${query.told}::boolean`);
  }
  const rows = await found
    .innerJoin('plans', 'plans.id', 'users.plan_id')
    .select(['job_items.position', 'users.id as line_id', 'users.username', 'users.owner_id'])
    .select(['users.name', 'users.notes', 'users.expiry_date', 'users.price_minor'])
    .select(['users.currency', 'plans.name as plan', languageOfCustomer.as('language')])
    .select(['users.host_port', 'told_at', 'before', 'after'])
    .orderBy('job_items.position')
    .limit(MAX_CUSTOMERS + 1)
    .execute();
  const items = rows.slice(0, MAX_CUSTOMERS).map(({ before, after, told_at, ...line }) => ({
    ...line,
    ...linesOfRow(before, after),
    told_at: told_at?.toISOString() ?? null,
  }));
  const sum = (name: 'lines' | 'told') => accounts.reduce((all, one) => all + one[name], 0);
  return {
    action: job.action,
    by: job.by,
    is_undone: job.is_undone,
    at: job.created_at.toISOString(),
    ...(await readServers(db, id)),
    lines: sum('lines'),
    told: sum('told'),
    accounts,
    items,
    next: rows.length > MAX_CUSTOMERS ? (items.at(-1)?.position ?? null) : null,
  };
};

export const markTold: Mutation<typeof contract.markTold, { told: number }> = {
  audit: { notAudited: 'whom a seller has told changes nothing in the panel' },
  commit: async (tx, { actor }, { params: { id }, body: { line_ids, is_told } }) => {
    await readAccounts(tx, actor, id);
    const lines = await customersOf(tx, actor, id)
      .select('users.id as line_id')
      .where(sql<SqlBool>`users.id = any(${line_ids}::uuid[])`)
      .execute();
    const ids = lines.map(({ line_id }) => line_id);
    if (ids.length === 0) return { told: 0 };
    if (is_told) {
      await tx
        .insertInto('told_customers')
        .values(ids.map((line_id) => ({ job_id: id, line_id, told_by: actor.id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else {
      await tx
        .deleteFrom('told_customers')
        .where('job_id', '=', id)
        .where('line_id', 'in', ids)
        .execute();
    }
    return { told: is_told ? ids.length : 0 };
  },
  reply: async (_, done) => done,
};

/** SQL condition: the line was online on its new server, so its customer knows the new address. */
const wasSeen = sql<SqlBool>`(before ->> 'server_id' is not null and exists (
  select from line_presence where line_presence.line_id = users.id
    and line_presence.server_id = users.server_id and last_seen_at > job.created_at))`;

/** SQL condition: the line was not changed again since, and, for an undo, its customer had been notified before. */
const isStillSo = sql<SqlBool>`(
  coalesce(after ->> 'server_id', users.server_id::text) = users.server_id::text
  and coalesce(after -> 'host_port', to_jsonb(users.host_port)) = to_jsonb(users.host_port)
  and (job.undo_of is null or exists (select from told_customers as before_it
    where before_it.job_id = job.undo_of and before_it.line_id = users.id)))`;

export const customersToTell: Action<typeof contract.customersToTell> = async ({ db, actor }) => {
  const own = { account_id: actor.id, sees_all: false, is_own: true };
  const jobs = db.selectFrom('jobs').select(['id', 'undo_of', 'created_at']).where(keepsCustomers);
  const rows = await readdressedLines(db, own)
    .innerJoin(jobs.as('job'), 'job.id', 'job_items.job_id')
    // Repeats the condition of the index of customers, so that PostgreSQL uses it.
    .where(sql<SqlBool>`jsonb_exists(before, 'receivers')`)
    .where(isStillSo)
    .groupBy(['job.id', 'job.created_at'])
    .select(['job.id as job_id', 'job.created_at as at'])
    .select(sql<number>`count(*)::integer`.as('lines'))
    .select(sql<number>`count(told_at)::integer`.as('told'))
    .select(sql<number>`count(*) filter (where told_at is null and ${wasSeen})::integer`.as('seen'))
    .having(sql<SqlBool>`count(*) > count(*) filter (where told_at is not null or ${wasSeen})`)
    .orderBy('job.created_at', 'desc')
    .execute();
  return { items: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })) };
};
