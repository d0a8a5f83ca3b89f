import type * as contract from '@linekeeper/contract/auth.ts';
import { isAPIError } from 'better-auth/api';
import { sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import { countAttempt, forgive, signInLimit } from '../../core/rate-limit.ts';
import { fail } from '../../core/refusal.ts';
import type { Action } from '../../core/use-case.ts';
import { readMe } from './me.ts';

/** One answer for a wrong password, an unknown, unconfirmed or banned account. */
export const signIn: Action<typeof contract.signIn> = async (ctx, { body }) => {
  const subject = `${body.email} ${ctx.address}`;
  await countAttempt(ctx.db, signInLimit, subject);
  const { headers, response } = await openSession(ctx, body);
  await forgive(ctx.db, signInLimit, subject);
  for (const cookie of headers.getSetCookie()) ctx.setCookie(cookie);
  await ctx.db
    .updateTable('auth_users')
    .set({ last_sign_in_at: sql`now()` })
    .where('id', '=', response.user.id)
    .execute();
  return { user: await readMe(ctx.db, response.user.id) };
};

async function openSession(ctx: Ctx, body: { email: string; password: string }) {
  try {
    return await ctx.auth.engine.api.signInEmail({
      body,
      // The engine takes the address from this header; what the client wrote there is not passed on.
      headers: new Headers({
        'x-forwarded-for': ctx.address,
        'user-agent': ctx.headers.get('user-agent') ?? '',
      }),
      returnHeaders: true,
    });
  } catch (error) {
    if (isAPIError(error)) return fail('INVALID_CREDENTIALS');
    throw error;
  }
}
