import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../db/transaction.ts';

/** All transfers of an account, oldest first. */
export async function transfersOf(db: Db, accountId: string) {
  return db
    .selectFrom('credit_transfers')
    .selectAll()
    .where((where) => where.or([where('from_id', '=', accountId), where('to_id', '=', accountId)]))
    .orderBy('id')
    .execute();
}

/** Expects that every balance equals the sum of its transfers, and that none is negative. */
export async function expectBalancedBooks(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string; credits: number; sum: number }>`
    select id, credits, (
      select coalesce(sum(case when to_id = auth_users.id then amount else -amount end), 0)::bigint
        from credit_transfers where auth_users.id in (from_id, to_id)) as sum
    from auth_users`.execute(db);
  for (const { id, credits, sum } of rows) {
    expect({ id, credits }).toEqual({ id, credits: sum });
    expect(credits).toBeGreaterThanOrEqual(0);
  }
}

/**
 * Expects that the accounts of each subtree together have the credits that came from outside, less
 * those that went out; that the stored tree and its counts match the owners; and that nobody but
 * the administrator issued or destroyed credits.
 */
export async function expectConservedTrees(db: Db, adminId: string, ids: readonly string[]) {
  const { rows } = await sql`
    with recursive chain (ancestor_id, account_id) as (
      select id, id from auth_users where id in (${sql.join([...ids])})
      union all
      select auth_users.owner_id, chain.account_id from chain
        join auth_users on auth_users.id = chain.ancestor_id where auth_users.owner_id is not null)
    select root.id, (
        select sum(credits)::bigint from account_tree
          join auth_users on auth_users.id = account_id where ancestor_id = root.id
      ) as held, (
        select coalesce(sum(amount * ((receives.account_id is not null)::int
          - (sends.account_id is not null)::int)), 0)::bigint
        from credit_transfers
        left join account_tree receives on receives.ancestor_id = root.id and receives.account_id = to_id
        left join account_tree sends on sends.ancestor_id = root.id and sends.account_id = from_id
      ) as moved,
      array(select account_id from account_tree where ancestor_id = root.id order by 1) as tree,
      array(select account_id from chain where ancestor_id = root.id order by 1) as owned,
      (select subtree_count from account_figures where account_id = root.id) as counted,
      (select line_count from account_figures where account_id = root.id) as lines,
      (select count(*) from users where owner_id = root.id) as owned_lines
    from auth_users root where root.id in (${sql.join([...ids])})`.execute(db);
  for (const row of rows as Record<string, unknown>[]) {
    expect(row).toMatchObject({ moved: row.held, owned: row.tree, owned_lines: row.lines });
    expect((row.tree as string[]).length - 1).toBe(row.counted);
  }
  const made = await db
    .selectFrom('credit_transfers')
    .select('actor_id')
    .distinct()
    .where('kind', 'in', ['mint', 'adjustment'])
    .where((where) => where.or([where('from_id', 'in', ids), where('to_id', 'in', ids)]))
    .execute();
  for (const { actor_id } of made) expect(actor_id).toBe(adminId);
}

/** Number of rows in all tables that a sale writes to, to prove that a refused one wrote nothing. */
export async function countTraces(db: Db) {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from users) as lines,
    (select count(*) from credit_transfers) as transfers,
    (select count(*) from server_accounts) as wanted,
    (select count(*) from idempotency_keys) as keys,
    (select sum(credits)::bigint from auth_users) as credits`.execute(db);
  return rows[0];
}
