import type { Db } from '../../../db/transaction.ts';
import { standsAbove } from '../../../domain/accounts/standing.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import type { ChangeableLine } from './locked-line.ts';

/**
 * Tells of each line whether the actor may change or lift its suspension, which nobody does that an
 * account above has set. Each such account is looked up once. Throws SUSPENDED_FROM_ABOVE.
 */
export function overruler(db: Db, actor: SignedIn) {
  const known = new Map<string, Promise<boolean>>();
  const isAbove = async (id: string) => {
    const { is_above = false } =
      (await db
        .selectFrom('auth_users as suspender')
        .select(standsAbove('suspender.id', actor.id).as('is_above'))
        .where('suspender.id', '=', id)
        .executeTakeFirst()) ?? {};
    return is_above;
  };
  return async ({ suspension }: Pick<ChangeableLine, 'suspension'>): Promise<void> => {
    const by_id = suspension?.by_id;
    if (!by_id || by_id === actor.id || actor.is_admin) return;
    const answer = known.get(by_id) ?? isAbove(by_id);
    known.set(by_id, answer);
    if (await answer) fail('SUSPENDED_FROM_ABOVE');
  };
}
