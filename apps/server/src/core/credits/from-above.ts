import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail } from '../refusal.ts';

/**
 * Credits of an account that came from those above it and are unspent: the most that can be taken back.
 * What it bought, redeemed or was given by administrators stays its own. What is spent comes from above
 * first, so the sum is counted from the last time that nothing of it was left; a refunded part was not
 * spent.
 */
export async function readFromAbove(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ most: number }>`
    with moved as (
      select id, created_at, amount from credit_transfers
        where to_id = ${accountId} and kind = 'transfer'
      union all
      select paid.id, paid.created_at, coalesce(refund.amount, 0) - paid.amount
        from credit_transfers paid left join credit_transfers refund on refund.refund_of = paid.id
        where paid.from_id = ${accountId}
          and paid.kind in ('sale', 'renewal', 'transfer', 'take_back')
    ), added_up as (
      select sum(amount) over (order by created_at, id) as so_far, id, created_at from moved
    )
    select least(credits, greatest(0,
        coalesce((select so_far from added_up order by created_at desc, id desc limit 1), 0)
          - least(0, (select min(so_far) from added_up))))::bigint as most
      from auth_users where id = ${accountId}`.execute(db);
  return rows[0]?.most ?? fail('USER_NOT_FOUND');
}

/**
 * Locks both balances, in the order of every movement, so that nothing is spent meanwhile. Throws
 * NOT_FROM_ABOVE.
 */
export async function refuseOwnCredits(
  tx: Tx,
  { from_id, to_id, amount }: { from_id: string; to_id: string; amount: number },
): Promise<void> {
  const accounts = await tx
    .selectFrom('auth_users')
    .select(['id', 'credits'])
    .where('id', 'in', [from_id, to_id])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const available = accounts.find(({ id }) => id === from_id)?.credits ?? 0;
  if (amount > available) fail('INSUFFICIENT_CREDITS', { required: amount, available });
  const most = await readFromAbove(tx, from_id);
  if (amount > most) fail('NOT_FROM_ABOVE', { most });
}
