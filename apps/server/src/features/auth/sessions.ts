import type * as account from '@linekeeper/contract/auth/auth.ts';
import type * as contract from '@linekeeper/contract/auth/sessions.ts';
import { sql } from 'kysely';
import { transact } from '../../db/transaction.ts';
import { auditSession, endOtherSessions } from '../../domain/accounts/sessions.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { sentRow } from '../../platform/rows.ts';
import { ownAccount } from './me.ts';

const MOST_LISTED = 100;
/** Characters of the user agent that are stored; its beginning identifies the browser. */
const MAX_USER_AGENT_LENGTH = 300;

export const getSession: Action<typeof account.getSession> = async (ctx) => {
  if (!ctx.signedIn || !ctx.session_id) return null;
  const { expires_at } = await ctx.db
    .selectFrom('auth_sessions')
    .select('expires_at')
    .where('id', '=', ctx.session_id)
    .executeTakeFirstOrThrow();
  return { user: ownAccount(ctx), expires_at: expires_at.toISOString() };
};

export const listSessions: Action<typeof contract.listSessions> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('auth_sessions')
    .select(['id', 'ip_address', 'created_at', 'last_used_at', 'expires_at'])
    .select(sql<string | null>`left(user_agent, ${MAX_USER_AGENT_LENGTH})`.as('user_agent'))
    .where('user_id', '=', ctx.actor.id)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy(sql`id = ${ctx.session_id}`, 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_LISTED)
    .execute();
  return {
    items: rows.map((session) => ({
      ...sentRow(session),
      is_current: session.id === ctx.session_id,
      address: session.ip_address || null,
    })),
  };
};

/** Ends a session. A trigger of its row ends its streams, too. Returns false if the caller has no such session. */
function end(ctx: Ctx, session_id: string): Promise<boolean> {
  return transact(ctx.db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('auth_sessions')
      .where('id', '=', session_id)
      .where('user_id', '=', ctx.actor.id)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await auditSession(tx, ctx, 'account.sign_out', ctx.actor.id);
    return numDeletedRows > 0n;
  });
}

export const signOut: Action<typeof account.signOut> = async (ctx) => {
  if (ctx.session_id && ctx.signedIn) await end(ctx, ctx.session_id);
  ctx.setCookie(ctx.auth.cookie.write('', 0));
  return { success: true };
};

/** Signs out one of the actor's sessions. Throws SESSION_NOT_FOUND. */
export const endOwnSession: Action<typeof contract.endSession> = async (ctx, { params }) => {
  if (!(await end(ctx, params.id))) fail('SESSION_NOT_FOUND');
  return { success: true };
};

export const endOthers: Action<typeof contract.endOtherSessions> = async (ctx) => {
  const ended = await transact(ctx.db, async (tx) => {
    const count = await endOtherSessions(tx, ctx.actor.id, ctx.session_id);
    if (count > 0) await auditSession(tx, ctx, 'account.sign_out', ctx.actor.id);
    return count;
  });
  return { ended };
};
