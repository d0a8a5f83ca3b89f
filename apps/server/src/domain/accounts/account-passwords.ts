import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { failField, isRetryable } from '../../platform/errors/refusal.ts';
import { verifyPassword } from '../../platform/keys/passwords.ts';
import {
  auditedFailuresLimit,
  consumeLimit,
  enforceLimit,
  type Limit,
  releaseLimit,
  signInAddressLimit,
  signInLimit,
} from '../../platform/rate-limit.ts';
import { auditAccount, auditOriginOf, writeNoAudit } from '../audit/audit.ts';
import type { Ctx } from '../context/context.ts';
import { readAccount } from './accounts.ts';
import { endTokens } from './one-time-tokens.ts';
import { isTwoFactorBegun, turnTwoFactorOff } from './two-factor.ts';

interface LockedAccount {
  email: string;
  banned: boolean;
  /** The stored hash; null if the account has no password. */
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
 * Locks an account before its password, its second step or one of its sessions changes: a sign-in at the same time
 * either has a session that the change ends, or needs the new credentials. A separate statement reads the password, so
 * that it sees the commit of the transaction before.
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
 * Replaces the password of an account, by its hash. The caller has locked the account. A link that was to confirm the
 * email of its sign-up stops working, because it was sent for the former password.
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
 * Records that the account's password was set by a link in an email, so its owner reads that mailbox. The first time,
 * two-factor sign-in is turned off, because another person may have signed up with the address and turned it on.
 * Returns true if it was turned off.
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

/** Removes an attempt from the count of failures, because its password was right or was not compared. */
export type Forgive = () => Promise<void>;

/** A limit, and the subject that an attempt is counted for. */
type CountedFor = readonly [Limit, string];

/**
 * Counts a sign-in as failed, before its password is checked: for `subject`, for the network of the client and for the
 * limits in `more`. Returns a function that removes the attempt from these counts. Throws TOO_MANY_ATTEMPTS if a limit
 * is reached; the attempt is then not counted.
 */
export async function countSignIn(
  { db, network }: Ctx,
  subject: string,
  more: readonly CountedFor[] = [],
): Promise<Forgive> {
  const counted: CountedFor[] = [];
  const forgive = async () => {
    for (const one of counted) await releaseLimit(db, ...one);
  };
  const limits: CountedFor[] = [[signInLimit, subject], [signInAddressLimit, network], ...more];
  for (const one of limits) {
    try {
      await enforceLimit(db, ...one);
    } catch (error) {
      await forgive();
      throw error;
    }
    counted.push(one);
  }
  return forgive;
}

/** The result of `check`. If the check could not be made, the attempt is removed from the count of failures. */
export const orForgive = <T>(check: Promise<T>, forgive: Forgive): Promise<T> =>
  check.catch(async (error: unknown) => {
    if (isRetryable(error)) await forgive();
    throw error;
  });

/**
 * Writes a wrong password for an account into the audit log. Attempts that the rate limits refuse are not
 * written. Neither is an address without an account: it may be a password in the wrong field. Both cases
 * run equal statements, so that the time of the reply does not reveal which accounts exist.
 */
export async function auditWrongPassword(ctx: Ctx, email: string): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const account = await readAccount(tx, 'email', email, ['id']);
    if ((await consumeLimit(tx, auditedFailuresLimit, email)) > 0) return;
    if (!account) return writeNoAudit(tx);
    await auditAccount(tx, auditOriginOf(ctx), 'account.wrong_password', account.id);
  });
}

/** True if the password is right for the hash. A wrong one is written into the audit log of the email's account. */
export async function isPassword(
  ctx: Ctx,
  email: string,
  hash: string | null,
  password: string,
): Promise<boolean> {
  const isRight = await verifyPassword(hash ?? '', password);
  if (!isRight) await auditWrongPassword(ctx, email);
  return isRight;
}

/**
 * Verifies the password that the acting account has entered to confirm a change. A wrong one counts as a failed
 * sign-in. Returns a function that locks the account within the change's transaction, and throws WRONG_CURRENT_PASSWORD
 * if its password has changed since. Throws WRONG_CURRENT_PASSWORD at `field`, and TOO_MANY_ATTEMPTS.
 */
export async function checkOwnPassword(
  ctx: Ctx,
  field: string,
  password: string,
): Promise<(tx: Tx) => Promise<LockedAccount>> {
  const { id, email } = ctx.actor;
  const forgive = await countSignIn(ctx, id);
  const hash = await readPasswordHash(ctx.db, id);
  const isRight = await orForgive(isPassword(ctx, email, hash, password), forgive);
  if (!isRight) failField(field, 'WRONG_CURRENT_PASSWORD');
  await forgive();
  return async (tx) => {
    const account = await lockAccount(tx, id);
    if (!account || account.password_hash !== hash) failField(field, 'WRONG_CURRENT_PASSWORD');
    return account;
  };
}
