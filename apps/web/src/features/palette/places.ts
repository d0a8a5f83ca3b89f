import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isOffered } from '../../screens/access.ts';
import { screenIcons } from '../../screens/screen-icons.ts';
import { type AnyScreen, type ScreenName, screens } from '../../screens/screens.ts';
import { useMe } from '../../shared/data/session.ts';

export interface Place {
  path: AnyScreen['path'];
  name: string;
  icon: LucideIcon;
}

/** The screens that the account may open, with translated names. */
export function usePlaces(): Place[] {
  const { t } = useTranslation('palette');
  const me = useMe();
  return (Object.keys(screens) as ScreenName[]).flatMap((screenName) => {
    const screen: AnyScreen = screens[screenName];
    const { path, placeText } = screen;
    const icon = screenIcons[screenName];
    return icon && placeText && isOffered(screen, me) ? [{ path, icon, name: t(placeText) }] : [];
  });
}

/** Removes accents and case, so that "ubersicht" matches "Übersicht". */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

export function placesNamed(all: readonly Place[], query: string): readonly Place[] {
  return all.filter(({ name }) => plain(name).includes(plain(query)));
}
