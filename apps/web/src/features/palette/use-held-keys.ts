import { type KeyboardEvent, useEffect, useRef } from 'react';

/**
 * Keys that are pressed while the results of what was typed are on their way: they are meant for those, so
 * that they wait for them. Enter waits only behind an arrow; alone it opens what is named already.
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
      // Each moves on from where the one before has led.
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
