import type { Tx } from '../db/transaction.ts';
import { newId } from './ids.ts';

export interface NewAccount {
  email: string;
  password_hash: string;
  email_verified: boolean;
  group_id: string;
  owner_id: string | null;
  full_name?: string | undefined;
  /** Defaults to the email. */
  username?: string | undefined;
  notes?: string | undefined;
}

/** Writes an account and its password; null where the email is taken. */
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
    .values({
      id: newId(),
      user_id: id,
      account_id: id,
      provider_id: 'credential',
      password: password_hash,
    })
    .execute();
  return id;
}
