import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** A new screen is read from its start: the focus goes to its content, not back to the page's top. */
export function useFocusOnNavigation(): RefObject<HTMLElement | null> {
  const router = useRouter();
  const content = useRef<HTMLElement>(null);
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // A field that takes the focus itself keeps it.
        const focused = document.activeElement;
        const isPlaced = content.current?.contains(focused) && focused !== content.current;
        if (fromLocation && pathChanged && !isPlaced)
          content.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return content;
}
