import type * as contract from '@linekeeper/contract/credits/transfers.ts';
import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { transfersList } from '@linekeeper/contract/lists/lists.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { readNames, type SubjectNames } from '../../domain/audit/subject-names.ts';
import { lineScope, type Scope, visibleTo } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { readBalancesAfter } from '../../domain/credits/balances-after.ts';
import {
  ISSUANCE,
  SALES,
  type TransferRow,
  toTransfer,
  transferColumns,
} from '../../domain/credits/credits.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { withinDays } from '../../platform/clock.ts';
import { type Cell, pagesAsCsv } from '../../platform/paging/csv.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import type { SortColumns } from '../../platform/paging/filtered.ts';
import { type InOrder, type PageRequest, readPage } from '../../platform/paging/pages.ts';
import {
  type About,
  aboutTransfer,
  bothSides,
  isOn,
  ofSubtree,
  readAccountTransfers,
  type Transfers,
  toAbout,
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

type Row = TransferRow & About;

/** The account whose balance is shown with a transfer; null for a system account. */
function balanceOwner(
  { from_id, to_id }: Row,
  preferred: readonly (string | undefined)[],
  { accounts }: SubjectNames,
): string | null {
  const parties = [from_id, to_id];
  const asked = preferred.find((id) => id !== undefined && parties.includes(id));
  return asked ?? parties.find((id) => accounts.has(id)) ?? null;
}

/** A page of the list, with the emails of the accounts that are named in it. */
async function readTransfers(
  { db, actor, config }: Ctx,
  scope: Scope,
  whose: Whose,
  { inBundles = false, ...query }: Filters & PageRequest,
) {
  const matching = matchTransfers(db, whose, config.time_zone, { ...query, inBundles });
  const selected = db
    .selectFrom('credit_transfers as transfer')
    .select(transferColumns)
    .select(aboutTransfer(scope, inBundles));
  const page = await readPage(db, query, sortColumns, 'transfer.id', matching, selected);
  const rows: readonly Row[] = page.items;
  const names = await readNames(
    db,
    { accounts: scope, lines: lineScope(actor) },
    {
      accounts: rows.flatMap(({ from_id, to_id, actor_id }) => [from_id, to_id, actor_id]),
      lines: rows.map(({ line_id }) => line_id),
    },
  );
  const owners = rows.map((row) => balanceOwner(row, [query.account_id, actor.id], names));
  const balances = await readBalancesAfter(
    db,
    rows.flatMap(({ id }, index) => {
      const account_id = owners[index];
      return account_id ? [{ id, account_id }] : [];
    }),
    inBundles,
  );
  const nameOf = (id: string | null) => names.accounts.get(id ?? '')?.name ?? null;
  const items = rows.map((row, index): ListedTransfer => {
    const balance_after = balances.get(row.id) ?? null;
    return {
      ...toTransfer(row),
      ...toAbout(row),
      balance_after,
      balance_of: balance_after === null ? null : (owners[index] ?? null),
      from_name: nameOf(row.from_id),
      to_name: nameOf(row.to_id),
      actor_name: nameOf(row.actor_id),
      line_exists: names.lines.has(row.line_id ?? ''),
    };
  });
  return { ...page, items, names };
}

/** An administrator sees all transfers, anyone else those of the own subtree. */
async function chooseTransfers({ db, actor }: Ctx, { account_id }: Filters) {
  const scope = { account_id: actor.id, sees_all: actor.is_admin };
  return { scope, whose: await chooseAccounts(db, scope, account_id) };
}

export const listTransfers: Action<typeof contract.listTransfers> = async (ctx, { query }) => {
  const { db, actor } = ctx;
  const { scope, whose } = await chooseTransfers(ctx, query);
  const { bundled, ...rest } = query;
  const { q, kind, from, to, bundle_id } = query;
  // Rows of a search or of an opened bundle are single transfers.
  const inBundles = bundled === true && !q && !bundle_id;
  if ('account_id' in whose && !(q || kind || from || to || bundle_id)) {
    const readers = { accounts: scope, lines: lineScope(actor), inBundles };
    return readAccountTransfers(db, whose.account_id, readers, sortColumns, rest);
  }
  const { names: _, ...page } = await readTransfers(ctx, scope, whose, { ...rest, inBundles });
  return page;
};

const systemNames = new Map([
  [ISSUANCE, 'issuance'],
  [SALES, 'sales'],
]);

type EmailOf = (id: string | null) => string | null;
const csvCells: Record<string, (row: ListedTransfer, emailOf: EmailOf) => Cell> = {
  created_at: (row) => row.created_at,
  kind: (row) => row.kind,
  from: (row, emailOf) => emailOf(row.from_id),
  to: (row, emailOf) => emailOf(row.to_id),
  amount: (row) => row.amount,
  balance_of: (row, emailOf) => emailOf(row.balance_of),
  balance_after: (row) => row.balance_after,
  line: (row) => row.username,
  note: (row) => row.note,
  actor: (row, emailOf) => emailOf(row.actor_id),
  months: (row) => row.months,
  expiry_date: (row) => row.expiry_date,
  code: (row) => row.code,
  refunds: (row) => row.refunds?.kind ?? null,
  refunds_created_at: (row) => row.refunds?.created_at ?? null,
  refunded_at: (row) => row.refunded_at,
};

export const transfersCsv: Action<typeof contract.transfersCsv> = async (ctx, { query }) => {
  ctx.saveAs(`credits-${ctx.today()}.csv`);
  const { scope, whose } = await chooseTransfers(ctx, query);
  let names: SubjectNames;
  const emailOf: EmailOf = (id) =>
    systemNames.get(id ?? '') ?? names.accounts.get(id ?? '')?.email ?? null;
  const readNext = async (request: PageRequest) => {
    const page = await readTransfers(ctx, scope, whose, { ...query, ...request });
    names = page.names;
    return page;
  };
  return pagesAsCsv(Object.keys(csvCells), query.sort, readNext, (row) =>
    Object.values(csvCells).map((cellOf) => cellOf(row, emailOf)),
  );
};
