import type * as contract from '@linekeeper/contract/credits/transfers.ts';
import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { transfersList } from '@linekeeper/contract/lists/lists.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { lineScope, type Scope, visibleTo } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { readBalancesAfter } from '../../domain/credits/balances-after.ts';
import { ISSUANCE, SALES, transferColumns } from '../../domain/credits/credits.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { withinDays } from '../../platform/clock.ts';
import { type Cell, pagesAsCsv } from '../../platform/paging/csv.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import type { SortColumns } from '../../platform/paging/filtered.ts';
import {
  type InOrder,
  type Page,
  type PageRequest,
  readPage,
} from '../../platform/paging/pages.ts';
import {
  aboutTransfer,
  bothSides,
  isOn,
  type ListedRow,
  ofSubtree,
  type Reading,
  readAccountTransfers,
  type Transfers,
  toListed,
} from './transfer-rows.ts';

type Filters = Omit<
  Parsed<typeof contract.listTransfers>['query'],
  'limit' | 'cursor' | 'bundled'
> & {
  /** Shows each bundle as one row. */
  inBundles?: boolean;
};

const sortColumns: SortColumns<typeof transfersList> = {
  created_at: { ref: 'transfer.created_at', type: 'timestamptz' },
};

/** Selects the transfers of one account, or of all accounts in a scope. */
type Whose = { account_id: string } | { scope: Scope };

/** The transfers of one account are read by index in list order, those of a subtree account by account. */
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
  // An account out of scope gives an empty list, as a missing one does.
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
      // Few rows, which an index of their own has.
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

/** A page of a list that is searched or filtered, or not of one account alone. */
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

/** An administrator sees all transfers, anyone else those of the own subtree. */
async function chooseTransfers({ db, actor }: Ctx, { account_id }: Filters) {
  const accounts = { account_id: actor.id, sees_all: actor.is_admin };
  const whose = await chooseAccounts(db, accounts, account_id);
  return { whose, scopes: { accounts, lines: lineScope(actor) } };
}

export const listTransfers: Action<typeof contract.listTransfers> = async (ctx, { query }) => {
  const { whose, scopes } = await chooseTransfers(ctx, query);
  const { bundled, ...rest } = query;
  const { q, kind, from, to, bundle_id } = query;
  // Rows of a search or of an opened bundle are single transfers.
  const reading = { ...scopes, inBundles: bundled === true && !q && !bundle_id };
  if ('account_id' in whose && !(q || kind || from || to || bundle_id)) {
    return readAccountTransfers(ctx.db, whose.account_id, reading, sortColumns, rest);
  }
  return readTransfers(ctx, whose, reading, rest);
};

const systemNames = new Map([
  [ISSUANCE, 'issuance'],
  [SALES, 'sales'],
]);

/** Accounts are named by their emails. */
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
