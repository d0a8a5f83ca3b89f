import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { accountsList } from '@linekeeper/contract/lists/lists.ts';
import { ADMIN_CREDITS_SHOWN } from '@linekeeper/contract/pricing.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { accountRows, toAccount } from '../../domain/accounts/accounts.ts';
import { accountsFor } from '../../domain/accounts/allowed-actions.ts';
import { accountScope, type SignedIn, visibleTo } from '../../domain/context/access.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { listAsCsv } from '../../platform/paging/csv.ts';
import { likeFolded } from '../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import {
  countRows,
  isUnfiltered,
  type Page,
  readPage,
  readWholePage,
  totalOfMany,
} from '../../platform/paging/pages.ts';

/** SQL of the balance as it is shown, for sorting; see shownCredits. */
const shownBalance = sql`case when auth_users.is_admin
  then ${sql.lit(ADMIN_CREDITS_SHOWN)} else auth_users.credits end`;

/** The expression of the index `auth_users_last_sign_in`; accounts that never signed in come first. */
const lastSignIn = sql`coalesce(auth_users.last_sign_in_at, '-infinity'::timestamptz)`;

const sortColumns: SortColumns<typeof accountsList> = {
  created_at: { ref: 'auth_users.created_at', type: 'timestamptz' },
  email: { ref: 'auth_users.email', type: 'text' },
  credits: { ref: shownBalance, type: 'bigint' },
  lines: { ref: 'account_figures.line_count', type: 'bigint' },
  last_sign_in: { ref: lastSignIn, type: 'timestamptz' },
};

type AccountsQuery = Parsed<typeof contract.listAccounts>['query'];
type Accounts = SelectQueryBuilder<Database, 'auth_users', object>;

function filterAccounts(accounts: Accounts, filters: AccountsQuery): Accounts {
  return filtered(accountsList, accounts, filters, {
    group_id: 'group_id',
    owner_id: 'owner_id',
    status: (asked) =>
      sql<SqlBool>`banned in (${sql.join(asked.map((one) => one === 'suspended'))})`,
    no_credits: sql`credits = 0 and not is_admin`,
    q: (text) => sql<SqlBool>`auth_users.search like ${likeFolded(text)}`,
  });
}

/** Joins the figures that only sorting needs. The query that counts the matching rows works without them. */
function withFigures(db: Db): Accounts {
  return db
    .selectFrom('auth_users')
    .innerJoin('account_figures', 'account_figures.account_id', 'auth_users.id') as Accounts;
}

const everyAccount = { name: 'accounts', rows: accountRows };

export async function listAccounts(
  db: Db,
  actor: SignedIn,
  query: AccountsQuery,
): Promise<Page<Account>> {
  const all = query.sort.endsWith('lines') ? withFigures(db) : db.selectFrom('auth_users');
  const seen = all.where(visibleTo(accountScope(actor), 'auth_users.id'));
  const matching = filterAccounts(seen, query);
  const isWhole = accountScope(actor).sees_all && isUnfiltered(query);
  const page = isWhole
    ? await readWholePage(db, query, sortColumns, 'auth_users.id', everyAccount, () =>
        totalOfMany(db, 'accounts', (most) => countRows(db, most, db.selectFrom('auth_users'))),
      )
    : await readPage(db, query, sortColumns, 'auth_users.id', matching, accountRows(db));
  return { ...page, items: await accountsFor(db, actor, page.items.map(toAccount)) };
}

const csvColumns = [
  'email',
  'username',
  'full_name',
  'credits',
  'line_count',
  'subtree_count',
  'status',
  'group_id',
  'last_sign_in_at',
  'created_at',
  'notes',
] as const;

export const accountsCsv: Action<typeof contract.accountsCsv> = async (ctx, { query }) =>
  listAsCsv(ctx, 'accounts', query, csvColumns, (asked) => listAccounts(ctx.db, ctx.actor, asked));
