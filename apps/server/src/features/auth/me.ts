import type { Me } from '@linekeeper/contract/auth/auth.ts';
import type { Permission } from '@linekeeper/contract/permissions.ts';
import type { Db } from '../../db/transaction.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { shownCredits } from '../../domain/credits/balance.ts';
import { fail } from '../../platform/errors/refusal.ts';

/** The signed-in account, as read with its session; every session has a profile. */
export function ownAccount({ actor, profile }: Ctx): Me {
  if (!profile) return fail('NO_AUTHENTICATED_USER');
  const { permissions, ...account } = actor;
  return {
    ...account,
    ...profile,
    permissions: [...permissions],
    credits: shownCredits({ is_admin: actor.is_admin, credits: profile.credits }),
    status: 'active',
  };
}

export async function readMe(db: Db, accountId: string): Promise<Me> {
  const account = await db
    .selectFrom('auth_users')
    .innerJoin('groups', 'groups.id', 'auth_users.group_id')
    .select([
      'auth_users.id',
      'email',
      'username',
      'full_name',
      'credits',
      'group_id',
      'is_admin',
      'banned',
      'groups.permissions',
    ])
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
