import { statfsSync } from 'node:fs';
import type { PoolClient } from 'pg';

/**
 * Below this the embedded database accepts no changes, because running out of space during one
 * would crash it.
 */
export const LEAST_FREE_BYTES = 64 * 1024 * 1024;
/** Space for one log file and some more, without which the database cannot even be opened. */
const BYTES_TO_OPEN = 24 * 1024 * 1024;
/** Space for a new database with its log, before it contains any line. */
const BYTES_TO_CREATE = 96 * 1024 * 1024;
const LOOK_EVERY_MS = 1000;

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Throws if there is too little space to open the database, or to create it. */
export function refuseFullDisk(folder: string, isNew: boolean): void {
  const [free, needed] = [freeBytes(folder), isNew ? BYTES_TO_CREATE : BYTES_TO_OPEN];
  if (free >= needed) return;
  const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);
  throw new Error(
    `There is no space left on the disk of ${folder}: ${megabytes(free)} MB are free, and the database ` +
      `needs ${megabytes(needed)} MB to ${isNew ? 'be made' : 'be opened'}`,
  );
}

/**
 * Makes the embedded database's session read-only while disk space is low, so that no caller has to
 * check.
 */
export class SpaceGuard {
  readonly #folder: string;
  #least = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isLow = false;
  #isReadOnly = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts the guard; the writes of starting up come earlier. */
  begin(least: number): void {
    this.#least = least;
  }

  get isLow(): boolean {
    if (performance.now() - this.#lookedAt > LOOK_EVERY_MS) {
      this.#lookedAt = performance.now();
      this.#isLow = freeBytes(this.#folder) < this.#least;
    }
    return this.#isLow;
  }

  /** Call before each use of the session. */
  async settle(session: PoolClient): Promise<void> {
    const { isLow } = this;
    if (isLow === this.#isReadOnly) return;
    await session.query(`set default_transaction_read_only to ${isLow ? 'on' : 'off'}`);
    this.#isReadOnly = isLow;
  }
}
