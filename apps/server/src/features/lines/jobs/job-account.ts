import { can, type Permission } from '@linekeeper/contract/permissions.ts';
import type { Tx } from '../../../db/transaction.ts';
import { hasPermissionsOf } from '../../../domain/accounts/account-policy.ts';
import { lockPermissions, tryToLockPermissions } from '../../../domain/accounts/authorization.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import type { Services } from '../../../domain/context/context.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import type { ActingAccount } from '../price/price.ts';

/** Services for a job that runs without a request. */
export type JobServices = Pick<
  Services,
  'db' | 'secrets' | 'today' | 'priceFor' | 'log' | 'outbound' | 'stopping' | 'attempts'
>;

/** The account that requested the job, as it is now. Throws FORBIDDEN if it may not sell any more. */
export async function readActingAccount(
  tx: Tx,
  services: JobServices,
  id: string,
): Promise<ActingAccount> {
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
  return { actor, today: services.today, priceFor: services.priceFor };
}

const refusals = { signedOut: 'FORBIDDEN', forbidden: 'FORBIDDEN' } as const;

/** `readActingAccount` under a lock until the commit: a ban waits for that, and sees what the account made. */
export async function holdActingAccount(
  tx: Tx,
  services: JobServices,
  id: string,
): Promise<ActingAccount> {
  const acting = await readActingAccount(tx, services, id);
  return { ...acting, actor: await lockPermissions(tx, acting.actor, ['view_users'], refusals) };
}

/** Somebody waits to lessen what the account may do, and comes first. */
export class PowersLessened extends Error {}

/**
 * Holds it at the end of long work. Throws FORBIDDEN if it lost anything since the work began, and
 * PowersLessened if it is about to.
 */
export async function checkStillActs(tx: Tx, { actor }: ActingAccount): Promise<void> {
  if (!(await tryToLockPermissions(tx, actor.id))) throw new PowersLessened();
  const now = await lockPermissions(tx, actor, ['view_users'], refusals);
  if (!hasPermissionsOf(now, actor)) fail('FORBIDDEN');
}
