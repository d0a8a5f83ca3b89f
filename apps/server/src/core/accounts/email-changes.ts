import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { isReached } from '../clock.ts';
import { newId } from '../ids.ts';
import { isSameSecret } from '../keys/same-secret.ts';
import type { Secrets } from '../keys/secrets.ts';

const VALID_SECONDS = 60 * 60;

const signatureOf = (secrets: Secrets, id: string) => secrets.signLink(`change-email ${id}`);

/** The token of a change's link, the same each time it is mailed. */
export function emailChangeToken(secrets: Secrets, id: string): string {
  return `${id}.${signatureOf(secrets, id)}`;
}

/** The id in the token; null if it is none of this panel's. */
export function readEmailChangeToken(secrets: Secrets, token: string): string | null {
  const [id = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !/^[0-9a-f-]{36}$/.test(id)) return null;
  return isSameSecret(signature, signatureOf(secrets, id)) ? id : null;
}

interface NewEmailChange {
  account_id: string;
  new_email: string;
  session_id: string | null;
}

/** Takes the place of a change that waited before. */
export async function askEmailChange(tx: Tx, { account_id, ...asked }: NewEmailChange) {
  const change = {
    ...asked,
    id: newId(),
    expires_at: sql<Date>`now() + make_interval(secs => ${VALID_SECONDS})`,
    created_at: sql<Date>`now()`,
  };
  await tx
    .insertInto('email_changes')
    .values({ account_id, ...change })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(change))
    .execute();
}

const waiting = (db: Db) =>
  db
    .selectFrom('email_changes')
    .select(['id', 'account_id', 'new_email', 'session_id', 'expires_at'])
    .where((where) => where.not(isReached(sql.ref('expires_at'), VALID_SECONDS)));

export function findEmailChangeOf(db: Db, accountId: string) {
  return waiting(db).where('account_id', '=', accountId).executeTakeFirst();
}

export function findEmailChange(db: Db, id: string) {
  return waiting(db).where('id', '=', id).executeTakeFirst();
}

export async function endEmailChange(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('email_changes').where('account_id', '=', accountId).execute();
}

/** Stores the new address as confirmed; fails as `isEmailTaken` says if another account has it. */
export async function storeEmail(tx: Tx, accountId: string, email: string): Promise<void> {
  await tx
    .updateTable('auth_users')
    .set({ email, email_verified: true, updated_at: sql`now()` })
    .where('id', '=', accountId)
    .execute();
}

export function isEmailTaken(error: unknown): boolean {
  return (
    error instanceof Error && 'constraint' in error && error.constraint === 'auth_users_email_key'
  );
}

export async function deleteExpiredEmailChanges(db: Db): Promise<void> {
  await db
    .deleteFrom('email_changes')
    .where(isReached(sql.ref('expires_at'), VALID_SECONDS))
    .execute();
}
