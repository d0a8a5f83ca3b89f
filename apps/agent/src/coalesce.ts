/**
 * Shares runs among callers: each gets a run that began after its call, and only one runs at a
 * time.
 */
export function coalesce<T>(run: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;
  return () => {
    if (waiting) return waiting;
    const next = last
      .catch(() => {})
      .then(() => {
        waiting = undefined;
        return run();
      });
    waiting = next;
    last = next;
    return next;
  };
}
