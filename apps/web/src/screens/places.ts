import { type Actor, can } from '@linekeeper/contract/permissions.ts';
import type { ScreenName } from './screens.ts';

/** True for an account that sells lines and is not an administrator, whose home page shows the lines due today. */
export function isSeller(actor: Actor): boolean {
  return !actor.is_admin && can(actor, ['view_users']);
}

export type PlaceName = Extract<ScreenName, 'home' | 'lines' | 'addLine' | 'pricing' | 'tickets'>;

/** The screens in the bar at the bottom of a phone, which also has the search and the menu. */
export function placesOf(actor: Actor): readonly PlaceName[] {
  return can(actor, ['view_users']) ? ['home', 'lines', 'addLine'] : ['home', 'pricing', 'tickets'];
}
