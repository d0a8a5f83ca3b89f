import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import { isConflict } from './errors.ts';
import { isOutdated } from './prepared.ts';
import type { Database } from './schema/schema.ts';

/** A database handle. Data functions get it as their first parameter; no module stores one. */
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

const insideTransaction = new AsyncLocalStorage<boolean>();

/**
 * Throws if it is called inside a transaction. Called before a connection is taken from the pool: the embedded database
 * has only one, so a transaction that asked for a second would wait forever.
 */
export function refuseInsideTransaction(): void {
  if (insideTransaction.getStore()) {
    throw new Error('Use the transaction handle: the outer database was used inside a transaction');
  }
}

const MAX_TRIES = 4;

/**
 * Runs `work` in one transaction; an exception rolls it back. Keep it short. After a deadlock or a
 * serialization failure, `work` runs again, three times at most. Decision 0003: another connection inside throws, because
 * the embedded database has only one.
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

/** Runs `work` in the current transaction, or in a new one. */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : transact(db, work);
}

/**
 * Deadlock, serialization failure, or a statement prepared before a migration: nothing was changed,
 * and a retry may succeed.
 */
const mayBeRepeated = (error: unknown) => isOutdated(error) || isConflict(error);
