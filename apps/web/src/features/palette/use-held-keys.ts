import { type KeyboardEvent, useEffect, useRef } from 'react';

/**
 * Holds back keys that are pressed before the results of the typed text arrive, because they are meant for those
 * results. Enter waits only after an arrow key; alone it opens the highlighted item.
 */
export function useHeldKeys(isWaiting: boolean) {
  const held = useRef<string[]>([]);
  const input = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (isWaiting) return;
    const next = () => {
      const key = held.current.shift();
      if (key === undefined) return;
      input.current?.dispatchEvent(
        new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
      // Each key is handled in a later frame, because it continues from the result of the one before.
      frame = requestAnimationFrame(next);
    };
    let frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  }, [isWaiting]);
  /** True if the key was held back. */
  return (event: KeyboardEvent<HTMLElement>): boolean => {
    const { key, target } = event;
    const isMeant =
      key === 'ArrowDown' || key === 'ArrowUp' || (key === 'Enter' && held.current.length > 0);
    if (!isWaiting || !isMeant) return false;
    event.preventDefault();
    input.current = target as HTMLElement;
    held.current.push(key);
    return true;
  };
}
