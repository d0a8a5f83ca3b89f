import { MAX_BULK_LINES } from '@linekeeper/contract/lines/bulk.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { isVisibleTo, lineScope, type SignedIn, visibleTo } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { countJob, insertJob } from '../../domain/lines/jobs.ts';
import { fail } from '../../platform/errors/refusal.ts';

/** Lines of the account and of all accounts below it that are not suspended, or would resume by themselves. */
function suspendable(db: Db, actor: SignedIn, account_id: string) {
  return db
    .selectFrom('account_tree')
    .innerJoin('users', 'users.owner_id', 'account_tree.account_id')
    .where('account_tree.ancestor_id', '=', account_id)
    .where(sql<SqlBool>`(users.suspension is null or users.suspension ->> 'until' is not null)`)
    .where(isVisibleTo(lineScope(actor), 'users.owner_id'));
}

/** Lines that the ban of the account has suspended, wherever they are now. */
function suspendedByBan(db: Db, actor: SignedIn, account_id: string) {
  return db
    .selectFrom('users')
    .where(visibleTo(lineScope(actor), 'users.owner_id'))
    .where(sql<SqlBool>`users.status_label = 'suspended'`)
    .where(sql<SqlBool>`users.suspension ->> 'ban_of' = ${account_id}`);
}

/**
 * Of the lines that the actor may change: how many a ban would suspend and its end would resume.
 */
export async function countBannedLines(db: Db, actor: SignedIn, account_id: string) {
  if (!can(actor, ['view_users'])) return { lines: 0, accounts: 0, suspended: 0 };
  const { lines, accounts } = await suspendable(db, actor, account_id)
    .select(({ fn }) => [
      fn.countAll<number>().as('lines'),
      fn.count<number>('users.owner_id').distinct().as('accounts'),
    ])
    .executeTakeFirstOrThrow();
  const { suspended } = await suspendedByBan(db, actor, account_id)
    .select(({ fn }) => fn.countAll<number>().as('suspended'))
    .executeTakeFirstOrThrow();
  return { lines: Number(lines), accounts: Number(accounts), suspended: Number(suspended) };
}

/**
 * Orders the jobs that suspend the lines of a banned account and of all below it, or resume what its
 * ban has suspended; each is at most as long as any job. They begin after the commit. Throws
 * FORBIDDEN where the actor may not change lines, and DAILY_LIMIT_REACHED.
 */
export async function orderLineJobs(
  tx: Tx,
  { actor, address, request_id }: Ctx,
  action: 'suspend' | 'resume',
  account_id: string,
): Promise<{ job_ids: string[]; lines: number }> {
  if (!can(actor, ['view_users'])) fail('FORBIDDEN');
  const found = await (action === 'suspend' ? suspendable : suspendedByBan)(tx, actor, account_id)
    .select(['users.id', 'users.username'])
    .orderBy('users.username')
    .execute();
  const job_ids: string[] = [];
  for (let from = 0; from < found.length; from += MAX_BULK_LINES) {
    const items = found.slice(from, from + MAX_BULK_LINES).map(({ id, username }, index) => ({
      position: index + 1,
      line_id: id,
      username,
      state: 'waiting' as const,
      error: null,
    }));
    const about = { action, arguments: { ban_of: account_id }, address, request_id };
    const id = await insertJob(tx, { account_id: actor.id, ...about }, items);
    await countJob(tx, actor, items.length);
    job_ids.push(id);
  }
  return { job_ids, lines: found.length };
}
