import { type Actor, can } from '@linekeeper/contract/permissions.ts';
import type { AnyScreen } from './screens.ts';

/** True if navigation and palette offer the screen to the account. */
export function isOffered({ access, isForOthersThanAdmins }: AnyScreen, actor: Actor): boolean {
  return can(actor, access) && !(isForOthersThanAdmins && actor.is_admin);
}
