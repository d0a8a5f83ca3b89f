import type * as contract from '@linekeeper/contract/auth/two-factor.ts';
import { WRONG_CODES_ALLOWED } from '@linekeeper/contract/auth/two-factor.ts';
import { parseCookie } from 'cookie';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { auditSession } from '../../domain/accounts/audit-sessions.ts';
import { changeTokenData, findToken, takeToken } from '../../domain/accounts/one-time-tokens.ts';
import { lockAccount } from '../../domain/accounts/own-account.ts';
import { openSession } from '../../domain/accounts/sessions.ts';
import { type GivenCode, takeCode } from '../../domain/accounts/two-factor.ts';
import { writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { enforceCodeLimit } from './code-limit.ts';
import { readMe } from './me.ts';
import { signInSubject } from './sign-in.ts';

/** The account that is signing in; null if the challenge is unknown, used or expired. */
async function accountOfChallenge(db: Db, challenge: string) {
  const found = await findToken(db, 'second_step', challenge);
  if (!found) return null;
  const { account_id: id, seconds_left } = found;
  const { email } = await db
    .selectFrom('auth_users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, email, seconds_left };
}

/** Wrong codes are counted with the wrong passwords of the account from this address. */
export const twoFactorSignIn: Action<typeof contract.twoFactorSignIn> = async (ctx, { body }) => {
  const { challenge, ...given } = body;
  const account = await accountOfChallenge(ctx.db, challenge);
  if (!account) return fail('CHALLENGE_ENDED');
  const { id, email } = account;
  const giveBack = await enforceCodeLimit(ctx, signInSubject(email, ctx.network), id, given);
  const outcome = await transact(ctx.db, (tx) => finish(tx, ctx, id, challenge, given));
  if (outcome === 'wrong') return fail('TWO_FACTOR_REFUSED');
  if (outcome === 'wrong too often') return fail('CHALLENGE_ENDED');
  await giveBack();
  if (outcome === 'ended') return fail('CHALLENGE_ENDED');
  ctx.setCookie(ctx.auth.sessionCookie(outcome.token));
  return { user: await readMe(ctx.db, id) };
};

type Outcome = 'ended' | 'wrong' | 'wrong too often' | { token: string };

/** Steps of one account follow each other, so that a challenge and a code are taken once. */
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
  if (!(await takeCode(tx, ctx.secrets, id, given))) {
    const wrong_codes = waiting.data.wrong_codes + 1;
    if (wrong_codes >= WRONG_CODES_ALLOWED) {
      await takeToken(tx, 'second_step', challenge);
      return 'wrong too often';
    }
    await changeTokenData(tx, 'second_step', challenge, { wrong_codes });
    return 'wrong';
  }
  await takeToken(tx, 'second_step', challenge);
  if (given.recovery_code !== undefined) {
    const origin = { actor_id: id, address: ctx.address, request_id: ctx.request_id };
    await writeAudit(tx, origin, [
      { action: 'account.use_recovery_code', subject_type: 'account', subject_id: id },
    ]);
  }
  const token = await openSession(tx, ctx, id);
  await auditSession(tx, ctx, 'account.sign_in', id);
  return { token };
}

/** The challenge stands for a password that was right, so it is kept where no script reads it. */
export const keepSecondStep: Action<typeof contract.keepSecondStep> = async (ctx, { body }) => {
  const account = await accountOfChallenge(ctx.db, body.challenge);
  if (!account) return fail('CHALLENGE_ENDED');
  const { seconds_left } = account;
  const { secondStepCookie } = ctx.auth;
  ctx.setCookie(secondStepCookie.write(encodeURIComponent(body.challenge), seconds_left));
  return { seconds_left };
};

export const getSecondStep: Action<typeof contract.getSecondStep> = async (ctx) => {
  const { name } = ctx.auth.secondStepCookie;
  const challenge = parseCookie(ctx.headers.get('cookie') ?? '')[name];
  const account = challenge ? await accountOfChallenge(ctx.db, challenge) : null;
  if (!challenge || !account) return fail('CHALLENGE_ENDED');
  return { challenge, email: account.email, seconds_left: account.seconds_left };
};
