import { type RefObject, useLayoutEffect, useState } from 'react';

/** Whether `width` pixels have room in the element. */
export function useFits(frame: RefObject<HTMLElement | null>, width: number): boolean {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setRoom(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return width <= room;
}
