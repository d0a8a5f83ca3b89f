import type { TransferKind } from '@linekeeper/contract/accounts/accounts.ts';
import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { CreditTransfersTable } from '../../db/schema/append-only-schema.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import { isVisibleTo, type Scope, visibleTo } from '../../domain/context/access.ts';
import { bundleColumns, wholeAmount } from '../../domain/credits/bundles.ts';
import { type TransferRow, toTransfer, transferColumns } from '../../domain/credits/credits.ts';
import { refundableKinds } from '../../domain/credits/refund.ts';
import {
  asTotal,
  type InOrder,
  type Page,
  type PageRequest,
  readWholePage,
  type SortColumn,
  type Total,
} from '../../platform/paging/pages.ts';

/** Rows of one table under one name, or a union of them under the same. */
export type Transfers = SelectQueryBuilder<
  Database & { transfer: CreditTransfersTable },
  'transfer',
  object
>;

const paidKinds = sql.join(refundableKinds.map((kind) => sql.lit(kind)));

/** From the term of a sale or renewal, or of the one that is refunded. */
const ofTerm = (column: 'months' | 'expiry_date') => sql`(
  select ${sql.ref(`term.${column}`)} from sold_terms term
    where term.transfer_id = coalesce(transfer.refund_of, transfer.id))`;

const ofRefunded = (column: 'kind' | 'created_at') => sql`(
  select ${sql.ref(`refunded.${column}`)} from credit_transfers refunded
    where refunded.id = transfer.refund_of)`;

/** The line, code or top-up behind a transfer, each from another table. */
export interface About {
  months: number | null;
  expiry_date: string | null;
  code: string | null;
  refunded_kind: string | null;
  refunded_created_at: Date | null;
  refunded_at: Date | null;
  bundle_count: number | null;
  bundle_credits: number | null;
}

/** Selects that. Codes, which others could redeem too, are for who redeemed them and administrators. */
export const aboutTransfer = (reader: Scope, inBundles: boolean) => [
  ...(inBundles
    ? bundleColumns('transfer')
    : [sql<null>`null`.as('bundle_count'), sql<null>`null`.as('bundle_credits')]),
  sql<number | null>`${ofTerm('months')}`.as('months'),
  sql<string | null>`${ofTerm('expiry_date')}`.as('expiry_date'),
  sql<string | null>`case transfer.kind when 'redeem' then (
    select code from redeem_code_history redeemed where redeemed.transfer_id = transfer.id
      and ${reader.sees_all ? sql`true` : sql`redeemed.user_id = ${reader.account_id}`}) end`.as(
    'code',
  ),
  sql<string | null>`${ofRefunded('kind')}`.as('refunded_kind'),
  sql<Date | null>`${ofRefunded('created_at')}`.as('refunded_created_at'),
  sql<Date | null>`case when transfer.kind in (${paidKinds}) then (
    select refund.created_at from credit_transfers refund
      where refund.refund_of = transfer.id) end`.as('refunded_at'),
];

/** The facts that the API gives of a transfer. */
export function toAbout({
  kind,
  refunded_kind,
  refunded_created_at,
  bundle_count,
  bundle_credits,
  ...about
}: TransferRow & About) {
  const refunded_at = about.refunded_at?.toISOString() ?? null;
  const { months, expiry_date, code } = about;
  return {
    months,
    expiry_date,
    code,
    refunded_at,
    refunds:
      refunded_kind && refunded_created_at
        ? { kind: refunded_kind as TransferKind, created_at: refunded_created_at.toISOString() }
        : null,
    bundle:
      bundle_count !== null && bundle_credits !== null
        ? { count: bundle_count, amount: bundle_credits }
        : null,
    is_refundable: refundableKinds.includes(kind) && refunded_at === null,
  };
}

export const isOn = (column: string, account_id: string) =>
  sql<SqlBool>`${sql.ref(`transfer.${column}`)} = ${account_id}`;

/**
 * A union of sent and received transfers: each has its own index in list order, which an OR could
 * not use. `sideOf` narrows each side.
 */
export function bothSides(
  db: Db,
  sideOf: (side: Transfers, column: 'from_id' | 'to_id') => Transfers,
): Transfers {
  const all = db.selectFrom('credit_transfers as transfer').select(transferColumns) as Transfers;
  const [sent, received] = [sideOf(all, 'from_id'), sideOf(all, 'to_id')];
  return db.selectFrom(
    sql<TransferRow>`(${sent} union all ${received})`.as('transfer'),
  ) as Transfers;
}

/**
 * The transfers of an account and of those below it. Each account's are read along its own index, at most as many as
 * the list needs: a plan over all of them together reads every transfer of the panel. Within the
 * subtree, a transfer belongs to its sender.
 */
export function ofSubtree(db: Db, scope: Scope, ofEach: (own: Transfers) => Transfers): Transfers {
  return bothSides(db, (all, column) => {
    const own = all.where(sql<SqlBool>`${sql.ref(`transfer.${column}`)} = below.account_id`);
    const counted =
      column === 'from_id'
        ? own
        : own.where((where) => where.not(visibleTo(scope, 'transfer.from_id')));
    const transfer = ofEach(counted.limit(sql.lit(MOST_COUNTED + 1)));
    const below = sql`account_tree as below cross join lateral (${transfer})`;
    return db
      .selectFrom(sql<TransferRow>`${below}`.as('transfer'))
      .select(transferColumns)
      .where(sql<SqlBool>`below.ancestor_id = ${scope.account_id}`) as unknown as Transfers;
  });
}

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
      const seen = { account_id: given.reader_id, sees_all: accounts.sees_all };
      const ownLines = { account_id: given.reader_id, sees_all: lines.sees_all };
      const shown = (all: Transfers) =>
        inBundles ? all.where('transfer.bundle_id', 'is', null) : all;
      const page = inOrder(
        bothSides(db, (all, column) => inOrder(shown(all.where(isOn(column, given.account_id))))),
      );
      return db
        .with('page', () => page.select(transferColumns))
        .with('later', (within) =>
          within.selectNoFrom(
            sql<number>`${laterThanPage(given.account_id, inBundles)}`.as('credits'),
          ),
        )
        .selectFrom('page as transfer')
        .select(transferColumns)
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
