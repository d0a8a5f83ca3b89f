import { useRouter } from '@tanstack/react-router';
import { Children, type ReactNode, startTransition, useEffect, useState } from 'react';

/** A screen that follows another is drawn in one piece, so that Back finds the place it scrolls to. */
let isFirstScreen = true;

/** For the frame of all screens. */
export function useFirstScreenOnce(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) isFirstScreen = false;
      }),
    [router],
  );
}

interface InTurnProps {
  children: ReactNode;
  /** Called when all are there; a function that stays the same. */
  onDrawn?: () => void;
}

/**
 * Draws its children from top to bottom, each in a task of its own, on the screen that is opened first:
 * what is far down the page takes a slow phone as long as what is in sight, and in between it answers
 * fingers. Once all were drawn, what is added is drawn at once, so that nothing is taken away for it.
 */
export function InTurn({ children, onDrawn }: InTurnProps) {
  const parts = Children.toArray(children);
  const [drawn, setDrawn] = useState(isFirstScreen ? 0 : Number.POSITIVE_INFINITY);
  const next = drawn + 1 < parts.length ? drawn + 1 : Number.POSITIVE_INFINITY;
  useEffect(() => {
    if (drawn === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => startTransition(() => setDrawn(next)));
    return () => clearTimeout(timer);
  }, [drawn, next]);
  useEffect(() => {
    if (drawn === Number.POSITIVE_INFINITY) onDrawn?.();
  }, [drawn, onDrawn]);
  return parts.slice(0, drawn);
}
