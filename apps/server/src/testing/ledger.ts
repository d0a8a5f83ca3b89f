import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../db/transaction.ts';

/** The transfers that name an account, oldest first. */
export async function transfersOf(db: Db, accountId: string) {
  return db
    .selectFrom('credit_transfers')
    .selectAll()
    .where((where) => where.or([where('from_id', '=', accountId), where('to_id', '=', accountId)]))
    .orderBy('id')
    .execute();
}

/** Every balance is what the transfers add up to, and none is below zero. */
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

/** How many rows a sale could leave behind: nothing of them may change where it is refused. */
export async function countTraces(db: Db) {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from users) as lines,
    (select count(*) from credit_transfers) as transfers,
    (select count(*) from server_accounts) as wanted,
    (select count(*) from idempotency_keys) as keys,
    (select sum(credits)::bigint from auth_users) as credits`.execute(db);
  return rows[0];
}
