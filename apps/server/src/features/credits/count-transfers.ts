import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import { fixedStatement } from '../../db/fixed-statement.ts';
import type { Db } from '../../db/transaction.ts';
import { asTotal, type Total } from '../../platform/paging/pages.ts';

/** Bounded, because a clock that was set back writes among those that were counted. */
const REMEMBERED_FOR_MS = 60_000;
const MOST_REMEMBERED = 1000;

interface Settled {
  /** Counts transfers written before this moment. */
  before: string;
  count: number;
  countedAt: number;
}

/** By account, for each database. */
const remembered = new WeakMap<Db, Map<string, Settled>>();

const sides = (account_id: string, isMeant: ReturnType<typeof sql>) => {
  const side = (column: 'from_id' | 'to_id') => sql`(
    select count(*) from (select 1 from credit_transfers
      where ${sql.ref(column)} = ${account_id} and ${isMeant}
      limit ${sql.lit(MOST_COUNTED + 1)}) as side)`;
  // No transfer has the same account on both sides.
  return sql<number>`${side('from_id')} + ${side('to_id')}`.as('count');
};

const countSettled = fixedStatement(['account_id'], (db, { account_id }) => {
  // In whole milliseconds, as the times of rows that were read.
  const before = sql`date_trunc('milliseconds', now() - interval '1 hour')`;
  return db.selectNoFrom([
    sides(account_id, sql`created_at < ${before}`),
    sql<string>`${before}::text`.as('before'),
  ]);
});

const countSince = fixedStatement(['account_id', 'before'], (db, { account_id, before }) =>
  db.selectNoFrom([sides(account_id, sql`created_at >= ${before}::timestamptz`)]),
);

/**
 * How many transfers an account has. They are never changed nor removed, and none is written an hour
 * late, so that those older than that are counted once. `newest` are the first in list order, or null
 * where others were read: if they reach back that far, no newer ones are left to be counted.
 */
export async function totalOfAccount(
  db: Db,
  account_id: string,
  newest: readonly { created_at: Date }[] | null,
): Promise<Total> {
  const known = remembered.get(db) ?? new Map<string, Settled>();
  remembered.set(db, known);
  const settled = known.get(account_id) ?? { before: '', count: 0, countedAt: -Infinity };
  if (performance.now() - settled.countedAt > REMEMBERED_FOR_MS) {
    const countedAt = performance.now();
    const [counted] = await countSettled(db, { account_id });
    Object.assign(settled, counted, { countedAt });
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(account_id, settled);
  }
  const oldest = newest?.at(-1);
  const settledAt = new Date(settled.before);
  if (newest && oldest && oldest.created_at < settledAt) {
    const unsettled = newest.filter(({ created_at }) => created_at >= settledAt);
    return asTotal(settled.count + unsettled.length);
  }
  const [since] = await countSince(db, { account_id, before: settled.before });
  return asTotal(settled.count + (since?.count ?? 0));
}
