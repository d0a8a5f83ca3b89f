import { useRouter } from '@tanstack/react-router';
import {
  Children,
  type ReactNode,
  startTransition,
  useDeferredValue,
  useEffect,
  useState,
} from 'react';
import { forgetEarly, takeEarly } from './ahead.ts';

// Requests, one after the other.

/** Resolves in a task of its own. Timers would be held up by a tab in the background. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

let next = Promise.resolve();

/**
 * Resolves when a request may be sent: the first at once, others that are made in the same task each in
 * one of its own. A page makes ten when it is opened, and sending them in one task keeps a phone from
 * answering for a tenth of a second.
 */
export function turnToAsk(): Promise<void> {
  const mine = next;
  next = mine.then(nextTask);
  return mine;
}

/** Sends a call of the API, unless its reply was asked for ahead. */
export async function fetchInTurn(address: string, init: RequestInit): Promise<Response> {
  if (init.method === 'GET') {
    const early = takeEarly(address);
    if (early) return early;
    await turnToAsk();
  } else forgetEarly();
  return fetch(address, init);
}

// Drawing, piece by piece.

let isFirst = true;

/** True until another screen is asked for. */
export const isFirstScreen = (): boolean => isFirst;

/** For the frame. A screen that follows another is drawn in one piece, so that Back finds its place. */
export function useFirstScreenOnce(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) isFirst = false;
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

/**
 * The value, undefined until it is there. Drawing much for the first time takes a phone long, so React
 * does it in slices between other work; later values replace the first at once.
 */
export function useDrawnInSlices<Value>(value: Value | undefined): Value | undefined {
  const isDrawn = useDeferredValue(value !== undefined);
  return isDrawn ? value : undefined;
}

// Code and work that the first screen does not need.

/** Milliseconds after the frame was drawn. */
const moments = {
  jobs: 2000,
  /** After the first page, which would otherwise push it down. */
  foot: 3000,
  /** What is needed without a connection. */
  offline: 4000,
};

/** True once it is time for a part of the frame. */
export function useIsTimeFor(part: keyof typeof moments): boolean {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), moments[part]);
    return () => clearTimeout(timer);
  }, [part]);
  return isTime;
}

/** Longest wait in milliseconds for somebody who only reads. */
const UNTOUCHED_MS = 10_000;
/** Whoever moves, touches or types may soon press what is not fetched yet. */
const TOUCHES = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Calls back once the page is used for the first time, or has been open for long. */
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

/** The wait in browsers that cannot tell when they are idle. */
const PAUSE_MS = 200;

function whenBrowserRests(step: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(step);
  else setTimeout(step, PAUSE_MS);
}

const waiting = new Set<() => void>();
let isFetching = false;

/** One after the other: what was fetched is also made ready to run, and each takes a moment. */
function fetchNext(): void {
  const [fetch] = waiting;
  isFetching = fetch !== undefined;
  if (!fetch) return;
  waiting.delete(fetch);
  fetch();
  whenBrowserRests(fetchNext);
}

/** Browsers without the data saver setting have no `navigator.connection`. */
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
