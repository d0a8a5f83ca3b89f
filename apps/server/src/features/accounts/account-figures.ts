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

interface KindFigures {
  kind: AccountFigures['by_kind'][number]['kind'];
  credits_in: number;
  credits_out: number;
  in_lately: number;
  out_lately: number;
  count: number;
  last: Date;
}

async function readCredits(db: Db, id: string) {
  const sum = (column: string, lately = sql``) =>
    sql`coalesce(sum(${sql.ref(column)}) ${lately}, 0)::bigint`;
  const isLately = sql`filter (where created_at > now() - interval '30 days')`;
  // The sums do not count a transfer twice, because no transfer has the same account on both sides.
  const { rows } = await sql<KindFigures>`
    select kind, ${sum('come')} as credits_in, ${sum('gone')} as credits_out,
        ${sum('come', isLately)} as in_lately, ${sum('gone', isLately)} as out_lately,
        count(*) as count, max(created_at) as last
      from (
        select kind, created_at, amount as come, 0 as gone from credit_transfers where to_id = ${id}
        union all
        select kind, created_at, 0, amount from credit_transfers where from_id = ${id}) as sides
      group by kind`.execute(db);
  const total = (figure: 'credits_in' | 'credits_out' | 'in_lately' | 'out_lately' | 'count') =>
    rows.reduce((all, row) => all + row[figure], 0);
  const last = rows
    .map((row) => row.last.toISOString())
    .sort()
    .at(-1);
  return {
    credits_in: total('credits_in'),
    credits_out: total('credits_out'),
    credits_in_lately: total('in_lately'),
    credits_out_lately: total('out_lately'),
    changed_at: last ?? null,
    by_kind: transferKinds.flatMap((kind) => rows.filter((row) => row.kind === kind)),
    transfer_count: total('count'),
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

/** Reads sales by month, including months without a sale. */
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
