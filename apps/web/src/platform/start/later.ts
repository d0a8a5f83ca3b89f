import { useEffect, useState } from 'react';

/** Milliseconds after the frame was drawn. */
const moments = {
  jobs: 2000,
  /** Milliseconds for parts at the foot of the first page, which would otherwise push it down. */
  foot: 3000,
  /** Milliseconds for files that are needed without a connection. */
  offline: 4000,
};

/** True once enough time has passed since the page started to load a less urgent part of the frame. */
export function useIsTimeFor(part: keyof typeof moments): boolean {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), moments[part]);
    return () => clearTimeout(timer);
  }, [part]);
  return isTime;
}

/** Milliseconds after which fetching begins even if the reader does nothing. */
const UNTOUCHED_MS = 10_000;
/** Events of a reader who may soon use a part that is not fetched yet. */
const TOUCHES = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Calls `start` once the page is used for the first time, or has been open for long. */
function whenUsed(start: () => void): () => void {
  const stop = new AbortController();
  const once = () => {
    stop.abort();
    clearTimeout(timer);
    start();
  };
  const timer = setTimeout(once, UNTOUCHED_MS);
  const options = { signal: stop.signal, capture: true, passive: true };
  for (const touch of TOUCHES) addEventListener(touch, once, options);
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

/** Milliseconds to wait in browsers that cannot report that they are idle. */
const PAUSE_MS = 200;

function whenBrowserRests(step: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(step);
  else setTimeout(step, PAUSE_MS);
}

const waiting = new Set<() => void>();
let isFetching = false;

/**
 * Fetches the next part. Parts are fetched one after the other, because each is also prepared to
 * run, which takes a moment.
 */
function fetchNext(): void {
  const [fetch] = waiting;
  isFetching = fetch !== undefined;
  if (!fetch) return;
  waiting.delete(fetch);
  fetch();
  whenBrowserRests(fetchNext);
}

/** True if the data saver is on. Browsers without this setting have no `navigator.connection`. */
function savesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData: boolean }).saveData;
}

/**
 * Prefetches code once the screen is used, in its idle moments, unless the user has turned on the data
 * saver. Returns a function that cancels the prefetch.
 */
export function prefetchOnceUsed(fetches: readonly (() => void)[]): () => void {
  if (savesData()) return () => undefined;
  const cancel = whenUsed(() => {
    for (const fetch of fetches) waiting.add(fetch);
    if (isFetching) return;
    isFetching = true;
    whenBrowserRests(fetchNext);
  });
  return () => {
    cancel();
    for (const fetch of fetches) waiting.delete(fetch);
  };
}
