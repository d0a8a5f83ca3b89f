import type * as contract from '@linekeeper/contract/auth/two-factor.ts';
import { auditSession } from '../../core/accounts/audit-sessions.ts';
import {
  accountOfChallenge,
  countWrongCode,
  endChallenge,
} from '../../core/accounts/challenges.ts';
import { lockAccount } from '../../core/accounts/own-account.ts';
import { openSession } from '../../core/accounts/sessions.ts';
import { type GivenCode, takeCode } from '../../core/accounts/two-factor.ts';
import { writeAudit } from '../../core/audit/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { fail } from '../../core/refusal.ts';
import type { Action } from '../../core/use-case.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import { enforceCodeLimit } from './code-limit.ts';
import { readMe } from './me.ts';
import { signInSubject } from './sign-in.ts';

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
  const isWaiting = (await accountOfChallenge(tx, challenge)) !== null;
  if (!isWaiting || !account || account.banned) return 'ended';
  if (!(await takeCode(tx, ctx.secrets, id, given))) {
    return (await countWrongCode(tx, challenge)) ? 'wrong too often' : 'wrong';
  }
  await endChallenge(tx, challenge);
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
