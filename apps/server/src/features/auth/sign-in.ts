import type * as contract from '@linekeeper/contract/auth.ts';
import { isAPIError } from 'better-auth/api';
import { sql } from 'kysely';
import { enforcePasswordLimit } from '../../core/accounts/password-limit.ts';
import type { Ctx } from '../../core/context.ts';
import { fail, isRetryable } from '../../core/refusal.ts';
import type { Action } from '../../core/use-case.ts';
import { transact } from '../../db/transaction.ts';
import { auditSession, auditWrongPassword } from './audit-sessions.ts';
import { readMe } from './me.ts';
import { sendConfirmation } from './send-confirmation.ts';

/**
 * Gives the same error for a wrong password and for an unknown, unconfirmed or banned account, so
 * that it reveals nothing about accounts.
 */
export const signIn: Action<typeof contract.signIn> = async (ctx, { body }) => {
  const giveBack = await enforcePasswordLimit(ctx, `${body.email} ${ctx.address}`);
  const { headers, response } = await openSession(ctx, body).catch(async (error: unknown) => {
    // The password was not checked, so this is no failure.
    if (isRetryable(error)) await giveBack();
    throw error;
  });
  await giveBack();
  for (const cookie of headers.getSetCookie()) ctx.setCookie(cookie);
  const { id } = response.user;
  await transact(ctx.db, async (tx) => {
    await tx
      .updateTable('auth_users')
      .set({ last_sign_in_at: sql`now()` })
      .where('id', '=', id)
      .execute();
    await auditSession(tx, ctx, 'account.sign_in', id);
  });
  return { user: await readMe(ctx.db, id) };
};

async function openSession(ctx: Ctx, body: { email: string; password: string }) {
  try {
    return await ctx.auth.engine.api.signInEmail({
      body,
      // better-auth reads the client address from this header, so the client's own value is
      // replaced.
      headers: new Headers({
        'x-forwarded-for': ctx.address,
        'user-agent': ctx.headers.get('user-agent') ?? '',
      }),
      returnHeaders: true,
    });
  } catch (error) {
    if (!isAPIError(error)) throw error;
    // The password is right but the email is unconfirmed: sends a new link and gives the same
    // error.
    if (error.body?.code === 'EMAIL_NOT_VERIFIED') await sendConfirmation(ctx, body.email);
    if (error.body?.code === 'INVALID_EMAIL_OR_PASSWORD') await auditWrongPassword(ctx, body.email);
    return fail('INVALID_CREDENTIALS');
  }
}
