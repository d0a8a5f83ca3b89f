import type * as contract from '@linekeeper/contract/credits/top-ups.ts';
import { type TopUp, topUpNumber } from '@linekeeper/contract/credits/top-ups.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { topUpsList } from '@linekeeper/contract/lists/lists.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { accountName, shownCredits } from '../../domain/accounts/accounts.ts';
import { ownScope, type SignedIn, visibleTo } from '../../domain/context/access.ts';
import { readBalancesAfter } from '../../domain/credits/balances-after.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { listAsCsv } from '../../platform/paging/csv.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../platform/paging/pages.ts';
import { sentRow } from '../../platform/rows.ts';
import { goneForGood, isSurplus } from './card-payments.ts';

type Query = Parsed<typeof contract.listTopUps>['query'];
type TopUps = SelectQueryBuilder<Database, 'top_ups', object>;

const sortColumns: SortColumns<typeof topUpsList> = {
  created_at: { ref: 'top_ups.created_at', type: 'timestamptz' },
  credits: { ref: 'top_ups.credits', type: 'bigint' },
};

const isFlagged = sql<SqlBool>`(top_ups.problem is not null or top_ups.owed_credits > 0)`;

/** The number of a top-up in a text, as people write it: LK-0431, lk431, 431. */
function numberIn(text: string): string | null {
  return /^(?:lk-?)?0*([1-9]\d{0,14})$/i.exec(text.trim())?.[1] ?? null;
}

function matchText(q: string) {
  const text = `%${escapeLike(q)}%`;
  return sql<SqlBool>`(number = ${numberIn(q)}::bigint
    or fold(note) like fold(${text}) or fold(package_name) like fold(${text})
    or account_id in (select id from auth_users
      where auth_users.search like fold(${text})))`;
}

function filterTopUps(db: Db, actor: SignedIn, filters: Query): TopUps {
  const seen: TopUps = db.selectFrom('top_ups').where(visibleTo(ownScope(actor), 'account_id'));
  return filtered(topUpsList, seen, filters, {
    status: 'top_ups.status',
    method: 'top_ups.method',
    account_id: 'account_id',
    // Only administrators see that a top-up is flagged.
    is_flagged: actor.is_admin ? isFlagged : sql`false`,
    q: matchText,
  });
}

/**
 * SQL of the payments without credits, both those that wait for an administrator and those that
 * were refunded. A payment that an administrator approved does not count.
 */
const surplus = sql<TopUp['surplus']>`(select coalesce(json_agg(json_build_object(
    'paid_minor', paid_minor, 'currency', paid_currency, 'returned_minor', ${goneForGood})
    order by attempt), '[]')
  from card_payments
  where top_up_id = top_ups.id and ${isSurplus(sql.ref('top_ups.paid_session'))}
    and (top_ups.problem is not null or ${goneForGood} > 0))`;

/** SQL of the credits that another account gave since the order, perhaps for cash. */
const givenSince = sql<{ credits: number; at: string } | null>`(
  select json_build_object('credits', sum(amount), 'at', max(given.created_at))
    from credit_transfers as given
    where given.to_id = top_ups.account_id and given.created_at > top_ups.created_at
      and given.kind in ('mint', 'transfer', 'adjustment') and top_ups.status <> 'approved'
    having count(*) > 0)`;

function selectTopUps(db: Db) {
  return db
    .selectFrom('top_ups')
    .innerJoin('auth_users as account', 'account.id', 'top_ups.account_id')
    .leftJoin('auth_users as decider', 'decider.id', 'top_ups.decided_by')
    .selectAll('top_ups')
    .select([
      'account.email as account_email',
      'account.full_name',
      'account.credits as account_credits',
      'account.is_admin',
    ])
    .select(surplus.as('surplus'))
    .select(givenSince.as('given_since'))
    .select(sql<string | null>`${accountName('decider')}`.as('decided_by_name'))
    .select(sql<boolean>`top_ups.paid_session is not null`.as('is_paid_by_card'))
    .select(
      sql<boolean>`(top_ups.status = 'pending' and exists (select from card_payments
        where top_up_id = top_ups.id and card_payments.status = 'processing'))`.as('is_processing'),
    );
}
type Row = Awaited<ReturnType<ReturnType<typeof selectTopUps>['execute']>>[number];

function toTopUp(row: Row, actor: SignedIn, balances: ReadonlyMap<string, number>): TopUp {
  const { full_name, account_credits, is_admin, number, given_since } = row;
  return {
    ...sentRow(row),
    number: topUpNumber(number),
    account_name: full_name || row.account_email,
    balance: shownCredits({ is_admin, credits: account_credits }),
    balance_after: balances.get(row.transfer_id ?? '') ?? null,
    given_since: given_since && {
      credits: given_since.credits,
      at: new Date(given_since.at).toISOString(),
    },
    ...(actor.is_admin ? {} : { decided_by_name: null, owed_credits: 0, given_since: null }),
  };
}

async function toTopUps(db: Db, actor: SignedIn, rows: readonly Row[]): Promise<TopUp[]> {
  const issued = rows.flatMap(({ transfer_id: id, account_id }) =>
    id ? [{ id, account_id }] : [],
  );
  const balances = await readBalancesAfter(db, issued);
  return rows.map((row) => toTopUp(row, actor, balances));
}

/** Lists own top-ups, not the subtree's: an order is between an account and the operator of the panel. */
export async function listTopUps(db: Db, actor: SignedIn, query: Query): Promise<Page<TopUp>> {
  const matching = filterTopUps(db, actor, query);
  const page = await readPage(db, query, sortColumns, 'top_ups.id', matching, selectTopUps(db));
  return { ...page, items: await toTopUps(db, actor, page.items) };
}

/** A top-up. Throws TOP_UP_NOT_FOUND, also for another account's. */
export async function findTopUp(db: Db, actor: SignedIn, id: string): Promise<TopUp> {
  const rows = await selectTopUps(db)
    .where('top_ups.id', '=', id)
    .where(visibleTo(ownScope(actor), 'account_id'))
    .execute();
  const [found] = await toTopUps(db, actor, rows);
  return found ?? fail('TOP_UP_NOT_FOUND');
}

const csvColumns = [
  'number',
  'created_at',
  'account_email',
  'package_name',
  'credits',
  'price_minor',
  'currency',
  'method',
  'status',
  'decided_at',
  'reason',
  'note',
  'returned_credits',
  'owed_credits',
] as const;

export const topUpsCsv: Action<typeof contract.topUpsCsv> = async (ctx, { query }) =>
  listAsCsv(ctx, 'top-ups', query, csvColumns, (asked) => listTopUps(ctx.db, ctx.actor, asked));
