import { useSyncExternalStore } from 'react';

/** Something on the way to the panel gathers its events and does not pass them on. */
let isHeldBack = false;
const listeners = new Set<() => void>();

export function reportHeldBack(is: boolean): void {
  if (is === isHeldBack) return;
  isHeldBack = is;
  for (const listener of listeners) listener();
}

export function useIsHeldBack(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isHeldBack,
  );
}
