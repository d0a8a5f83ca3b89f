import type { Tx } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';

/**
 * The owner of a new or moved line: the actor, or any account for an administrator. Throws
 * USER_NOT_FOUND.
 */
export async function chooseOwner(tx: Tx, actor: SignedIn, ownerId = actor.id): Promise<string> {
  if (ownerId === actor.id) return ownerId;
  if (!actor.is_admin) failField('owner_id', 'ADMIN_ONLY_FIELD');
  const owner = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', ownerId)
    .executeTakeFirst();
  return owner ? owner.id : fail('USER_NOT_FOUND');
}
