import { existsSync } from 'node:fs';
import { attempted } from '../log.ts';
import { openPrivately } from '../store.ts';
import { HeldByAnother, idAt, lockPathOf } from './atomic-write.ts';

const SQLITE_BUSY = 5;

/** True for SQLite's error that another process holds a database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

/**
 * Takes a lock; returns null if another process holds it. The operating system releases it when its
 * process ends, even after kill -9, so it can never be stale, unlike a PID file.
 */
function takeLock(path: string) {
  const db = openPrivately(path);
  try {
    // A journal file would only clutter the operator's folder.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
  const id = idAt(path);
  return {
    path,
    // Another process would create a new file at this path and lock that one.
    isHeld: () => id !== undefined && idAt(path) === id,
    release: () => db.close(),
  };
}

export type SharedLock = ReturnType<typeof openSharedLock>;

/**
 * A lock for a file that several agents may reach by different paths. The lock file is in the
 * folder of the resolved target, because the target's inode number changes with each write and its
 * path does not. `requireOwn` throws if writing is not allowed.
 */
export function openSharedLock(
  fileName: string,
  { requireOwn, warn }: { requireOwn(): void; warn(message: string): void },
) {
  let lock: ReturnType<typeof takeLock> | undefined;
  let isLost = false;

  const holds = (path: string) => lock?.path === path && lock.isHeld();

  function take(path: string): void {
    const taken = takeLock(path);
    if (taken === null) throw new HeldByAnother();
    lock?.release();
    lock = taken;
    isLost = false;
  }

  return {
    /**
     * Takes the lock if it is not held yet for this target, which changes when a link is changed. Throws
     * `HeldByAnother`.
     */
    require(target: string): void {
      const path = lockPathOf(target);
      if (!holds(path)) take(path);
    },

    /**
     * True if another process holds the lock. A missing lock file is not created, so that an agent
     * whose lock file was just removed can take it again.
     */
    isHeldByAnother(target: string): boolean {
      const path = lockPathOf(target);
      if (holds(path) || !existsSync(path)) return false;
      // A lock that cannot be checked counts as free; a later write reports the error.
      const taken = attempted(() => takeLock(path));
      taken?.release();
      return taken === null;
    },

    /**
     * Takes the lock again if the lock file was removed. Waiting for the next write would be too
     * late, because another agent could take the lock first.
     */
    keep(): void {
      try {
        if (!lock || lock.isHeld()) return;
        // The lock is not taken in a folder that replaced the agent's own.
        requireOwn();
        take(lock.path);
        warn(`the lock beside ${fileName} was removed, and has been restored`);
      } catch (error) {
        if (!(error instanceof HeldByAnother) || isLost) return;
        isLost = true;
        warn(`the lock beside ${fileName} was removed, and another agent now holds it`);
      }
    },

    release: (): void => lock?.release(),
  };
}
