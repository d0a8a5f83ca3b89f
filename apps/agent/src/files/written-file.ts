import { type BigIntStats, statSync } from 'node:fs';
import { basename } from 'node:path';
import {
  fingerprint,
  readWhole,
  removeStaleTemporaries,
  replaceFile,
  resolveTarget,
  statFile,
} from './atomic-write.ts';
import { watchContent } from './content-watch.ts';
import { ownerOf } from './file-lock.ts';
import { countHiddenNames } from './hidden-names.ts';
import { watchLateWrites } from './late-write-watch.ts';
import type { Combine } from './late-writes.ts';
import { isMountedAlone } from './mounts.ts';
import type { StateStore } from './replaced-files.ts';
import { type Content, openSharedLock, type SharedLock } from './shared-lock.ts';
import { HardLinked, HeldByAnother, MountedAlone, Unwritable } from './unwritable.ts';

/** Attempts before reporting that the file keeps changing. */
const MAX_ATTEMPTS = 10;
/**
 * Attempts that start over when the file was appended to. After that the file is replaced and the
 * appended text is added afterwards, because a program that appends without pause would block us
 * for ever.
 */
const PATIENT_ATTEMPTS = 1;
/** Writes of one call; the next write, which `hasLateWrites` prompts, merges anything later. */
const MAX_WRITES = 2;

/** Computes the new content from the current one. */
type Change = (before: Buffer) => Buffer;

type Options = {
  /** The agent's instance, kept beside a file whose comments are lost. */
  instance: string;
  /** Whether the card server saves the file on its own. */
  isSavedByServer: boolean;
  /** Throws if writing is not allowed. */
  requireOwn(): void;
  /** Throws for the block of another agent. */
  contentOf(bytes: Buffer): Content;
  /** Puts together what others wrote at once. */
  combine: Combine;
  leftBehind: StateStore;
  /** Called with the resolved path after each write. */
  onWritten(target: string): void;
  warn(message: string): void;
};

export type WrittenFile = ReturnType<typeof openWrittenFile>;

/** Said once a change of owner: afterwards the file has the owner that could be given. */
function changeOfOwner(path: string, before: BigIntStats | undefined, now: BigIntStats): string[] {
  if (!before || (before.uid === now.uid && before.gid === now.gid)) return [];
  return [
    `${path} belonged to user ${before.uid} and group ${before.gid} and belongs to user ${now.uid} and ` +
      `group ${now.gid} now: look whether the card server may still read it`,
  ];
}

async function requireAlone(path: string, lock: SharedLock, contentOf: Options['contentOf']) {
  const target = resolveTarget(path);
  try {
    // Checked before taking the lock, so that another agent is not locked out of its own file.
    if (lock.isHeldByAnother(target)) throw new HeldByAnother();
    const names = (await statFile(target))?.nlink ?? 1n;
    // A kill may have left it with names of ours.
    const others = names > 1n ? names - (await countHiddenNames(target)) : names;
    if (others > 1n) throw new HardLinked(others);
    if (isMountedAlone(target)) throw new MountedAlone();
    const found = contentOf(await readWhole(target));
    lock.require(target);
    lock.requireOwnRows(() => found);
  } catch (error) {
    // Other errors will also fail the write, which reports them.
    if (!(error instanceof Unwritable)) return;
    const is = error instanceof HeldByAnother ? 'is ' : '';
    throw new Error(`${basename(path)} (${target}) ${is}${error.message}`);
  }
}

/** A file shared with the operator and the card server, but written by one agent only. */
export function openWrittenFile(path: string, options: Options) {
  const { requireOwn, onWritten, warn } = options;
  const leftBehind = watchLateWrites(options.leftBehind);
  const owner = options.isSavedByServer ? ownerOf(options.instance) : undefined;
  const lock = openSharedLock(basename(path), { owner, requireOwn, warn });
  let isClosing = false;
  const content = watchContent(options);
  /** How often the file was found otherwise than we had left it. */
  let strange = 0;

  /** Returns undefined if the file has changed meanwhile. */
  async function attempt(target: string, change: Change, count: number) {
    const late = await leftBehind.look(isClosing);
    const before = await content.openSettled(target, isClosing);
    const { stat: found, handle, bytes: current } = before;
    let isWatched = false;
    try {
      if (!content.isOurs(found) || late.rewritten || late.appended.length > 0) strange += 1;
      const appended = content.appendedTo(current);
      const combined = options.combine({ current, appended, late });
      const bytes = change(combined.bytes);
      const step = leftBehind.begin(target, combined.tail, combined.appended);
      let stat = found;
      if (!bytes.equals(current)) {
        try {
          // Again, because the lock would be made in a folder that replaced ours meanwhile.
          requireOwn();
          lock.require(target);
          lock.requireOwnRows(() => options.contentOf(current));
          lock.claim();
          stat = await replaceFile(target, bytes, before, {
            mayGrow: count > PATIENT_ATTEMPTS,
            prepare: (made) =>
              step.add(handle && found && { handle, stat: found, bytes: current }, made, bytes),
            requireOwn,
          });
        } catch (error) {
          step.cancel();
          throw error;
        }
        if (stat === undefined) {
          step.cancel();
          return undefined;
        }
        isWatched = true;
        changeOfOwner(path, found, stat).forEach(warn);
        onWritten(target);
      }
      if (combined.isLost) {
        warn(
          `${basename(path)} was saved by two at once: look whether all that you wrote is in it`,
        );
      }
      step.end();
      content.know(stat, bytes);
      return { print: fingerprint(stat) };
    } finally {
      if (!isWatched) await handle?.close();
    }
  }

  return {
    /**
     * Throws if another agent writes the file or has rows in it, or if a write would part it from its
     * other names or its mount.
     */
    requireAlone: () => requireAlone(path, lock, options.contentOf),

    async isHeldByAnother(): Promise<boolean> {
      return lock.isHeldByAnother(resolveTarget(path));
    },

    foreignChanges: () => strange,

    /**
     * True if the file has changed since it was last written or found to be right, or lacks text that was written to
     * an earlier file.
     */
    isChangedByOthers(): boolean {
      try {
        if (leftBehind.isWrittenTo()) return true;
        const target = resolveTarget(path);
        return !content.isOurs(statSync(target, { bigint: true, throwIfNoEntry: false }));
      } catch {
        // The next write reports why.
        return false;
      }
    },

    /** Keeps the lock; to be called at intervals. */
    keepLock: lock.keep,

    /** Cleans up after a killed agent, and continues with the files that it had replaced. */
    async recover(): Promise<void> {
      const target = resolveTarget(path);
      await removeStaleTemporaries(target);
      const made = await leftBehind.restore(target, await statFile(target));
      if (made) content.restore(made);
    },

    /**
     * Resolves with the file's fingerprint once `change` and all late writes are in it. Throws if
     * the file keeps changing.
     */
    async write(change: Change): Promise<string> {
      requireOwn();
      let writes = 0;
      for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
        // Resolved for each attempt, because a link may have been created meanwhile.
        const written = await attempt(resolveTarget(path), change, count);
        if (written === undefined) continue;
        writes += 1;
        if (writes === MAX_WRITES || !(await leftBehind.hasLate(isClosing))) return written.print;
      }
      throw new Error('the file keeps changing');
    },

    /** True if a file that we replaced may have late writes. */
    hasLateWrites: () => leftBehind.hasChanged(),

    /** From now on, writes do not wait for another program's rewrite to complete. */
    beginClosing(): void {
      isClosing = true;
    },

    async close(): Promise<void> {
      await leftBehind.close();
      lock.release();
    },
  };
}
