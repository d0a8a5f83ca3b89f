import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { attempted } from '../log.ts';
import { openPrivately } from '../store.ts';
import { HeldByAnother, hiddenPrefix, idAt, Unwritable } from './atomic-write.ts';

const SQLITE_BUSY = 5;
/** Digits of another agent's instance in an error. */
const INSTANCE_SHOWN = 8;
/** Numbers of SQLite's header that hold the owner, because both are written at once; a table could be left half made. */
const OWNER_NUMBERS = ['application_id', 'user_version'];

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

/** The first 16 hex digits of the instance that last claimed a lock; undefined before the first. */
function ownerIn(db: DatabaseSync): string | undefined {
  const numbers = OWNER_NUMBERS.map((name) => {
    const [value] = Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {});
    return (Number(value) >>> 0).toString(16).padStart(8, '0');
  });
  const owner = numbers.join('');
  return /^0+$/.test(owner) ? undefined : owner;
}

function writeOwner(db: DatabaseSync, owner: string): void {
  for (const [index, name] of OWNER_NUMBERS.entries()) {
    const digits = owner.slice(8 * index, 8 * (index + 1));
    db.exec(`PRAGMA ${name} = ${Number.parseInt(digits, 16) | 0}`);
  }
  // The file's mode protects the lock.
  db.exec('COMMIT; BEGIN EXCLUSIVE;');
}

type FileLock = NonNullable<ReturnType<typeof takeLock>>;

/**
 * Returns null if another process holds the lock. The operating system releases it with its
 * process, even after kill -9, so it can never be stale as a PID file can.
 */
export function takeLock(path: string) {
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
    // Another process would make a new file at the path, and lock that.
    isHeld: () => id !== undefined && idAt(path) === id,
    owner: () => ownerIn(db),
    claim: (owner: string) => writeOwner(db, owner),
    release: () => db.close(),
  };
}

export function lockPathOf(target: string): string {
  return join(dirname(target), hiddenPrefix(target, 'lock'));
}

export type SharedLock = ReturnType<typeof openSharedLock>;

/**
 * A lock for a file that several agents may reach by different paths. The lock file is in the
 * folder of the resolved target, because the target's inode number changes with each write and its
 * path does not. `instance` is the agent, for a file whose comments get lost, so that only its lock says whose rows it
 * has; `requireOwn` throws if writing is not allowed.
 */
export function openSharedLock(
  fileName: string,
  instance: string | undefined,
  { requireOwn, warn }: { requireOwn(): void; warn(message: string): void },
) {
  const owner = instance?.replaceAll('-', '').slice(0, 16);
  let lock: FileLock | undefined;
  let isLost = false;

  const holds = (path: string) => lock?.path === path && lock.isHeld();

  function take(path: string): FileLock {
    const taken = takeLock(path);
    if (taken === null) throw new HeldByAnother();
    lock?.release();
    lock = taken;
    isLost = false;
    return lock;
  }

  return {
    /**
     * Takes the lock if it is not held yet for this target, which changes when a link is changed. Throws
     * `HeldByAnother`, and `Unwritable` for rows without marks if another agent had the lock before.
     */
    require(target: string, hasUnmarkedRows: () => boolean): void {
      const path = lockPathOf(target);
      const held = lock && holds(path) ? lock : take(path);
      const before = owner && held.owner();
      if (!before || before === owner || !hasUnmarkedRows()) return;
      held.release();
      lock = undefined;
      throw new Unwritable(
        `has another agent's rows, instance ${before.slice(0, INSTANCE_SHOWN)}…: start with its folder, or ` +
          `remove ${basename(path)}`,
      );
    },

    /** The rows in the file are this agent's, with marks or without. */
    claim(): void {
      if (owner && lock && lock.owner() !== owner) lock.claim(owner);
    },

    /**
     * Does not create a missing lock file, so that an agent whose lock file was just removed can
     * take it again.
     */
    isHeldByAnother(target: string): boolean {
      const path = lockPathOf(target);
      if (holds(path) || !existsSync(path)) return false;
      // Undefined if that is unknown; a later write reports the error.
      const taken = attempted(() => takeLock(path));
      taken?.release();
      return taken === null;
    },

    /**
     * Takes the lock again if its file was removed. Waiting for the next write would be too late,
     * because another agent could take the lock first.
     */
    keep(): void {
      try {
        if (!lock || lock.isHeld()) return;
        // The lock is not taken in a folder that replaced ours.
        requireOwn();
        take(lock.path);
        warn(`the lock beside ${fileName} was removed, and is taken again`);
      } catch (error) {
        if (!(error instanceof HeldByAnother) || isLost) return;
        isLost = true;
        warn(`the lock beside ${fileName} was removed, and another agent has it now`);
      }
    },

    release: (): void => lock?.release(),
  };
}
