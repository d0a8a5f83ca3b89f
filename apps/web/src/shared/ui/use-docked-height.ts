import { type RefObject, useLayoutEffect } from 'react';

/** CSS variables with the total height of the cards or toasts at the foot of the window. */
export type DockedHeight = '--docked-cards' | '--docked-toasts';

const heights = new Map<DockedHeight, Map<Element, number>>();

function write(name: DockedHeight): void {
  const { style } = document.documentElement;
  const all = [...(heights.get(name)?.values() ?? [])];
  if (all.length === 0) style.removeProperty(name);
  else style.setProperty(name, `${all.reduce((sum, height) => sum + height, 0)}px`);
}

/** While the element is mounted, the page below it keeps room of its height free. */
export function useDockedHeight(ref: RefObject<HTMLElement | null>, name: DockedHeight, gap = 0) {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const ofName = heights.get(name) ?? new Map<Element, number>();
    heights.set(name, ofName);
    const measure = () => {
      ofName.set(element, element.offsetHeight + gap);
      write(name);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      ofName.delete(element);
      write(name);
    };
  }, [ref, name, gap]);
}
