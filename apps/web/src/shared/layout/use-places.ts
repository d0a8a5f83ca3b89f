import { type PlaceName, placesOf } from '../../screens/places.ts';
import { screens } from '../../screens/screens.ts';
import { useMe } from '../data/session.ts';
import { litPath } from './navigation-items.ts';
import { useScreen } from './use-screen.ts';

/** The place of a phone's bar that the current screen is, or stands below. */
export function useLitPlace(): PlaceName | undefined {
  const me = useMe();
  const path = litPath(useScreen(), me);
  return placesOf(me).find((name) => screens[name].path === path);
}
