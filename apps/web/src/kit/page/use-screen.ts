import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSiteName } from '#platform/data/site-name.ts';
import { type AnyScreen, allScreens, type ScreenName, screens } from '#screens/screens.ts';

export function useScreen(): AnyScreen {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  return allScreens.find((screen) => screen.path === path) ?? screens.notFound;
}

/** Returns a function that translates a screen's title, once its texts are loaded. */
export function useScreenTitle(): (screen: ScreenName | AnyScreen) => string {
  const { i18n } = useTranslation();
  return (screen) => {
    const { title }: AnyScreen = typeof screen === 'string' ? screens[screen] : screen;
    return i18n.t(title);
  };
}

/** Sets the window title to the screen's title or the page's own; returns the title. */
export function useDocumentTitle(ownTitle?: string): string {
  const titleOf = useScreenTitle();
  const screen = useScreen();
  const siteName = useSiteName();
  const title = ownTitle ?? titleOf(screen);
  useEffect(() => {
    document.title = `${title} · ${siteName}`;
  }, [title, siteName]);
  return title;
}
