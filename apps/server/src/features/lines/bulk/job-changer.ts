import { can, type Permission } from '@linekeeper/contract/permissions.ts';
import type { SignedIn } from '../../../core/access.ts';
import type { Services } from '../../../core/context.ts';
import { fail } from '../../../core/refusal.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Changer } from '../extend-line.ts';

/** What a job needs while nobody asks for anything. */
export type JobServices = Pick<Services, 'db' | 'secrets' | 'today' | 'log'>;

/** Whose job it is, as the account is now. Throws FORBIDDEN where it may not sell any more. */
export async function readChanger(tx: Tx, services: JobServices, id: string): Promise<Changer> {
  const account = await tx
    .selectFrom('auth_users')
    .innerJoin('groups', 'groups.id', 'auth_users.group_id')
    .select(['auth_users.id', 'email', 'group_id', 'is_admin', 'banned', 'permissions'])
    .where('auth_users.id', '=', id)
    .executeTakeFirst();
  if (!account) return fail('FORBIDDEN');
  const { banned, ...rest } = account;
  const actor: SignedIn = { ...rest, permissions: rest.permissions as Permission[] };
  if (banned || !can(actor, ['view_users'])) fail('FORBIDDEN');
  return { actor, today: services.today };
}
