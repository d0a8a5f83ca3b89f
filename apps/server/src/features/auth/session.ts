import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { transact } from '../../db/transaction.ts';
import { auditSession } from '../../domain/accounts/audit-sessions.ts';
import { endSession } from '../../domain/accounts/sessions.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { ownAccount } from './me.ts';

export const getSession: Action<typeof contract.getSession> = async (ctx) => {
  if (!ctx.signedIn || !ctx.session_id) return null;
  const { expires_at } = await ctx.db
    .selectFrom('auth_sessions')
    .select('expires_at')
    .where('id', '=', ctx.session_id)
    .executeTakeFirstOrThrow();
  return { user: ownAccount(ctx), expires_at: expires_at.toISOString() };
};

export const signOut: Action<typeof contract.signOut> = async (ctx) => {
  const { session_id, signedIn } = ctx;
  if (session_id && signedIn) {
    await transact(ctx.db, async (tx) => {
      await endSession(tx, session_id);
      await auditSession(tx, ctx, 'account.sign_out', signedIn.id);
    });
  }
  ctx.setCookie(ctx.auth.cookie.write('', 0));
  return { success: true };
};
