import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { ADMIN_CREDITS_SHOWN } from '@linekeeper/contract/pricing.ts';
import { sql, type Updateable } from 'kysely';
import type { AccountRow, AuthUsersTable } from '../../db/schema/schema.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { sentRow } from '../../platform/rows.ts';
import { type Scope, visibleTo } from '../context/access.ts';

export interface NewAccount {
  email: string;
  /** The hash of the password; null until the account has set one by a link. */
  password_hash: string | null;
  email_verified: boolean;
  is_mailbox_proven?: boolean;
  group_id: string;
  owner_id: string | null;
  full_name?: string | undefined;
  /** The username; by default the email. */
  username?: string | undefined;
  notes?: string | undefined;
}

/** Columns of the account with this id or email; undefined if there is none. */
export async function readAccount<Column extends keyof AccountRow>(
  db: Db,
  key: 'id' | 'email',
  value: string,
  columns: readonly Column[],
): Promise<Pick<AccountRow, Column> | undefined> {
  const found = db.selectFrom('auth_users').select(columns as readonly (keyof AccountRow)[]);
  return found.where(key, '=', value).executeTakeFirst();
}

/** Changes the columns of an account. The caller has checked that it may. */
export async function changeAccount(
  tx: Tx,
  id: string,
  columns: Updateable<AuthUsersTable>,
): Promise<void> {
  const changed = { ...columns, updated_at: sql<Date>`now()` };
  await tx.updateTable('auth_users').set(changed).where('id', '=', id).execute();
}

/**
 * Reads the balance of an account and locks it until the transaction ends, as every movement of its credits does, so
 * that changes that count its credits wait for each other. Throws USER_NOT_FOUND.
 */
export async function lockBalance(tx: Tx, id: string): Promise<number> {
  const account = await tx
    .selectFrom('auth_users')
    .select('credits')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account ? account.credits : fail('USER_NOT_FOUND');
}

/** Credits to show for an account; a fixed number for administrators, whose credits are not counted. */
export function shownCredits(account: { is_admin: boolean; credits: number }): number {
  return account.is_admin ? ADMIN_CREDITS_SHOWN : account.credits;
}

/** Creates an account with its password. Returns its id; null if the email is taken. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<string | null> {
  const { password_hash, ...row } = account;
  const id = newId();
  const inserted = await tx
    .insertInto('auth_users')
    .values({
      ...row,
      id,
      full_name: row.full_name ?? '',
      username: row.username || row.email,
      notes: row.notes ?? null,
      avatar_url: null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return null;
  await tx
    .insertInto('auth_credentials')
    .values({ user_id: id, password: password_hash })
    .execute();
  return id;
}

const accountColumns = [
  'id',
  'email',
  'username',
  'full_name',
  'notes',
  'credits',
  'group_id',
  'is_admin',
  'owner_id',
  'banned',
  'created_at',
  'last_sign_in_at',
  'line_count',
  'subtree_count',
  'price_list_id',
] as const;
/** All accounts with the columns that `toAccount` converts. */
export function accountRows(db: Db) {
  return db
    .selectFrom('auth_users')
    .innerJoin('account_figures', 'account_figures.account_id', 'auth_users.id')
    .select(accountColumns);
}

type AccountColumns = Awaited<ReturnType<ReturnType<typeof accountRows>['execute']>>[number];

/** SQL for the display name of an account, for readers who may see it: its full name, or its email. */
export function accountName(table: string) {
  const [fullName, email] = [sql.ref(`${table}.full_name`), sql.ref(`${table}.email`)];
  return sql<string>`coalesce(nullif(${fullName}, ''), ${email})`;
}

/** An account as it is stored, without the fields that depend on its reader. */
export type StoredAccount = Omit<Account, 'may'>;

export function toAccount(row: AccountColumns): StoredAccount {
  const status = row.banned ? 'suspended' : 'active';
  return { ...sentRow(row), credits: shownCredits(row), status };
}

/**
 * Reads the account with this ID, as the API returns it. Throws USER_NOT_FOUND if it is missing or outside the scope.
 */
export async function findAccount(db: Db, scope: Scope, id: string): Promise<StoredAccount> {
  const row = await accountRows(db)
    .where('auth_users.id', '=', id)
    .where(visibleTo(scope, 'auth_users.id'))
    .executeTakeFirst();
  return row ? toAccount(row) : fail('USER_NOT_FOUND');
}
