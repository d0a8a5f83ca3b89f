import { statfsSync } from 'node:fs';
import type { PoolClient } from 'pg';

/** Bytes of free space below which the embedded database accepts no changes: a full disk would crash it. */
export const LEAST_FREE_BYTES = 64 * 1024 * 1024;
/** Bytes for one log file and some more, without which the database cannot even be opened. */
const BYTES_TO_OPEN = 24 * 1024 * 1024;
/** Bytes for a new database with its log, before it contains any line. */
const BYTES_TO_CREATE = 96 * 1024 * 1024;
const LOOK_EVERY_MS = 1000;

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Checks that the disk has enough free space to open or create the database. Throws if it does not,
 * before anything is written.
 */
export function refuseFullDisk(folder: string, isNew: boolean): void {
  const [free, needed] = [freeBytes(folder), isNew ? BYTES_TO_CREATE : BYTES_TO_OPEN];
  if (free >= needed) return;
  const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);
  throw new Error(
    `There is no space left on the disk of ${folder}: ${megabytes(free)} MB are free, and the database ` +
      `needs ${megabytes(needed)} MB to ${isNew ? 'be created' : 'be opened'}`,
  );
}

/**
 * Makes the embedded database's session read-only while disk space is low, so that no caller has to
 * check.
 */
export function guardSpace(folder: string) {
  let least = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isKnownLow = false;
  let isReadOnly = false;

  function isLow(): boolean {
    if (performance.now() - lookedAt > LOOK_EVERY_MS) {
      lookedAt = performance.now();
      isKnownLow = freeBytes(folder) < least;
    }
    return isKnownLow;
  }

  return {
    isLow,

    /** Starts the guard, after the writes of starting up. */
    begin(bytes: number): void {
      least = bytes;
    },

    /** Makes the session match the free space; called before each use of the session. */
    async settle(session: PoolClient): Promise<void> {
      if (isLow() === isReadOnly) return;
      await session.query(`set default_transaction_read_only to ${isReadOnly ? 'off' : 'on'}`);
      isReadOnly = !isReadOnly;
    },
  };
}
