import { useSyncExternalStore } from 'react';

export type Connection = 'online' | 'offline' | 'unreachable';

let panelAnswers = true;
/** Starts with the page load, which was itself a reply of the panel. */
let answeredAt = performance.now();
const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

/** Records whether the last request got a reply; a browser can be online while the panel is down. */
export function reportReachable(answers: boolean): void {
  if (answers) answeredAt = performance.now();
  if (answers === panelAnswers) return;
  panelAnswers = answers;
  announce();
}

const LATELY_MS = 2000;

/** True if the panel replied so recently that it need not be checked again. */
export function hasAnsweredRecently(): boolean {
  return panelAnswers && performance.now() - answeredAt < LATELY_MS;
}

function current(): Connection {
  if (!navigator.onLine) return 'offline';
  return panelAnswers ? 'online' : 'unreachable';
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('online', announce);
    window.addEventListener('offline', announce);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('online', announce);
    window.removeEventListener('offline', announce);
  };
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, current);
}
