import { AsyncLocalStorage } from 'node:async_hooks';

/** Longest wait in milliseconds for a silent database, so that a request is answered within 5 s (decision 0026). */
const USUAL_MS = 4000;
/** Longest wait in milliseconds for a statement over many rows. */
const LONG_MS = 60_000;
/** The least in milliseconds that is left for a statement after a long wait for a connection. */
const LEAST_MS = 700;

interface Patience {
  ms: number;
  /** Time by `performance.now()` since which a database call waits without a response; null if none does. */
  waitingSince: number | null;
  /** True for the calls of one request: after one timeout, all further calls fail immediately. */
  isOneRequest: boolean;
  gaveUp: boolean;
}

const EACH_WAIT: Patience = {
  ms: USUAL_MS,
  waitingSince: null,
  isOneRequest: false,
  gaveUp: false,
};

const patience = new AsyncLocalStorage<Patience>();

/** The error of a database call that had no response in time. The statement may still take effect. */
export class DatabaseSilent extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The database did not answer in time');
  }
}

/** Runs a part of a request's work under the deadline that all parts share. */
export type Within = <T>(work: () => T) => T;

/**
 * Runs the parts of one request under one deadline: consecutive waits without a response share it,
 * and after a timeout no part waits again.
 */
export function sharedDeadline(): Within {
  const own = { ...EACH_WAIT, isOneRequest: true };
  return (work) => patience.run(own, work);
}

/** Runs `work` with the longer deadline of statements over many rows, which jobs and a few calls have. */
export function withLongStatements<T>(work: () => T): T {
  return patience.run({ ...EACH_WAIT, ms: LONG_MS }, work);
}

/**
 * The switch of the deadline for all connections of a pool. It is off while commands and migrations
 * run, because their statements may take any time, and the panel turns it on once it has started.
 */
export interface Waits {
  areLimited: boolean;
}

/**
 * Waits for `asked` until the deadline, then calls `onSilence` and throws DatabaseSilent. A later
 * result of `asked` is ignored.
 */
export async function inTime<T>(
  { areLimited }: Waits,
  asked: () => Promise<T>,
  onSilence: (late: Promise<T>) => void,
): Promise<T> {
  if (!areLimited) return asked();
  const own = patience.getStore() ?? { ...EACH_WAIT };
  if (own.gaveUp) throw new DatabaseSilent();
  own.waitingSince ??= performance.now();
  const left = own.ms - (performance.now() - own.waitingSince);
  const answer = asked();
  const answered = await settledWithin(answer, Math.max(left, LEAST_MS));
  if (!answered) {
    own.waitingSince = null;
    own.gaveUp = own.isOneRequest;
    onSilence(answer);
    answer.catch(() => {});
    throw new DatabaseSilent();
  }
  own.waitingSince = null;
  return answer;
}

/** Resolves to true if `answer` is fulfilled or rejected within `ms`. */
function settledWithin(answer: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const settled = () => {
      clearTimeout(timer);
      resolve(true);
    };
    answer.then(settled, settled);
  });
}
