import type { Me } from '@linekeeper/contract/auth.ts';
import type { Permission } from '@linekeeper/contract/permissions.ts';
import { shownCredits } from '../../core/balance.ts';
import { fail } from '../../core/refusal.ts';
import type { Db } from '../../db/transaction.ts';

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
