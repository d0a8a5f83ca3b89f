import type { Db, Tx } from '../../db/transaction.ts';
import { failField } from '../../platform/errors/refusal.ts';
import type { Ctx } from '../context/context.ts';
import { endTokens } from './one-time-tokens.ts';
import { checking, countPassword, isPassword } from './password-limit.ts';
import { isTwoFactorBegun, turnTwoFactorOff } from './two-factor.ts';

interface LockedAccount {
  email: string;
  banned: boolean;
  /** null if it has none. */
  password_hash: string | null;
}

export async function readPasswordHash(db: Db, accountId: string): Promise<string | null> {
  const credential = await db
    .selectFrom('auth_credentials')
    .select('password')
    .where('user_id', '=', accountId)
    .executeTakeFirst();
  return credential?.password ?? null;
}

/**
 * Locks an account before its password, its second step or a session of it changes: a sign-in
 * at the same time either has a session that the change ends, or needs the new credentials. The password is
 * read by a statement of its own, which sees what the transaction before has committed.
 */
export async function lockAccount(tx: Tx, id: string): Promise<LockedAccount | null> {
  const account = await tx
    .selectFrom('auth_users')
    .select(['email', 'banned'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account ? { ...account, password_hash: await readPasswordHash(tx, id) } : null;
}

/**
 * Replaces the password of an account that the transaction has locked. A link that would confirm the sign-up
 * with the one before ends.
 */
export async function storePassword(tx: Tx, accountId: string, hash: string): Promise<void> {
  await endTokens(tx, accountId, ['confirm_email']);
  await tx
    .updateTable('auth_credentials')
    .set({ password: hash, updated_at: new Date() })
    .where('user_id', '=', accountId)
    .execute();
}

/**
 * Marks that the reader of the account's mail has set its password. The first time, two-factor sign-in is
 * turned off, because another person may have signed up with the address and turned it on. Returns true if
 * it was turned off.
 */
export async function proveMailbox(tx: Tx, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('auth_users')
    .set({ is_mailbox_proven: true })
    .where('id', '=', accountId)
    .where('is_mailbox_proven', '=', false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n || !(await isTwoFactorBegun(tx, accountId))) return false;
  await turnTwoFactorOff(tx, accountId);
  return true;
}

/**
 * Counts like a failed sign-in unless `password` is the acting account's. Returns what locks the account, which throws
 * WRONG_CURRENT_PASSWORD if its password has changed since. Throws WRONG_CURRENT_PASSWORD at the field, and
 * TOO_MANY_ATTEMPTS.
 */
export async function checkOwnPassword(
  ctx: Ctx,
  field: string,
  password: string,
): Promise<(tx: Tx) => Promise<LockedAccount>> {
  const { id, email } = ctx.actor;
  const forgive = await countPassword(ctx, id);
  const hash = await readPasswordHash(ctx.db, id);
  const isRight = await checking(isPassword(ctx, email, hash, password), forgive);
  if (!isRight) failField(field, 'WRONG_CURRENT_PASSWORD');
  await forgive();
  return async (tx) => {
    const account = await lockAccount(tx, id);
    if (!account || account.password_hash !== hash) failField(field, 'WRONG_CURRENT_PASSWORD');
    return account;
  };
}
