import { useSyncExternalStore } from 'react';

const paper = window.matchMedia('print');

/**
 * A question about the window, and a way to hear of another answer. Paper has a width of its own: what is
 * printed stays what it was on the screen, so that nothing open on a page is closed by printing it.
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
 * True if the window is too narrow for a row of more than two buttons with labels, with or without the navigation
 * beside it.
 */
export function useHasFewButtons(): boolean {
  return useSyncExternalStore(fewButtons.subscribe, fewButtons.read);
}

/** True if the window is wide enough for the navigation beside every page. */
export function useIsBesideNavigation(): boolean {
  return useSyncExternalStore(besideNavigation.subscribe, besideNavigation.read);
}

/** Wide and high enough that a line can stand beside or over a page. */
const linePanel = windowIs('(width >= 600px) and (height >= 500px)');

export function useHasLinePanel(): boolean {
  return useSyncExternalStore(linePanel.subscribe, linePanel.read);
}

export const windowHasLinePanel = linePanel.read;
