import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Shares runs among callers: each gets a run that began after its call, and only one runs at a
 * time. A run begins after a pause of `gatherMs`, for calls that come one after the other.
 */
export function coalesce<T>(run: () => Promise<T>, gatherMs = 0): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;
  return () => {
    if (waiting) return waiting;
    const next = last
      .catch(() => {})
      .then(() => (gatherMs > 0 ? sleep(gatherMs) : undefined))
      .then(() => {
        waiting = undefined;
        return run();
      });
    waiting = next;
    last = next;
    return next;
  };
}
