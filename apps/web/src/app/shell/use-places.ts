import { useScreen } from '#kit/page/use-screen.ts';
import { useMe } from '#platform/data/session.ts';
import { type PlaceName, placesOf } from '#screens/places.ts';
import { screens } from '#screens/screens.ts';
import { litPath } from './navigation-items.ts';

/** The place of a phone's bar that the current screen is, or stands below. */
export function useLitPlace(): PlaceName | undefined {
  const me = useMe();
  const path = litPath(useScreen(), me);
  return placesOf(me).find((name) => screens[name].path === path);
}
