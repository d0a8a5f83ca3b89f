import type { TransferKind } from '@linekeeper/contract/accounts/accounts.ts';
import type * as contract from '@linekeeper/contract/credits/transfers.ts';
import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import { MOST_COUNTED, type Parsed } from '@linekeeper/contract/endpoint.ts';
import type { transfersList } from '@linekeeper/contract/lists/lists.ts';
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { CreditTransfersTable } from '../../db/schema/append-only-schema.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import { isVisibleTo, lineScope, type Scope, visibleTo } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { readBalancesAfter } from '../../domain/credits/balances-after.ts';
import { bundleOf, wholeAmount } from '../../domain/credits/bundles.ts';
import {
  ISSUANCE,
  SALES,
  type TransferRow,
  toTransfer,
  transferColumns,
} from '../../domain/credits/credits.ts';
import { refundableKinds } from '../../domain/credits/refund.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { withinDays } from '../../platform/clock.ts';
import { type Cell, pagesAsCsv } from '../../platform/paging/csv.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import type { SortColumns } from '../../platform/paging/filtered.ts';
import {
  asTotal,
  type InOrder,
  type Page,
  type PageRequest,
  readPage,
  readWholePage,
  type Total,
} from '../../platform/paging/pages.ts';

const sortColumns: SortColumns<typeof transfersList> = {
  created_at: { ref: 'transfer.created_at', type: 'timestamptz' },
};

/** A query of rows of the table of transfers, or of a union with the same name. */
type Transfers = SelectQueryBuilder<
  Database & { transfer: CreditTransfersTable },
  'transfer',
  object
>;

const paidKinds = sql.join(refundableKinds.map((kind) => sql.lit(kind)));

/** SQL of a column of the term of a sale or renewal, or, for a refund, of the refunded term. */
const ofTerm = (column: 'months' | 'expiry_date') => sql`(
  select ${sql.ref(`term.${column}`)} from sold_terms term
    where term.transfer_id = coalesce(transfer.refund_of, transfer.id))`;

/** Facts about a transfer from other tables. */
interface About
  extends Pick<
    ListedTransfer,
    'from_name' | 'to_name' | 'actor_name' | 'line_exists' | 'months' | 'expiry_date' | 'code'
  > {
  refunds: { kind: TransferKind; created_at: string } | null;
  refunded_at: Date | null;
  bundle: ListedTransfer['bundle'];
}
type ListedRow = TransferRow & About;

interface Reading {
  /** The accounts that the reader may see. */
  accounts: Scope;
  /** The lines that the reader may see. */
  lines: Scope;
  sees_codes: boolean;
  /** True to show each bundle as one row. */
  inBundles: boolean;
  /** `email` to name accounts by their emails, in a CSV file; by default they are named as in lists. */
  named?: 'email';
}

/** SQL of the name of an account; null for accounts that the reader may not see, and for system accounts. */
const nameOf = (column: string, { accounts, named }: Reading) => sql<string | null>`(
  select ${named ? sql.ref(named) : accountName('auth_users')} from auth_users
    where id = ${sql.ref(`transfer.${column}`)} and ${isVisibleTo(accounts, 'auth_users.id')})`;

/**
 * The columns of `About`. Only the redeemer of a code and administrators get its text, because it may have uses left.
 */
const aboutTransfer = (reading: Reading) => [
  nameOf('from_id', reading).as('from_name'),
  nameOf('to_id', reading).as('to_name'),
  nameOf('actor_id', reading).as('actor_name'),
  sql<boolean>`exists (select from users where users.id = transfer.line_id
    and ${isVisibleTo(reading.lines, 'users.owner_id')})`.as('line_exists'),
  sql<number | null>`${ofTerm('months')}`.as('months'),
  sql<string | null>`${ofTerm('expiry_date')}`.as('expiry_date'),
  sql<string | null>`case when transfer.kind = 'redeem' and ${reading.sees_codes} then (
    select code from redeem_code_history redeemed where redeemed.transfer_id = transfer.id
      and ${reading.accounts.sees_all ? sql`true` : sql`redeemed.user_id = ${reading.accounts.account_id}`}) end`.as(
    'code',
  ),
  sql<About['refunds']>`(
    select json_build_object('kind', refunded.kind, 'created_at', refunded.created_at)
      from credit_transfers refunded where refunded.id = transfer.refund_of)`.as('refunds'),
  sql<Date | null>`case when transfer.kind in (${paidKinds}) then (
    select refund.created_at from credit_transfers refund
      where refund.refund_of = transfer.id) end`.as('refunded_at'),
  sql<About['bundle']>`${reading.inBundles ? bundleOf('transfer') : sql`null::json`}`.as('bundle'),
];

