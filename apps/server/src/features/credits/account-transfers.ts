import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { type SelectQueryBuilder, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Db } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import { isVisibleTo, type Scope } from '../../domain/context/access.ts';
import { wholeAmount } from '../../domain/credits/bundles.ts';
import { type TransferRow, toTransfer } from '../../domain/credits/credits.ts';
import {
  asTotal,
  type InOrder,
  type Page,
  type PageRequest,
  readWholePage,
  type SortColumn,
  type Total,
} from '../../platform/paging/pages.ts';
import {
  type About,
  aboutTransfer,
  bothSides,
  columns,
  isOn,
  type Transfers,
  toAbout,
} from './transfer-rows.ts';

/** Bounded, because a clock that was set back writes among those that were counted. */
const REMEMBERED_FOR_MS = 60_000;
const MOST_REMEMBERED = 1000;

interface Settled {
  /** Counts transfers written before this moment. */
  before: string;
  count: number;
  countedAt: number;
}

/** By account and whether bundles are one row, for each database. */
const remembered = new WeakMap<Db, Map<string, Settled>>();

const sides = (account_id: string, isMeant: ReturnType<typeof sql>) => {
  const side = (column: 'from_id' | 'to_id') => sql`(
    select count(*) from (select 1 from credit_transfers
      where ${sql.ref(column)} = ${account_id} and ${isMeant}
      limit ${sql.lit(MOST_COUNTED + 1)}) as side)`;
  // No transfer has the same account on both sides.
  return sql<number>`${side('from_id')} + ${side('to_id')}`.as('count');
};

/** The statements that count, of all transfers or of those that the list shows in bundles. */
const counting = (isShown: ReturnType<typeof sql>) => ({
  settled: compiledQuery(['account_id'], (db, { account_id }) => {
    // In whole milliseconds, as the times of rows that were read.
    const before = sql`date_trunc('milliseconds', now() - interval '1 hour')`;
    return db.selectNoFrom([
      sides(account_id, sql`${isShown} and created_at < ${before}`),
      sql<string>`${before}::text`.as('before'),
    ]);
  }),
  since: compiledQuery(['account_id', 'before'], (db, { account_id, before }) =>
    db.selectNoFrom([sides(account_id, sql`${isShown} and created_at >= ${before}::timestamptz`)]),
  ),
});
const countAll = counting(sql`true`);
const countBundles = counting(sql`bundle_id is null`);

/**
 * How many transfers an account has. They are never changed nor removed, and none is written an hour
 * late, so that those older than that are counted once. `newest` are the first in list order, or null
 * where others were read: if they reach back that far, no newer ones are left to be counted.
 */
async function totalOfAccount(
  db: Db,
  account_id: string,
  inBundles: boolean,
  newest: readonly { created_at: Date }[] | null,
): Promise<Total> {
  const count = inBundles ? countBundles : countAll;
  const name = `${account_id} ${inBundles}`;
  const known = remembered.get(db) ?? new Map<string, Settled>();
  remembered.set(db, known);
  const settled = known.get(name) ?? { before: '', count: 0, countedAt: -Infinity };
  if (performance.now() - settled.countedAt > REMEMBERED_FOR_MS) {
    const countedAt = performance.now();
    const [counted] = await count.settled(db, { account_id });
    Object.assign(settled, counted, { countedAt });
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(name, settled);
  }
  const oldest = newest?.at(-1);
  const settledAt = new Date(settled.before);
  if (newest && oldest && oldest.created_at < settledAt) {
    const unsettled = newest.filter(({ created_at }) => created_at >= settledAt);
    return asTotal(settled.count + unsettled.length);
  }
  const [since] = await count.since(db, { account_id, before: settled.before });
  return asTotal(settled.count + (since?.count ?? 0));
}

/** Fields of a listed transfer that come from other tables. */
type Said = Pick<
  ListedTransfer,
  'balance_after' | 'from_name' | 'to_name' | 'actor_name' | 'line_exists'
>;
type Row = TransferRow & Said & About;

interface Readers {
  accounts: Scope;
  lines: Scope;
  /** Shows each bundle as one row. */
  inBundles: boolean;
}

