import { createStore } from './create-store.ts';

export type ResultTone = 'success' | 'info' | 'warning' | 'error';

interface ResultAction {
  label: string;
  onClick: () => void;
  /** Key that presses the action while the result is shown. */
  key?: 'z';
}

export interface ResultOptions {
  /** Further text in the same row. */
  detail?: string | undefined;
  /** A text to copy manually, shown selected. */
  copies?: string;
  /** True to stay until closed, as failures always do. */
  stays?: boolean;
  action?: ResultAction | undefined;
  /** The kind of result. From the third result of one kind in a row, a single sentence counts them. */
  kind?: { of: string; many: (count: number) => string } | undefined;
  /** True for a result that the bell shows in any case, so any other result replaces it. */
  isFromBell?: boolean;
}

export interface Result extends ResultOptions {
  tone: ResultTone;
  text: string;
  /** Number of results of its kind, including this one. */
  count: number;
}

/** From this number on, results of one kind are counted. */
const COUNTED_FROM = 3;

/** The results that stay, followed by the one that disappears on its own. The header shows the last one. */
const shown = createStore<readonly Result[]>([]);

export function staysUntilClosed({ tone, stays }: Result): boolean {
  return stays ?? tone === 'error';
}

/** The result to show after `before`. Several of the same kind are counted, and from some number on shown as one. */
export function following(before: Result | undefined, next: Result): Result {
  const { kind } = next;
  if (!kind || before?.kind?.of !== kind.of) return next;
  const count = before.count + 1;
  if (count < COUNTED_FROM) return { ...next, count };
  return { ...next, count, text: kind.many(count), detail: undefined, action: undefined };
}

function add(tone: ResultTone): (text: string, options?: ResultOptions) => void {
  return (text, options) => {
    const all = shown.get();
    const before = all.at(-1);
    const isLesser = options?.isFromBell && before && !before.isFromBell;
    if (isLesser) return;
    const next = following(before, { ...options, tone, text, count: 1 });
    const kept = all.filter((one) => staysUntilClosed(one) && one.text !== next.text);
    shown.set([...kept, next]);
  };
}

/**
 * Functions that show the result of an action in the header for a moment, one for each tone. Errors stay until they
 * are closed.
 */
export const results = {
  success: add('success'),
  info: add('info'),
  warning: add('warning'),
  error: add('error'),
};

export function closeResult(closed: Result): void {
  shown.set(shown.get().filter((one) => one !== closed));
}

/** Closes results that the open bell shows itself, except those that stay until they are closed. */
export function closePassingResults(): void {
  shown.set(shown.get().filter(staysUntilClosed));
}

/** The result that the header shows at the moment. */
export function useResult(): Result | undefined {
  return shown.use().at(-1);
}
