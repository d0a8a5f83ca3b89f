import { type RefObject, useEffect, useRef } from 'react';

/** A deleted entry takes the focus in it along: the list itself then gets it. */
export function useFocusWhenShorter<List extends HTMLElement>(
  length: number,
): RefObject<List | null> {
  const list = useRef<List>(null);
  const before = useRef(length);
  useEffect(() => {
    const isShorter = length < before.current;
    before.current = length;
    if (isShorter && document.activeElement === document.body)
      list.current?.focus({ preventScroll: true });
  }, [length]);
  return list;
}