/** The name of an account, where the reader may see it. */
const nameOf = (column: string, scope: Scope) => sql<string | null>`(
  select ${accountName('auth_users')} from auth_users
    where id = ${sql.ref(`transfer.${column}`)} and ${isVisibleTo(scope, 'auth_users.id')})`;

/** Credits that an account received, less those it gave, after the newest row of the page. */
const laterThanPage = (account_id: string, inBundles: boolean) => {
  const amount = inBundles ? wholeAmount('later') : sql`later.amount`;
  const side = (column: 'from_id' | 'to_id') => sql`(
    select coalesce(sum(${amount}), 0) from credit_transfers later
      where later.${sql.ref(column)} = ${account_id} ${inBundles ? sql`and later.bundle_id is null` : sql``}
        and (later.created_at, later.id) > (select created_at, id from page
          order by created_at desc, id desc limit 1))`;
  return sql`${side('to_id')} - ${side('from_id')}`;
};

/** Of the later rows of the page itself. */
const laterInPage = (account_id: string, inBundles: boolean) => {
  const amount = inBundles ? wholeAmount('transfer') : sql`transfer.amount`;
  return sql`coalesce(
    sum(case when transfer.to_id = ${account_id} then ${amount} else -${amount} end) over (
      order by transfer.created_at desc, transfer.id desc
      rows between unbounded preceding and 1 preceding), 0)`;
};

const balanceAfter = (account_id: string, inBundles: boolean) => sql<number | null>`((
  select credits from auth_users where id = ${account_id} and not is_admin)
  - (select credits from later) - ${laterInPage(account_id, inBundles)})::bigint`;

/** All transfers of one account in list order, each with what is said of it, in one statement. */
function ofAccount(account_id: string, { accounts, lines, inBundles }: Readers) {
  const kinds = [accounts, lines].map(({ sees_all }) => (sees_all ? 'all' : 'below'));
  return {
    name: ['transfers', ...kinds, inBundles].join(),
    values: { account_id, reader_id: accounts.account_id },
    rows: (db: Db, given: { account_id: string; reader_id: string }, inOrder: InOrder) => {
      const [seen, ownLines] = [accounts, lines].map(({ sees_all }) => ({
        account_id: given.reader_id,
        sees_all,
      })) as [Scope, Scope];
      const shown = (all: Transfers) =>
        inBundles ? all.where('transfer.bundle_id', 'is', null) : all;
      const page = inOrder(
        bothSides(db, (all, column) => inOrder(shown(all.where(isOn(column, given.account_id))))),
      );
      return db
        .with('page', () => page.select(columns))
        .with('later', (within) =>
          within.selectNoFrom(
            sql<number>`${laterThanPage(given.account_id, inBundles)}`.as('credits'),
          ),
        )
        .selectFrom('page as transfer')
        .select(columns)
        .select([
          balanceAfter(given.account_id, inBundles).as('balance_after'),
          nameOf('from_id', seen).as('from_name'),
          nameOf('to_id', seen).as('to_name'),
          nameOf('actor_id', seen).as('actor_name'),
          sql<boolean>`exists (select from users where users.id = transfer.line_id
            and ${isVisibleTo(ownLines, 'users.owner_id')})`.as('line_exists'),
          ...aboutTransfer(seen, inBundles),
        ]) as unknown as SelectQueryBuilder<object, never, Row>;
    },
  };
}

/** A page of all transfers of one account. */
export async function readAccountTransfers(
  db: Db,
  account_id: string,
  readers: Readers,
  sortColumns: Record<string, SortColumn>,
  request: PageRequest,
): Promise<Page<ListedTransfer>> {
  const list = ofAccount(account_id, readers);
  const isNewestFirst = request.sort === '-created_at';
  const count = (found: readonly Row[]) =>
    totalOfAccount(db, account_id, readers.inBundles, isNewestFirst ? found : null);
  const page = await readWholePage(db, request, sortColumns, 'transfer.id', list, count);
  const balanceOf = ({ balance_after }: Row) => (balance_after === null ? null : account_id);
  const items = page.items.map((row) => ({
    ...row,
    ...toTransfer(row),
    ...toAbout(row),
    balance_of: balanceOf(row),
  }));
  return { ...page, items };
}
