import { type BigIntStats, statSync } from 'node:fs';
import { openPrivately } from '../store.ts';

const SQLITE_BUSY = 5;

export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>;

/** Follows links; undefined if the file does not exist. */
export function identityOf(path: string): FileIdentity | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** True if the path still refers to the same file and not to one that replaced it. */
export function isStill(path: string, known: FileIdentity | undefined): boolean {
  const now = identityOf(path);
  return now !== undefined && now.dev === known?.dev && now.ino === known.ino;
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

export type FileLock = { path: string; isHeld(): boolean; release(): void };

/**
 * Returns null if another process holds the lock. The operating system releases it with its
 * process, even after kill -9, so it can never be stale as a PID file can.
 */
export function takeLock(path: string): FileLock | null {
  const db = openPrivately(path);
  try {
    // Nothing is ever written to this database; a journal file would only clutter the operator's
    // folder.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
  const known = identityOf(path);
  // If the path no longer refers to this file, the lock is useless: another process would create a
  // new file.
  return { path, isHeld: () => isStill(path, known), release: () => db.close() };
}
