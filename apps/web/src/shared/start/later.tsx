import { useRouter } from '@tanstack/react-router';
import { Children, type ReactNode, startTransition, useEffect, useState } from 'react';
import { isFirstScreen, leaveFirstScreen } from './first-screen.ts';

/** For the frame. A screen that follows another is drawn in one piece, so that Back finds its place. */
export function useFirstScreenOnce(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) leaveFirstScreen();
      }),
    [router],
  );
}

interface InTurnProps {
  children: ReactNode;
  /** Draws the first child together with what stands around it. */
  isFirstAtOnce?: boolean;
  /** Called when all are there; a function that stays the same. */
  onDrawn?: () => void;
}

/**
 * Draws its children from top to bottom, each in a task of its own, on the screen that is opened first:
 * what is far down the page takes a slow phone as long as what is in sight, and in between it answers
 * fingers. Once all were drawn, what is added is drawn at once, so that nothing is taken away for it.
 */
export function InTurn({ children, isFirstAtOnce = false, onDrawn }: InTurnProps) {
  const parts = Children.toArray(children);
  const [drawn, setDrawn] = useState(
    isFirstScreen() ? Number(isFirstAtOnce) : Number.POSITIVE_INFINITY,
  );
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
