import { useSyncExternalStore } from 'react';

const paper = window.matchMedia('print');

/**
 * A media query with a subscription to its result. While printing, the result of the screen stays,
 * because paper has another width, and open parts of the page must not close.
 */
function windowIs(question: string) {
  const query = window.matchMedia(question);
  let answer = query.matches;
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };
  const read = () => {
    if (!paper.matches) answer = query.matches;
    return answer;
  };
  return { subscribe, read };
}

const phone = windowIs('(max-width: 599.98px)');
const cards = windowIs('(max-width: 719.98px)');
const fewButtons = windowIs('(width < 1080px) or (1200px <= width < 1300px)');
const besideNavigation = windowIs('(width >= 1200px)');

/** True below 600 px, where sheets replace popovers. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(phone.subscribe, phone.read);
}

/** True below 720 px, where cards replace tables. */
export function useShowsCards(): boolean {
  return useSyncExternalStore(cards.subscribe, cards.read);
}

/**
 * True if the window is too narrow for a row of more than two buttons with text, with or without
 * the navigation beside it.
 */
export function useHasFewButtons(): boolean {
  return useSyncExternalStore(fewButtons.subscribe, fewButtons.read);
}

/** True if the window is wide enough for the navigation beside every page. */
export function useIsBesideNavigation(): boolean {
  return useSyncExternalStore(besideNavigation.subscribe, besideNavigation.read);
}

/** True if the window is wide and high enough to show a line next to the page or over it. */
const linePanel = windowIs('(width >= 600px) and (height >= 500px)');

export function useHasLinePanel(): boolean {
  return useSyncExternalStore(linePanel.subscribe, linePanel.read);
}

export const windowHasLinePanel = linePanel.read;
