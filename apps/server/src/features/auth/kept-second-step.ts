import type * as contract from '@linekeeper/contract/auth/two-factor.ts';
import { parseCookie } from 'cookie';
import { accountOfChallenge } from '../../core/accounts/challenges.ts';
import { fail } from '../../core/refusal.ts';
import type { Action } from '../../core/use-case.ts';

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
