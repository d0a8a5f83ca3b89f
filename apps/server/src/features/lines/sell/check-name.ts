import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { enforceLimit, releaseLimit, takenNamesLimit } from '../../../core/accounts/rate-limit.ts';
import type { Action } from '../../../core/use-case.ts';
import { isNameTaken } from '../store.ts';

/**
 * A sale also reveals if a name is taken, but costs credits if it is not. This check is free, so
 * checks of taken names are limited like wrong passwords, to prevent reading out other accounts'
 * names.
 */
export const checkLineName: Action<typeof contract.checkLineName> = async (ctx, { body }) => {
  const { actor, db } = ctx;
  // Counted before the lookup, because being refused must not reveal if the name is taken.
  await enforceLimit(db, takenNamesLimit, actor.id);
  const isTaken = await isNameTaken(db, body.username);
  if (!isTaken) await releaseLimit(db, takenNamesLimit, actor.id);
  return { is_free: !isTaken };
};
