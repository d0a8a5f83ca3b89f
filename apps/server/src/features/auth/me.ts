import type * as contract from '@linekeeper/contract/auth/auth.ts';
import type { Me } from '@linekeeper/contract/auth/auth.ts';
import type { Permission } from '@linekeeper/contract/permissions.ts';
import type { Db } from '../../db/transaction.ts';
import { changeAccount, shownCredits } from '../../domain/accounts/accounts.ts';
import { ownAccountSubject } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';

/** The signed-in account, as read with its session. Throws NO_AUTHENTICATED_USER without one. */
export function ownAccount({ actor, profile }: Ctx): Me {
  if (!profile) return fail('NO_AUTHENTICATED_USER');
  const credits = shownCredits({ is_admin: actor.is_admin, credits: profile.credits });
  const permissions = [...actor.permissions];
  return { ...actor, ...profile, permissions, credits, status: 'active' };
}

/** An account as its owner sees it. Throws USER_NOT_FOUND. */
async function readMe(db: Db, accountId: string): Promise<Me> {
  const account = await db
    .selectFrom('auth_users')
    .innerJoin('groups', 'groups.id', 'auth_users.group_id')
    .select(['auth_users.id', 'email', 'username', 'full_name', 'credits', 'group_id', 'is_admin'])
    .select(['banned', 'groups.permissions'])
    .where('auth_users.id', '=', accountId)
    .executeTakeFirst();
  if (!account) return fail('USER_NOT_FOUND');
  const { banned, ...shown } = account;
  return {
    ...shown,
    credits: shownCredits(account),
    permissions: account.permissions as Permission[],
    status: banned ? 'suspended' : 'active',
  };
}

/** Sets the cookie of a session that was opened. */
export function enter(ctx: Ctx, accountId: string, token: string): Promise<Me> {
  ctx.setCookie(ctx.auth.sessionCookie(token));
  return readMe(ctx.db, accountId);
}

export const editMe: Mutation<typeof contract.editMe, string> = {
  audit: {
    action: 'account.edit',
    subject: ownAccountSubject,
    of: (_, { signedIn }) => signedIn?.id ?? '',
  },
  commit: async (tx, { actor: { id } }, { body }) => {
    await changeAccount(tx, id, body);
    return id;
  },
  reply: (ctx) => readMe(ctx.db, ctx.actor.id),
};