/** A transfer as the API lists it, with the balance of an account after it. */
function toListed(
  row: ListedRow,
  balance_after: number | null,
  account_id: string | null,
): ListedTransfer {
  const { refunds, refunded_at, kind } = row;
  return {
    ...row,
    ...toTransfer(row),
    balance_after,
    balance_of: balance_after === null ? null : account_id,
    refunded_at: refunded_at?.toISOString() ?? null,
    refunds: refunds && { ...refunds, created_at: new Date(refunds.created_at).toISOString() },
    is_refundable: refundableKinds.includes(kind) && refunded_at === null,
  };
}

const isOn = (column: string, account_id: string) =>
  sql<SqlBool>`${sql.ref(`transfer.${column}`)} = ${account_id}`;

/**
 * A union of sent and received transfers: each has its own index in list order, which an OR could
 * not use. `sideOf` narrows each side.
 */
function bothSides(
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
 * The transfers of an account and of those below it. The transfers of each account are read along
 * its own index, at most as many as the list needs, because one plan for all of them would read
 * every transfer of the panel. Within the subtree, a transfer belongs to its sender.
 */
function ofSubtree(db: Db, scope: Scope, ofEach: (own: Transfers) => Transfers): Transfers {
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

/**
 * Milliseconds for which a count is kept, because a clock that was set back writes new transfers
 * among the counted ones.
 */
const REMEMBERED_FOR_MS = 60_000;
const MOST_REMEMBERED = 1000;

interface Settled {
  /** The moment before which transfers are counted. */
  before: string;
  count: number;
  countedAt: number;
}

/** Counts by account and by whether bundles are one row, for each database. */
const remembered = new WeakMap<Db, Map<string, Settled>>();

const sides = (account_id: string, isCounted: ReturnType<typeof sql>) => {
  const side = (column: 'from_id' | 'to_id') => sql`(
    select count(*) from (select 1 from credit_transfers
      where ${sql.ref(column)} = ${account_id} and ${isCounted}
      limit ${sql.lit(MOST_COUNTED + 1)}) as side)`;
  // The sum counts no transfer twice, because none has the same account on both sides.
  return sql<number>`${side('from_id')} + ${side('to_id')}`.as('count');
};

/** The statements that count all transfers, or the rows of a list with bundles. */
const counting = (isShown: ReturnType<typeof sql>) => ({
  settled: compiledQuery(['account_id'], (db, { account_id }) => {
    // The time is in whole milliseconds, like the times of rows that were read.
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
 * Number of transfers of an account. Transfers are never changed or removed, and none is written an
 * hour late, so those older than that are counted once. `newest` are the first in list order, or
 * null if others were read: if they go back an hour, there are no newer ones left to count.
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

/** SQL of the credits that an account received, minus those that it sent, after the newest row of the page. */
const laterThanPage = (account_id: string, inBundles: boolean) => {
  const amount = inBundles ? wholeAmount('later') : sql`later.amount`;
  const side = (column: 'from_id' | 'to_id') => sql`(
    select coalesce(sum(${amount}), 0) from credit_transfers later
      where later.${sql.ref(column)} = ${account_id} ${inBundles ? sql`and later.bundle_id is null` : sql``}
        and (later.created_at, later.id) > (select created_at, id from page
          order by created_at desc, id desc limit 1))`;
  return sql`${side('to_id')} - ${side('from_id')}`;
};

/** SQL of the credits received, minus those sent, in the later rows of the page itself. */
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

type AccountRow = ListedRow & Pick<ListedTransfer, 'balance_after'>;

/** All transfers of one account in list order, each with its balance, in one statement. */
function ofAccount(account_id: string, reading: Reading) {
  const { accounts, lines, inBundles, sees_codes } = reading;
  const kinds = [accounts, lines].map(({ sees_all }) => (sees_all ? 'all' : 'below'));
  return {
    name: ['transfers', ...kinds, inBundles, sees_codes].join(),
    values: { account_id, reader_id: accounts.account_id },
    rows: (db: Db, given: { account_id: string; reader_id: string }, inOrder: InOrder) => {
      const scopeOf = ({ sees_all }: Scope) => ({ account_id: given.reader_id, sees_all });
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
        .select(balanceAfter(given.account_id, inBundles).as('balance_after'))
        .select(
          aboutTransfer({ ...reading, accounts: scopeOf(accounts), lines: scopeOf(lines) }),
        ) as unknown as SelectQueryBuilder<object, never, AccountRow>;
    },
  };
}

/** A page of all transfers of one account. Throws INVALID_CURSOR. */
async function readAccountTransfers(
  db: Db,
  account_id: string,
  reading: Reading,
  request: PageRequest,
): Promise<Page<ListedTransfer>> {
  const list = ofAccount(account_id, reading);
  const isNewestFirst = request.sort === '-created_at';
  const count = (found: readonly AccountRow[]) =>
    totalOfAccount(db, account_id, reading.inBundles, isNewestFirst ? found : null);
  const page = await readWholePage(db, request, sortColumns, 'transfer.id', list, count);
  return { ...page, items: page.items.map((row) => toListed(row, row.balance_after, account_id)) };
}

type Filters = Omit<
  Parsed<typeof contract.listTransfers>['query'],
  'limit' | 'cursor' | 'bundled'
> & {
  /** True to show each bundle as one row. */
  inBundles?: boolean;
};

/** Selects the transfers of one account, or of all accounts in a scope. */
type Whose = { account_id: string } | { scope: Scope };

/** Selects transfers: those of one account by index in list order, those of a subtree account by account. */
async function chooseAccounts(db: Db, scope: Scope, asked: string | undefined): Promise<Whose> {
  if (asked !== undefined && scope.sees_all) return { account_id: asked };
  if (scope.sees_all) return { scope };
  const visible = await db
    .selectFrom('account_tree')
    .select('account_id')
    .where('ancestor_id', '=', scope.account_id)
    .$if(asked !== undefined, (rows) => rows.where('account_id', '=', asked ?? ''))
    .limit(2)
    .execute();
  const [first, second] = visible;
  if (asked === undefined && second) return { scope };
  // An account out of scope gives an empty list, like a missing one.
  return { account_id: first?.account_id ?? NOBODY };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

function matchTransfers(
  db: Db,
  whose: Whose,
  time_zone: string,
  filters: Filters,
): (inOrder: InOrder) => Transfers {
  const conditions = conditionsOf(filters, time_zone);
  const narrow = (all: Transfers) => conditions.reduce((found, one) => found.where(one), all);
  return (inOrder) => {
    if ('account_id' in whose) {
      return bothSides(db, (all, column) =>
        inOrder(narrow(all.where(isOn(column, whose.account_id)))),
      );
    }
    const { scope } = whose;
    if (scope.sees_all) return narrow(db.selectFrom('credit_transfers as transfer') as Transfers);
    if (filters.bundle_id) {
      // A bundle has few rows, which a separate index finds.
      return narrow(db.selectFrom('credit_transfers as transfer') as Transfers).where((where) =>
        where.or([visibleTo(scope, 'transfer.from_id'), visibleTo(scope, 'transfer.to_id')]),
      );
    }
    return ofSubtree(db, scope, (own) => inOrder(narrow(own)));
  };
}

function conditionsOf(
  { q, kind, from, to, bundle_id, inBundles }: Filters,
  time_zone: string,
): Expression<SqlBool>[] {
  const pattern = `%${escapeLike(q ?? '')}%`;
  const ofBundle = sql<SqlBool>`(transfer.id = ${bundle_id} or transfer.bundle_id = ${bundle_id})`;
  const hasText = sql<SqlBool>`(transfer.note ilike ${pattern} or transfer.username ilike ${pattern})`;
  return [
    inBundles && sql<SqlBool>`transfer.bundle_id is null`,
    bundle_id && ofBundle,
    kind && sql<SqlBool>`transfer.kind in (${sql.join(kind)})`,
    ...withinDays('transfer.created_at', { from, to }, time_zone),
    q && hasText,
  ].filter((condition) => typeof condition === 'object');
}

/** The account whose balance is shown with a transfer; null if the reader sees neither side. */
function balanceOwner(
  { from_id, to_id, from_name, to_name }: ListedRow,
  preferred: readonly (string | undefined)[],
): string | null {
  const asked = preferred.find((id) => id !== undefined && [from_id, to_id].includes(id));
  if (asked) return asked;
  if (from_name !== null) return from_id;
  return to_name === null ? null : to_id;
}

/** A page of a list that is searched or filtered, or covers several accounts. Throws INVALID_CURSOR. */
async function readTransfers(
  { db, actor, config }: Ctx,
  whose: Whose,
  reading: Reading,
  query: Filters & PageRequest,
): Promise<Page<ListedTransfer>> {
  const { inBundles } = reading;
  const matching = matchTransfers(db, whose, config.time_zone, { ...query, inBundles });
  const selected = db
    .selectFrom('credit_transfers as transfer')
    .select(transferColumns)
    .select(aboutTransfer(reading));
  const page = await readPage(db, query, sortColumns, 'transfer.id', matching, selected);
  const rows: readonly ListedRow[] = page.items;
  const owned = rows.map((row) => ({
    row,
    account_id: balanceOwner(row, [query.account_id, actor.id]),
  }));
  const wanted = owned.flatMap(({ row: { id }, account_id }) =>
    account_id ? [{ id, account_id }] : [],
  );
  const balances = await readBalancesAfter(db, wanted, inBundles);
  const items = owned.map(({ row, account_id }) =>
    toListed(row, balances.get(row.id) ?? null, account_id),
  );
  return { ...page, items };
}

/** Selects the transfers that the reader sees: all for an administrator, otherwise those of the reader's subtree. */
async function chooseTransfers({ db, actor, sees_codes }: Ctx, { account_id }: Filters) {
  const accounts = { account_id: actor.id, sees_all: actor.is_admin };
  const whose = await chooseAccounts(db, accounts, account_id);
  return { whose, scopes: { accounts, lines: lineScope(actor), sees_codes } };
}

export const listTransfers: Action<typeof contract.listTransfers> = async (ctx, { query }) => {
  const { whose, scopes } = await chooseTransfers(ctx, query);
  const { bundled, ...rest } = query;
  const { q, kind, from, to, bundle_id } = query;
  // A search and an opened bundle list single transfers.
  const reading = { ...scopes, inBundles: bundled === true && !q && !bundle_id };
  if ('account_id' in whose && !(q || kind || from || to || bundle_id)) {
    return readAccountTransfers(ctx.db, whose.account_id, reading, rest);
  }
  return readTransfers(ctx, whose, reading, rest);
};

const systemNames = new Map([
  [ISSUANCE, 'issuance'],
  [SALES, 'sales'],
]);

/** The cells of the CSV, in which accounts are named by their emails. */
const csvCells: Record<string, (row: ListedTransfer) => Cell> = {
  created_at: (row) => row.created_at,
  kind: (row) => row.kind,
  from: (row) => systemNames.get(row.from_id) ?? row.from_name,
  to: (row) => systemNames.get(row.to_id) ?? row.to_name,
  amount: (row) => row.amount,
  balance_of: (row) =>
    row.balance_of === row.from_id ? row.from_name : row.balance_of && row.to_name,
  balance_after: (row) => row.balance_after,
  line: (row) => row.username,
  note: (row) => row.note,
  actor: (row) => row.actor_name,
  months: (row) => row.months,
  expiry_date: (row) => row.expiry_date,
  code: (row) => row.code,
  refunds: (row) => row.refunds?.kind ?? null,
  refunds_created_at: (row) => row.refunds?.created_at ?? null,
  refunded_at: (row) => row.refunded_at,
};

export const transfersCsv: Action<typeof contract.transfersCsv> = async (ctx, { query }) => {
  ctx.saveAs(`credits-${ctx.today()}.csv`);
  const { whose, scopes } = await chooseTransfers(ctx, query);
  const reading = { ...scopes, inBundles: false, named: 'email' as const };
  return pagesAsCsv(
    Object.keys(csvCells),
    query.sort,
    (request) => readTransfers(ctx, whose, reading, { ...query, ...request }),
    (row) => Object.values(csvCells).map((cellOf) => cellOf(row)),
  );
};
