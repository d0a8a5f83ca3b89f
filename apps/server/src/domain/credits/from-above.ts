import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';

/** The account and the accounts between it and the taker, the highest first. */
async function readChain(db: Db, accountId: string, takerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select above.ancestor_id as id from account_tree above
      left join account_tree taker
        on taker.account_id = above.account_id and taker.ancestor_id = ${takerId}
      where above.account_id = ${accountId} and above.depth < coalesce(taker.depth, 1)
      order by above.depth desc`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * SQL of the movements of the credits that an account got from the taker or from above it, with the rest after each
 * movement. If an account in between passed them on, only the same part of its credits counts. The sum starts after the
 * last time that the rest was 0; refunded credits were not spent.
 */
function levelOf(id: string, level: number, between: readonly string[]): RawBuilder<unknown> {
  const given = between.map(
    (_, index) =>
      sql`union all select id, handed from ${sql.ref(`level_${index}`)} where to_id = ${id}`,
  );
  return sql`${sql.ref(`level_${level}`)} as materialized (
    with come as (
      select id, amount from credit_transfers
        where to_id = ${id} and kind = 'transfer' and not from_id = any(${between}::uuid[])
      ${sql.join(given, sql` `)}
    ), moved as (
      select id, created_at, to_id, come.amount from come join credit_transfers using (id)
      union all
      select paid.id, paid.created_at, paid.to_id, coalesce(refund.amount, 0) - paid.amount
        from credit_transfers paid left join credit_transfers refund on refund.refund_of = paid.id
        where paid.from_id = ${id} and paid.kind in ('sale', 'renewal', 'transfer', 'take_back')
    ), added_up as (
      select *, sum(amount) over (order by created_at, id) as so_far from moved
    ), remaining as (
      select *, so_far - least(0, min(so_far) over (order by created_at, id)) as part from added_up
    )
    select id, created_at, to_id, part,
        lag(part, 1, 0) over (order by created_at, id) - part as handed from remaining)`;
}

/**
 * Unspent credits of an account that came from the taker or from accounts above it: the most that it can take back.
 * Credits that the account, or one between them, bought, redeemed or got from administrators stay. Spending uses up
 * credits from above first. Throws USER_NOT_FOUND.
 */
export async function readFromAbove(db: Db, accountId: string, takerId: string): Promise<number> {
  // An account cannot take credits from itself.
  if (accountId === takerId) return 0;
  const chain = await readChain(db, accountId, takerId);
  const levels = chain.map((id, level) => levelOf(id, level, chain.slice(0, level)));
  if (levels.length === 0) return fail('USER_NOT_FOUND');
  const { rows } = await sql<{ most: number }>`
    with ${sql.join(levels)}
    select least(credits, coalesce((select part from ${sql.ref(`level_${levels.length - 1}`)}
        order by created_at desc, id desc limit 1), 0))::bigint as most
      from auth_users where id = ${accountId}`.execute(db);
  return rows[0]?.most ?? fail('USER_NOT_FOUND');
}

/**
 * Locks both balances, in the same order as every movement, so that nothing is spent in the
 * meantime. Throws INSUFFICIENT_CREDITS and NOT_FROM_ABOVE.
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
  const most = await readFromAbove(tx, from_id, to_id);
  if (amount > most) fail('NOT_FROM_ABOVE', { most, count: most });
}
