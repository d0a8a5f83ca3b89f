import { type RefObject, useEffect } from 'react';

/** What appears or grows above the page moves it, but not what the keyboard is at out of sight. */
export function useFocusInSight(above: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = above.current;
    if (!element) return;
    let height = element.offsetHeight;
    const observer = new ResizeObserver(() => {
      const moved = element.offsetHeight - height;
      height += moved;
      const focused = document.querySelector('main :focus-visible');
      if (!focused) return;
      const { top, bottom } = focused.getBoundingClientRect();
      const wasInSight = bottom - moved > 0 && top - moved < window.innerHeight;
      if (wasInSight) focused.scrollIntoView({ block: 'nearest' });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [above]);
}
