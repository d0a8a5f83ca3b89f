import type * as contract from '@linekeeper/contract/auth/auth.ts';
import type * as twoFactor from '@linekeeper/contract/auth/two-factor.ts';
import { WRONG_CODES_ALLOWED } from '@linekeeper/contract/auth/two-factor.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import {
  auditWrongPassword,
  countSignIn,
  type Forgive,
  isPassword,
  lockAccount,
  orForgive,
} from '../../domain/accounts/account-passwords.ts';
import { readAccount } from '../../domain/accounts/accounts.ts';
import {
  findToken,
  issueToken,
  newToken,
  storeWrongCodes,
  takeToken,
} from '../../domain/accounts/one-time-tokens.ts';
import { isSignedInFrom, openSession } from '../../domain/accounts/sessions.ts';
import { type GivenCode, isTwoFactorOn, takeCode } from '../../domain/accounts/two-factor.ts';
import { auditAccount, auditOriginOf } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { queueMail } from '../../domain/notices/outbox.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { hashPassword } from '../../platform/keys/passwords.ts';
import { signInAccountLimit, twoFactorLimit } from '../../platform/rate-limit.ts';
import { enter } from './me.ts';

/** The subject for which failed sign-ins of an account from a network are counted, in both steps. */
const signInSubject = (email: string, { network }: Ctx) => `${email} ${network}`;

/**
 * Signs in. Gives the same error for a wrong password and for an unknown, unconfirmed or banned account, so that it
 * reveals nothing about accounts. Throws INVALID_CREDENTIALS and TOO_MANY_ATTEMPTS.
 */
export const signIn: Action<typeof contract.signIn> = async (ctx, { body }) => {
  const forgive = await countPassword(ctx, body.email);
  const account = await orForgive(checkPassword(ctx, body), forgive);
  const opened = await begin(ctx, account);
  await forgive();
  if ('challenge' in opened) return { two_factor_required: true, challenge: opened.challenge };
  return { user: await enter(ctx, account.id, opened.token) };
};

/** Counts a wrong password of an account before it is checked. Throws TOO_MANY_ATTEMPTS. */
export async function countPassword(ctx: Ctx, email: string): Promise<Forgive> {
  const isKnown = await isSignedInFrom(ctx.db, email, ctx.network);
  const limits = isKnown ? [] : [[signInAccountLimit, email] as const];
  return countSignIn(ctx, signInSubject(email, ctx), limits);
}

interface CheckedAccount {
  id: string;
  /** The hash that the password matched. */
  password_hash: string;
}

