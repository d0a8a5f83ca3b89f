import { type RefObject, useEffect, useRef } from 'react';

/** Pixels that keep a tab clear of the faded end of the tabs on a phone, and of their beginning. */
const FADE_PX = 48;
const SIDE_PX = 16;

/** Scrolls the row of tabs sideways until the current tab is visible. The page itself does not scroll. */
export function useCurrentTabShown(tabs: RefObject<HTMLElement | null>): void {
  const shownAt = useRef('');
  useEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>('[data-current]');
    if (!tabs.current || !tab) return;
    const place = `${tab.offsetLeft} ${tab.offsetWidth}`;
    if (place === shownAt.current) return;
    shownAt.current = place;
    const strip = tabs.current.getBoundingClientRect();
    const { left, right } = tab.getBoundingClientRect();
    const beyond = right + FADE_PX - strip.right;
    const before = strip.left + SIDE_PX - left;
    if (before > 0) tabs.current.scrollLeft -= before;
    else if (beyond > 0) tabs.current.scrollLeft += beyond;
  });
}
