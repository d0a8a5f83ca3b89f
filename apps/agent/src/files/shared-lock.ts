import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FileLock, type Owner, takeLock } from './file-lock.ts';
import { ForeignRows, HeldByAnother } from './unwritable.ts';

const INSTANCE_SHOWN = 8;

/** Traces in a file of the agent that wrote it. */
export type Content = { hasRows: boolean; hasMarks: boolean };

type Options = {
  /** Kept in the lock of a file whose comments get lost. */
  owner: Owner | undefined;
  /** Throws if writing is not allowed. */
  requireOwn(): void;
  warn(message: string): void;
};

function lockPathOf(target: string): string {
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
