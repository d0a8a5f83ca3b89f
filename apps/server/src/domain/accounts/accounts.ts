import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { type Selectable, sql } from 'kysely';
import type { AccountFiguresTable, AccountRow } from '../../db/schema/schema.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { type Scope, visibleTo } from '../context/access.ts';
import { shownCredits } from '../credits/balance.ts';

export interface NewAccount {
  email: string;
  /** null if the account must first set a password by a reset link. */
  password_hash: string | null;
  email_verified: boolean;
  is_mailbox_proven?: boolean;
  group_id: string;
  owner_id: string | null;
  full_name?: string | undefined;
  /** Defaults to the email. */
  username?: string | undefined;
  notes?: string | undefined;
}

/**
 * Locks an account until the transaction ends, as each movement of its credits does, so that changes which
 * count its credits wait for each other. False if the account does not exist.
 */
export async function holdAccount(tx: Tx, id: string): Promise<boolean> {
  const held = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return held !== undefined;
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
] as const;
type AccountColumns = Pick<
  AccountRow & Selectable<AccountFiguresTable>,
  (typeof accountColumns)[number]
>;

/** All accounts with the columns that `toAccount` converts. */
export function accountRows(db: Db) {
  return db
    .selectFrom('auth_users')
    .innerJoin('account_figures', 'account_figures.account_id', 'auth_users.id')
    .select(accountColumns);
}

/** SQL for the name of an account that those who may see it read: its full name, or its email. */
export function accountName(table: string) {
  const [fullName, email] = [sql.ref(`${table}.full_name`), sql.ref(`${table}.email`)];
  return sql<string>`coalesce(nullif(${fullName}, ''), ${email})`;
}

/** An account as it is stored, without what depends on its reader. */
export type StoredAccount = Omit<Account, 'may'>;

export function toAccount(row: AccountColumns): StoredAccount {
  const { id, email, username, full_name, notes, group_id, is_admin, owner_id, banned } = row;
  return {
    id,
    email,
    username,
    full_name,
    notes,
    group_id,
    is_admin,
    owner_id,
    banned,
    credits: shownCredits(row),
    status: banned ? 'suspended' : 'active',
    created_at: row.created_at.toISOString(),
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
    line_count: row.line_count,
    subtree_count: row.subtree_count,
  };
}

/** Throws USER_NOT_FOUND if the account is missing or outside the scope. */
export async function findAccount(db: Db, scope: Scope, id: string): Promise<StoredAccount> {
  const row = await accountRows(db)
    .where('auth_users.id', '=', id)
    .where(visibleTo(scope, 'auth_users.id'))
    .executeTakeFirst();
  return row ? toAccount(row) : fail('USER_NOT_FOUND');
}
