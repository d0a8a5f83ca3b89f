import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { AccountFigures } from '@linekeeper/contract/accounts/accounts.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import { transferKinds } from '@linekeeper/contract/lists/lists.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { accountScope } from '../../domain/context/access.ts';
import { readFromAbove } from '../../domain/credits/from-above.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';

const MONTHS = 12;

async function readSide(db: Db, id: string, column: 'from_id' | 'to_id') {
  const { rows: kinds } = await sql<{
    kind: string;
    total: number;
    lately: number;
    count: number;
    last: Date;
  }>`select kind, sum(amount)::bigint as total, count(*) as count, max(created_at) as last,
        coalesce(sum(amount) filter (where created_at > now() - interval '30 days'), 0)::bigint as lately
      from credit_transfers where ${sql.ref(column)} = ${id} group by kind`.execute(db);
  const sum = (part: 'total' | 'lately' | 'count') =>
    kinds.reduce((all, row) => all + row[part], 0);
  return {
    total: sum('total'),
    lately: sum('lately'),
    count: sum('count'),
    last: Math.max(0, ...kinds.map(({ last }) => last.getTime())),
    byKind: new Map(kinds.map(({ kind, total }) => [kind, total])),
  };
}

async function readCredits(db: Db, id: string) {
  const [gone, come] = [await readSide(db, id, 'from_id'), await readSide(db, id, 'to_id')];
  const last = Math.max(gone.last, come.last);
  return {
    credits_in: come.total,
    credits_out: gone.total,
    credits_in_lately: come.lately,
    credits_out_lately: gone.lately,
    changed_at: last > 0 ? new Date(last).toISOString() : null,
    by_kind: transferKinds
      .map((kind) => ({
        kind,
        credits_in: come.byKind.get(kind) ?? 0,
        credits_out: gone.byKind.get(kind) ?? 0,
      }))
      .filter(({ credits_in, credits_out }) => credits_in + credits_out > 0),
    // No transfer has the same account on both sides.
    transfer_count: gone.count + come.count,
  };
}

async function readBelow(db: Db, id: string) {
  const { rows } = await sql<{ lines_below: number; credits_below: number }>`
    select coalesce(sum(line_count), 0)::bigint as lines_below,
        coalesce(sum(credits), 0)::bigint as credits_below
      from account_tree below join auth_users account on account.id = below.account_id
        join account_figures figures on figures.account_id = below.account_id
      where ancestor_id = ${id} and depth > 0`.execute(db);
  return rows[0] ?? { lines_below: 0, credits_below: 0 };
}

/** Months without a sale count, too. */
async function readSold(db: Db, id: string, time_zone: string, today: Day) {
  const { rows } = await sql<AccountFigures['sold'][number]>`
    select to_char(month, 'YYYY-MM') as month, count(transfer.id)::integer as lines
    from generate_series(date_trunc('month', ${today}::date::timestamp)
      - make_interval(months => ${MONTHS - 1}), ${today}::date::timestamp, interval '1 month') as month
    left join credit_transfers transfer on transfer.from_id = ${id} and transfer.kind = 'sale'
      and transfer.created_at >= month at time zone ${time_zone}
      and transfer.created_at < (month + interval '1 month') at time zone ${time_zone}
    group by month order by month`.execute(db);
  return rows;
}

export const accountFigures: Action<typeof contract.accountFigures> = async (ctx, { params }) => {
  const { db, actor, config } = ctx;
  const { id } = await findAccount(db, accountScope(actor), params.id);
  return {
    ...(await readCredits(db, id)),
    from_above: await readFromAbove(db, id, actor.id),
    ...(await readBelow(db, id)),
    sold: await readSold(db, id, config.time_zone, ctx.today()),
  };
};
