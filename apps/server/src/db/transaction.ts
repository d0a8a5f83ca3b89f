import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

/** A handle that data functions take first; no module holds one of its own. */
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

const insideTransaction = new AsyncLocalStorage<boolean>();

/**
 * Called before every checkout of a connection. The embedded database has one connection: asking
 * for a second inside a transaction would wait for itself for ever, so it throws instead.
 */
export function refuseInsideTransaction(): void {
  if (insideTransaction.getStore()) {
    throw new Error('Use the transaction handle: the outer database was used inside a transaction');
  }
}

const MAX_TRIES = 4;

/**
 * Runs `work` in one transaction; whatever it throws rolls all of it back. Keep it short. Where the
 * database gave up one of two transactions that waited for each other, `work` runs once more.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  refuseInsideTransaction();
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute((tx) => insideTransaction.run(true, () => work(tx)));
    } catch (error) {
      if (tries === MAX_TRIES || !mayBeRepeated(error)) throw error;
    }
  }
}

/** Deadlock and serialization failure: nothing was done, and the same may well succeed now. */
function mayBeRepeated(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['40P01', '40001'].includes(String(error.code))
  );
}
