import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { transact } from '../../db/transaction.ts';
import { auditSession, auditWrongPassword } from '../../domain/accounts/audit-sessions.ts';
import { issueToken, newToken } from '../../domain/accounts/one-time-tokens.ts';
import { lockAccount } from '../../domain/accounts/own-account.ts';
import { enforcePasswordLimit } from '../../domain/accounts/password-limit.ts';
import { isSignedInFrom, openSession } from '../../domain/accounts/sessions.ts';
import { isTwoFactorOn } from '../../domain/accounts/two-factor.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failTooManyAttempts, isRetryable } from '../../platform/errors/refusal.ts';
import { hashPassword, verifyPassword } from '../../platform/keys/passwords.ts';
import { consumeLimit, releaseLimit, signInAccountLimit } from '../../platform/rate-limit.ts';
import { readMe } from './me.ts';
import { sendConfirmation } from './send-confirmation.ts';

type Body = { email: string; password: string };

/** The key by which failed sign-ins of an account from a network are counted, in both steps. */
export const signInSubject = (email: string, network: string) => `${email} ${network}`;

/**
 * Gives the same error for a wrong password and for an unknown, unconfirmed or banned account, so
 * that it reveals nothing about accounts.
 */
export const signIn: Action<typeof contract.signIn> = async (ctx, { body }) => {
  const giveBack = await enforceSignInLimits(ctx, body.email);
  const account = await checkPassword(ctx, body).catch(async (error: unknown) => {
    // The password was not checked, so this is no failure.
    if (isRetryable(error)) await giveBack();
    throw error;
  });
  const opened = await begin(ctx, account);
  await giveBack();
  if (opened.challenge !== undefined) {
    return { two_factor_required: true, challenge: opened.challenge };
  }
  ctx.setCookie(ctx.auth.sessionCookie(opened.token));
  return { user: await readMe(ctx.db, account.id) };
};

/** Counts a failed sign-in before the password is checked. Returns a function that undoes it. */
export async function enforceSignInLimits(ctx: Ctx, email: string): Promise<() => Promise<void>> {
  const giveBack = await enforcePasswordLimit(ctx, signInSubject(email, ctx.network));
  if (await isSignedInFrom(ctx.db, email, ctx.network)) return giveBack;
  const wait = await consumeLimit(ctx.db, signInAccountLimit, email);
  if (wait > 0) {
    await giveBack();
    failTooManyAttempts(wait);
  }
  return async () => {
    await giveBack();
    await releaseLimit(ctx.db, signInAccountLimit, email);
  };
}

interface CheckedAccount {
  id: string;
  /** The hash that the password was right for. */
  password_hash: string;
}

async function checkPassword(ctx: Ctx, { email, password }: Body): Promise<CheckedAccount> {
  const account = await ctx.db
    .selectFrom('auth_users')
    .innerJoin('auth_credentials', 'auth_credentials.user_id', 'auth_users.id')
    .select(['auth_users.id', 'auth_users.email_verified', 'auth_credentials.password'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (!account?.password) {
    // Takes as long as a wrong password does.
    await hashPassword(password);
    await auditWrongPassword(ctx, email);
    return fail('INVALID_CREDENTIALS');
  }
  if (!(await verifyPassword(account.password, password))) {
    await auditWrongPassword(ctx, email);
    fail('INVALID_CREDENTIALS');
  }
  if (ctx.mail.isConfigured && !account.email_verified) {
    await sendConfirmation(ctx, email);
    fail('INVALID_CREDENTIALS');
  }
  return { id: account.id, password_hash: account.password };
}

type Opened = { token: string; challenge?: undefined } | { challenge: string };

/** A session, or with two-factor on what takes the account to the second step. */
function begin(ctx: Ctx, { id, password_hash }: CheckedAccount): Promise<Opened> {
  return transact(ctx.db, async (tx) => {
    const account = await lockAccount(tx, id);
    if (!account || account.banned || account.password_hash !== password_hash) {
      return fail('INVALID_CREDENTIALS');
    }
    if (await isTwoFactorOn(tx, id)) {
      const challenge = newToken();
      await issueToken(tx, 'second_step', id, { wrong_codes: 0 }, challenge);
      return { challenge };
    }
    const token = await openSession(tx, ctx, id);
    await auditSession(tx, ctx, 'account.sign_in', id);
    return { token };
  });
}
