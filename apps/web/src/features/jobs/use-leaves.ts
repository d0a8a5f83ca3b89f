import { type RefObject, useEffect, useEffectEvent } from 'react';

/** How long a result stands on its own; Undo lives on in the bell. */
const SHOWN_MS = 8000;
const TICK_MS = 250;

/** After a finger nothing hovers, though it may seem so; on a phone there is nothing to be read twice. */
const HOLDS = '(hover: hover) and (width >= 600px)';

/** Somebody is at it, or cannot be: the page is out of sight, or a dialog lies over it. */
function isHeld(card: HTMLElement): boolean {
  return (
    document.hidden ||
    card.matches(':focus-within') ||
    (card.matches(':hover') && matchMedia(HOLDS).matches) ||
    card.closest('[aria-hidden="true"]') !== null
  );
}

/** Calls `leave` when the card was in sight for its time; pointer and focus hold it. */
export function useLeaves(
  card: RefObject<HTMLElement | null>,
  leaves: boolean,
  leave: () => void,
): void {
  const onLeave = useEffectEvent(leave);
  useEffect(() => {
    if (!leaves) return;
    let left = SHOWN_MS;
    const timer = setInterval(() => {
      if (!card.current) return;
      left = isHeld(card.current) ? SHOWN_MS : left - TICK_MS;
      if (left <= 0) onLeave();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [card, leaves]);
}
