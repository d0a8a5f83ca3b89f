import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { isVisibleTo, type Scope } from '../../domain/context/access.ts';
import { toTransfer } from '../../domain/credits/credits.ts';
import {
  type InOrder,
  type Page,
  type PageRequest,
  readWholePage,
  type SortColumn,
} from '../../platform/paging/pages.ts';
import { totalOfAccount } from './count-transfers.ts';
import {
  type About,
  aboutTransfer,
  bothSides,
  columns,
  isOn,
  type TransferRow,
  toAbout,
} from './transfer-rows.ts';

/** Fields of a listed transfer that come from other tables. */
type Said = Pick<
  ListedTransfer,
  'balance_after' | 'from_name' | 'to_name' | 'actor_name' | 'line_exists'
>;
type Row = TransferRow & Said & About & { sort_value: string };

interface Readers {
  accounts: Scope;
  lines: Scope;
}

/** The name of an account, where the reader may see it. */
const nameOf = (column: string, scope: Scope) => sql<string | null>`(
  select coalesce(nullif(full_name, ''), email) from auth_users
    where id = ${sql.ref(`transfer.${column}`)} and ${isVisibleTo(scope, 'auth_users.id')})`;

/** Credits that an account received, less those it gave, after the newest row of the page. */
const laterThanPage = (account_id: string) => {
  const side = (column: 'from_id' | 'to_id') => sql`(
    select coalesce(sum(later.amount), 0) from credit_transfers later
      where later.${sql.ref(column)} = ${account_id}
        and (later.created_at, later.id) > (select created_at, id from page
          order by created_at desc, id desc limit 1))`;
  return sql`${side('to_id')} - ${side('from_id')}`;
};

/** Of the later rows of the page itself. */
const laterInPage = (account_id: string) => sql`coalesce(
  sum(case when transfer.to_id = ${account_id} then transfer.amount else -transfer.amount end) over (
    order by transfer.created_at desc, transfer.id desc
    rows between unbounded preceding and 1 preceding), 0)`;

const balanceAfter = (account_id: string) => sql<number | null>`((
  select credits from auth_users where id = ${account_id} and not is_admin)
  - (select credits from later) - ${laterInPage(account_id)})::bigint`;

/** All transfers of one account in list order, each with what is said of it, in one statement. */
function ofAccount(account_id: string, { accounts, lines }: Readers) {
  const kinds = [accounts, lines].map(({ sees_all }) => (sees_all ? 'all' : 'below'));
  return {
    name: ['transfers', ...kinds].join(),
    values: { account_id, reader_id: accounts.account_id },
    rows: (db: Db, given: { account_id: string; reader_id: string }, inOrder: InOrder) => {
      const [seen, ownLines] = [accounts, lines].map(({ sees_all }) => ({
        account_id: given.reader_id,
        sees_all,
      })) as [Scope, Scope];
      const page = inOrder(
        bothSides(db, (all, column) => inOrder(all.where(isOn(column, given.account_id)))),
      );
      return db
        .with('page', () => page.select(columns))
        .with('later', (within) =>
          within.selectNoFrom(sql<number>`${laterThanPage(given.account_id)}`.as('credits')),
        )
        .selectFrom('page as transfer')
        .select(columns)
        .select([
          sql<string>`transfer.created_at::text`.as('sort_value'),
          balanceAfter(given.account_id).as('balance_after'),
          nameOf('from_id', seen).as('from_name'),
          nameOf('to_id', seen).as('to_name'),
          nameOf('actor_id', seen).as('actor_name'),
          sql<boolean>`exists (select from users where users.id = transfer.line_id
            and ${isVisibleTo(ownLines, 'users.owner_id')})`.as('line_exists'),
          ...aboutTransfer(seen),
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
    totalOfAccount(db, account_id, isNewestFirst ? found : null);
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
