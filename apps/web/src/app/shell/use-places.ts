import { useScreen } from '#kit/page/use-screen.ts';
import { useMe } from '#platform/data/session.ts';
import { type PlaceName, placesOf } from '#screens/places.ts';
import { screens } from '#screens/screens.ts';
import { litPath } from './navigation-items.ts';

/** The entry of a phone's bottom bar that is highlighted for the current screen. */
export function useLitPlace(): PlaceName | undefined {
  const me = useMe();
  const path = litPath(useScreen(), me);
  return placesOf(me).find((name) => screens[name].path === path);
}
