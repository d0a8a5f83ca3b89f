import { createStore } from './create-store.ts';

export type ResultTone = 'success' | 'info' | 'warning' | 'error';

interface ResultAction {
  label: string;
  onClick: () => void;
  /** Key that presses it while the result stands. */
  key?: 'z';
}

export interface ResultOptions {
  /** More than the sentence says, in the same line. */
  detail?: string | undefined;
  /** A text to be copied by hand, selected. */
  copies?: string;
  /** True to stay until closed, as failures always do. */
  stays?: boolean;
  action?: ResultAction | undefined;
  /** Results of one kind that follow one another; from the third on one sentence counts them. */
  kind?: { of: string; many: (count: number) => string } | undefined;
  /** Gives way to any other result, for what the bell says anyway. */
  isFromBell?: boolean;
}

export interface Result extends ResultOptions {
  tone: ResultTone;
  text: string;
  /** Number of its kind, itself included. */
  count: number;
}

/** From this number on, results of one kind are counted. */
const COUNTED_FROM = 3;

/** Those that stay, and at the end the one that passes: the last one is shown. */
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

/** Takes back what the open bell says itself, and leaves what stays until it is closed. */
export function closePassingResults(): void {
  shown.set(shown.get().filter(staysUntilClosed));
}

/** The result that the header shows at the moment. */
export function useResult(): Result | undefined {
  return shown.use().at(-1);
}
