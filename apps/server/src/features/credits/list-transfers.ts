import type { TransferKind } from '@linekeeper/contract/accounts.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import type * as contract from '@linekeeper/contract/transfers.ts';
import { type SqlBool, sql } from 'kysely';
import { type Scope, visibleTo } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { ISSUANCE, SALES, toTransfer } from '../../core/credits.ts';
import { readPage, type SortColumn } from '../../core/pages.ts';
import type { Action } from '../../core/use-case.ts';
import type { Db } from '../../db/transaction.ts';
import { readBalancesAfter } from './balances-after.ts';

interface Filters {
  kind?: TransferKind | undefined;
  from?: Day | undefined;
  to?: Day | undefined;
}

const sortColumns: Record<string, SortColumn> = {
  created_at: { ref: 'transfer.created_at', type: 'timestamptz' },
};

/** Whose transfers are listed: one account's, those of a scope. */
type Whose = { account_id: string } | { scope: Scope };

/** One account is looked up by index, in the order of the list; a whole subtree is filtered. */
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
  // Somebody else's account has no transfers to show, like one that is not there.
  return { account_id: first?.account_id ?? NOBODY };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

function isOn(column: 'from_id' | 'to_id', whose: Whose) {
  const ref = `credit_transfers.${column}`;
  return 'scope' in whose
    ? visibleTo(whose.scope, ref)
    : sql<SqlBool>`${sql.ref(ref)} = ${whose.account_id}`;
}

/** Given and received apart: each half has an index of its own, which an "or" could not use in order. */
function transfersOf(db: Db, whose: Whose) {
  const all = db.selectFrom('credit_transfers').selectAll();
  if ('scope' in whose && whose.scope.sees_all) return all.as('transfer');
  const received = all
    .where(isOn('to_id', whose))
    .where((where) => where.not(isOn('from_id', whose)));
  return all.where(isOn('from_id', whose)).unionAll(received).as('transfer');
}

function matchTransfers(db: Db, whose: Whose, time_zone: string, { kind, from, to }: Filters) {
  let found = db.selectFrom(transfersOf(db, whose));
  const startOf = (day: Day, later = 0) =>
    sql<Date>`(${day}::date + ${later}::integer)::timestamp at time zone ${time_zone}`;
  if (kind) found = found.where('transfer.kind', '=', kind);
  if (from) found = found.where('transfer.created_at', '>=', startOf(from));
  if (to) found = found.where('transfer.created_at', '<', startOf(to, 1));
  return found;
}

interface Parties {
  from_id: string;
  to_id: string;
}

/** Which accounts of a page whoever asks may see; null for all of them. */
async function visibleAmong(db: Db, scope: Scope, rows: Parties[]): Promise<Set<string> | null> {
  if (scope.sees_all) return null;
  const parties = [...new Set(rows.flatMap(({ from_id, to_id }) => [from_id, to_id]))];
  if (parties.length === 0) return new Set();
  const visible = await db
    .selectFrom('auth_users')
    .select('id')
    .where('id', 'in', parties)
    .where(visibleTo(scope, 'auth_users.id'))
    .execute();
  return new Set(visible.map(({ id }) => id));
}

/** The account whose balance stands beside a transfer; null where it is a system account. */
function balanceOwner(
  { from_id, to_id }: Parties,
  preferred: readonly (string | undefined)[],
  visible: ReadonlySet<string> | null,
): string | null {
  const parties = [from_id, to_id];
  const asked = preferred.find((id) => id !== undefined && parties.includes(id));
  const shown = parties.filter(
    (id) => id !== ISSUANCE && id !== SALES && (visible === null || visible.has(id)),
  );
  return asked ?? shown[0] ?? null;
}

export const listTransfers: Action<typeof contract.listTransfers> = async (
  { db, actor, config }: Ctx,
  { query },
) => {
  const scope = { account_id: actor.id, sees_all: actor.is_admin };
  const whose = await chooseAccounts(db, scope, query.account_id);
  const matching = matchTransfers(db, whose, config.time_zone, query);
  const rows = db.selectFrom('credit_transfers as transfer').selectAll();
  const page = await readPage(db, query, sortColumns, 'transfer.id', matching, rows);
  const visible = await visibleAmong(db, scope, page.items);
  const owners = page.items.map((row) => balanceOwner(row, [query.account_id, actor.id], visible));
  const balances = await readBalancesAfter(
    db,
    page.items.flatMap(({ id }, index) => {
      const account_id = owners[index];
      return account_id ? [{ id, account_id }] : [];
    }),
  );
  return {
    ...page,
    items: page.items.map((row, index) => {
      const balance_after = balances.get(row.id) ?? null;
      const balance_of = balance_after === null ? null : (owners[index] ?? null);
      return { ...toTransfer(row), balance_after, balance_of };
    }),
  };
};
