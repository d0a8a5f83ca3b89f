import { type Actor, can } from '@linekeeper/contract/permissions.ts';
import type { Screen } from './screen.ts';
import type { AnyScreen } from './screens.ts';

/** True if navigation and palette offer the screen to the account. */
export function isOffered({ access, isHiddenFromAdmins }: AnyScreen, actor: Actor): boolean {
  return can(actor, access) && !(isHiddenFromAdmins && actor.is_admin);
}

/**
 * True if a screen belongs to the part Administration of the menu. Others who open it see the error for administrators'
 * pages.
 */
export function isAdministration(screen: Pick<Screen, 'access' | 'isAdministration'>): boolean {
  return screen.isAdministration ?? screen.access === 'admin';
}