/** Checks the password of a sign-in. Throws INVALID_CREDENTIALS. */
async function checkPassword(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
): Promise<CheckedAccount> {
  const account = await ctx.db
    .selectFrom('auth_users')
    .innerJoin('auth_credentials', 'auth_credentials.user_id', 'auth_users.id')
    .select(['auth_users.id', 'auth_users.email_verified', 'auth_credentials.password'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (!account?.password) {
    // The hash is only computed so that the response takes as long as for a wrong password.
    await hashPassword(password);
    await auditWrongPassword(ctx, email);
    return fail('INVALID_CREDENTIALS');
  }
  if (!(await isPassword(ctx, email, account.password, password))) fail('INVALID_CREDENTIALS');
  if (ctx.mail.isConfigured && !account.email_verified) {
    await transact(ctx.db, (tx) => queueConfirmation(tx, ctx, email));
    fail('INVALID_CREDENTIALS');
  }
  return { id: account.id, password_hash: account.password };
}

/** The query of the account with this email, if its address was never confirmed and it is not banned. */
export const unconfirmed = (db: Db, email: string) =>
  db
    .selectFrom('auth_users')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .where('email_verified', '=', false)
    .where('banned', '=', false);

/** Queues a confirmation link if the email belongs to an unconfirmed account. */
export async function queueConfirmation(tx: Tx, ctx: Ctx, email: string): Promise<void> {
  const account = ctx.mail.isConfigured && (await unconfirmed(tx, email).executeTakeFirst());
  if (account) await queueMail(tx, ctx, { kind: 'confirm_email', account_id: account.id });
}

/** Begins a session, or the second step if two-factor sign-in is on. Throws INVALID_CREDENTIALS. */
function begin(
  ctx: Ctx,
  { id, password_hash }: CheckedAccount,
): Promise<{ token: string } | { challenge: string }> {
  return transact(ctx.db, async (tx) => {
    const account = await lockAccount(tx, id);
    if (!account || account.banned || account.password_hash !== password_hash) {
      return fail('INVALID_CREDENTIALS');
    }
    if (!(await isTwoFactorOn(tx, id))) return { token: await openSession(tx, ctx, id) };
    const challenge = newToken();
    await issueToken(tx, 'second_step', id, { wrong_codes: 0 }, challenge);
    return { challenge };
  });
}

/** The account that is signing in. Throws CHALLENGE_ENDED if the challenge is unknown, used or expired. */
async function accountOfChallenge(db: Db, challenge = '') {
  const found = await findToken(db, 'second_step', challenge);
  const account = found && (await readAccount(db, 'id', found.account_id, ['id', 'email']));
  if (!account) return fail('CHALLENGE_ENDED');
  return { ...account, seconds_left: found.seconds_left };
}

/**
 * Counts a wrong code before it is checked, for `subject` like a wrong password, and for the
 * account from any network. Recovery codes cannot be guessed. Throws TOO_MANY_ATTEMPTS.
 */
export async function countCode(ctx: Ctx, subject: string, accountId: string, { code }: GivenCode) {
  const limits = code === undefined ? [] : [[twoFactorLimit, accountId] as const];
  return countSignIn(ctx, subject, limits);
}

/**
 * Completes a sign-in. Wrong codes count together with the wrong passwords of the account from this address. Throws
 * TOO_MANY_ATTEMPTS, TWO_FACTOR_REFUSED and CHALLENGE_ENDED.
 */
export const twoFactorSignIn: Action<typeof twoFactor.twoFactorSignIn> = async (ctx, { body }) => {
  const { challenge, ...given } = body;
  const { id, email } = await accountOfChallenge(ctx.db, challenge);
  const forgive = await countCode(ctx, signInSubject(email, ctx), id, given);
  const outcome = await transact(ctx.db, (tx) => finish(tx, ctx, id, challenge, given));
  if (outcome === 'wrong') return fail('TWO_FACTOR_REFUSED');
  if (outcome === 'wrong too often') return fail('CHALLENGE_ENDED');
  await forgive();
  if (outcome === 'ended') return fail('CHALLENGE_ENDED');
  return { user: await enter(ctx, id, outcome.token) };
};

type Outcome = 'ended' | 'wrong' | 'wrong too often' | { token: string };

/** Completes the second step. The steps of one account run in order, so that a challenge and a code work once. */
async function finish(
  tx: Tx,
  ctx: Ctx,
  id: string,
  challenge: string,
  given: GivenCode,
): Promise<Outcome> {
  const account = await lockAccount(tx, id);
  const waiting = await findToken(tx, 'second_step', challenge);
  if (!waiting || !account || account.banned) return 'ended';
  const isRight = await takeCode(tx, ctx.secrets, id, given);
  const wrongCodes = waiting.data.wrong_codes + 1;
  if (!isRight && wrongCodes < WRONG_CODES_ALLOWED) {
    await storeWrongCodes(tx, challenge, wrongCodes);
    return 'wrong';
  }
  await takeToken(tx, ['second_step'], challenge);
  if (!isRight) return 'wrong too often';
  if (given.recovery_code !== undefined) {
    const origin = { ...auditOriginOf(ctx), actor_id: id };
    await auditAccount(tx, origin, 'account.use_recovery_code', id);
  }
  return { token: await openSession(tx, ctx, id) };
}

/** Stores the challenge in a cookie that no script can read, because it proves that the password was right. */
export const keepSecondStep: Action<typeof twoFactor.keepSecondStep> = async (ctx, { body }) => {
  const { seconds_left } = await accountOfChallenge(ctx.db, body.challenge);
  const challenge = encodeURIComponent(body.challenge);
  ctx.setCookie(ctx.auth.secondStepCookie.write(challenge, seconds_left));
  return { seconds_left };
};

export const getSecondStep: Action<typeof twoFactor.getSecondStep> = async (ctx) => {
  const challenge = ctx.auth.secondStepCookie.read(ctx.headers) ?? '';
  const { email, seconds_left } = await accountOfChallenge(ctx.db, challenge);
  return { challenge, email, seconds_left };
};
