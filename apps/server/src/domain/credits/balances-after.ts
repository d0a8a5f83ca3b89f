import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { wholeAmount } from './bundles.ts';

/**
 * An account's balance after each of its transfers, by transfer id: the stored balance minus all later movements. Reads
 * each account's transfers back to the oldest one requested. Leaves out administrators and system accounts, whose
 * balance is not counted. With `inBundles`, each requested transfer is the first of a bundle or in none, and the
 * balance is the one after the whole bundle.
 */
export async function readBalancesAfter(
  db: Db,
  wanted: readonly { id: string; account_id: string }[],
  inBundles = false,
): Promise<Map<string, number>> {
  if (wanted.length === 0) return new Map();
  const amount = inBundles ? wholeAmount('t') : sql`t.amount`;
  const isRead = inBundles ? sql`t.bundle_id is null` : sql`true`;
  const { rows } = await sql<{ id: string; balance: number }>`
    with wanted as (
      select t.id, asked.account_id, t.created_at
        from unnest(${wanted.map(({ id }) => id)}::uuid[],
          ${wanted.map(({ account_id }) => account_id)}::uuid[]) as asked (id, account_id)
        join credit_transfers t using (id)
    ), since as (
      select account_id, min(created_at) as moment from wanted group by account_id
    ), moved as (
      select since.account_id, t.id, t.created_at, ${amount} as amount from since join credit_transfers t
        on t.to_id = since.account_id and t.created_at >= since.moment and ${isRead}
      union all
      select since.account_id, t.id, t.created_at, -${amount} as amount from since join credit_transfers t
        on t.from_id = since.account_id and t.created_at >= since.moment and ${isRead}
    ), later as (
      select account_id, id, (sum(amount) over (
          partition by account_id order by created_at desc, id desc
          rows between unbounded preceding and 1 preceding))::bigint as amount
        from moved
    )
    select wanted.id, account.credits - coalesce(later.amount, 0) as balance
      from wanted join later using (account_id, id)
      join auth_users account on account.id = account_id and not account.is_admin`.execute(db);
  return new Map(rows.map(({ id, balance }) => [id, balance]));
}
