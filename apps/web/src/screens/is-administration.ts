import type { Screen } from './screen.ts';

/** True if the screen stands under Administration and is refused in its words. */
export function isAdministration(screen: Pick<Screen, 'access' | 'isAdministration'>): boolean {
  return screen.isAdministration ?? screen.access === 'admin';
}
