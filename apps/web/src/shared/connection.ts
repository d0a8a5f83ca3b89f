import { useSyncExternalStore } from 'react';

export type Connection = 'online' | 'offline' | 'unreachable';

let panelAnswers = true;
const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

/** What the last call met: a browser can be online while the panel is down. */
export function reportReachable(answers: boolean): void {
  if (answers === panelAnswers) return;
  panelAnswers = answers;
  announce();
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
