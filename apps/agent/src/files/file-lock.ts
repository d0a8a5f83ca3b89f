import { type BigIntStats, existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openPrivately } from '../store.ts';
import { ForeignRows, HeldByAnother } from './unwritable.ts';

const SQLITE_BUSY = 5;
/** Digits of another agent's instance in an error. */
const INSTANCE_SHOWN = 8;

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
type Owner = string;

export function ownerOf(instance: string): Owner {
  return instance.replaceAll('-', '').slice(0, 16);
}

type FileLock = {
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

/** Traces in a file of the agent that wrote it. */
export type Content = { hasRows: boolean; hasMarks: boolean };

type Options = {
  /** Kept in the lock of a file whose comments get lost. */
  owner: Owner | undefined;
  /** Throws if writing is not allowed. */
  requireOwn(): void;
  warn(message: string): void;
};

export function lockPathOf(target: string): string {
  return join(dirname(target), `.${basename(target)}.linekeeper-lock`);
}

export type SharedLock = ReturnType<typeof openSharedLock>;

/**
 * A lock for a file that several agents may reach by different paths. The lock file is in the
 * folder of the resolved target, because the target's inode number changes with each write and its
 * path does not.
 */
export function openSharedLock(fileName: string, { owner, requireOwn, warn }: Options) {
  let lock: FileLock | undefined;
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
     * Takes the lock if it is not held yet for this target, which changes when a link is changed.
     * Throws `HeldByAnother`.
     */
    require(target: string): void {
      const path = lockPathOf(target);
      if (!holds(path)) take(path);
    },

    /** Throws for rows without marks, if another agent had the lock before. To be asked with the lock. */
    requireOwnRows(contentOf: () => Content): void {
      const before = owner && lock?.owner();
      if (!lock || !before || before === owner) return;
      const { hasMarks, hasRows } = contentOf();
      if (hasMarks || !hasRows) return;
      const { path } = lock;
      lock.release();
      lock = undefined;
      throw new ForeignRows(before.slice(0, INSTANCE_SHOWN), basename(path));
    },

    /** The rows in the file are this agent's, with marks or without. */
    claim(): void {
      if (owner) lock?.claim(owner);
    },

    /**
     * Does not create a missing lock file, so that an agent whose lock file was just removed can
     * take it again.
     */
    isHeldByAnother(target: string): boolean {
      const path = lockPathOf(target);
      if (holds(path) || !existsSync(path)) return false;
      try {
        const taken = takeLock(path);
        taken?.release();
        return taken === null;
      } catch {
        // Unknown; a later write reports the error.
        return false;
      }
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

    release(): void {
      lock?.release();
    },
  };
}
