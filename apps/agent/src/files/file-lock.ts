import { type BigIntStats, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openPrivately } from '../store.ts';

const SQLITE_BUSY = 5;

export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>;

/** Follows links; undefined if the file does not exist. */
export function identityOf(path: string): FileIdentity | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** True if the path still refers to the known file and not to one that replaced it. */
export function isStill(path: string, known: FileIdentity | undefined): boolean {
  const now = identityOf(path);
  return now !== undefined && now.dev === known?.dev && now.ino === known.ino;
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

/** The first 16 hex digits of an instance. */
export type Owner = string;

export function ownerOf(instance: string): Owner {
  return instance.replaceAll('-', '').slice(0, 16);
}

export type FileLock = {
  path: string;
  isHeld(): boolean;
  /** The process that last claimed the lock; it may have ended long ago. */
  owner(): Owner | undefined;
  claim(owner: Owner): void;
  release(): void;
};

function readNumber(db: DatabaseSync, name: string): string {
  const value = Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** The owner in two numbers of SQLite's header, which are written at once; a table could be left half made. */
function ownerIn(db: DatabaseSync): Owner | undefined {
  const owner = readNumber(db, 'application_id') + readNumber(db, 'user_version');
  return /^0+$/.test(owner) ? undefined : owner;
}

function writeOwner(db: DatabaseSync, owner: Owner): void {
  const [first, second] = [owner.slice(0, 8), owner.slice(8, 16)].map(
    (digits) => Number.parseInt(digits, 16) | 0,
  );
  db.exec(`PRAGMA application_id = ${first}; PRAGMA user_version = ${second};`);
  // The file's mode protects the lock.
  db.exec('COMMIT; BEGIN EXCLUSIVE;');
}

/**
 * Returns null if another process holds the lock. The operating system releases it with its
 * process, even after kill -9, so it can never be stale as a PID file can.
 */
export function takeLock(path: string): FileLock | null {
  const db = openPrivately(path);
  try {
    // A journal file would only clutter the operator's folder.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
  const known = identityOf(path);
  return {
    path,
    // If the path no longer refers to this file, the lock is useless: another process would create a
    // new file.
    isHeld: () => isStill(path, known),
    owner: () => ownerIn(db),
    claim: (owner) => {
      if (ownerIn(db) !== owner) writeOwner(db, owner);
    },
    release: () => db.close(),
  };
}
