import { DatabaseSilent, sharedDeadline, type Within, withTimeout } from '../db/deadline.ts';

export type { Within };

/** Statement timeout in milliseconds for statements over many rows, in jobs and a few calls. */
const LONG_MS = 60_000;

/** Bounds all database calls of one request together, so that its reply comes within 5 s. */
export function answerDeadline(): Within {
  return sharedDeadline();
}

export function withLongStatements<T>(work: () => T): T {
  return withTimeout(LONG_MS, work);
}

export function isDatabaseSilent(error: unknown): error is Error {
  return error instanceof DatabaseSilent;
}
