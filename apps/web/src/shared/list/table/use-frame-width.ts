import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Width of a table's frame in pixels. If the table is wider, the attributes `data-hides-start` and
 * `data-hides-end` tell on which side columns are out of sight.
 */
export function useFrameWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    // Sets attributes directly, because rendering on every scroll event would be too slow.
    const mark = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      element.toggleAttribute('data-hides-start', scrollLeft > 0);
      element.toggleAttribute('data-hides-end', scrollLeft + clientWidth < scrollWidth - 1);
    };
    const measure = () => {
      setWidth(element.clientWidth);
      mark();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', mark);
    };
  }, [frame]);
  return width;
}
