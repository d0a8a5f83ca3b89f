import { type BigIntStats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  fingerprint,
  isMountedAlone,
  openState,
  readWhole,
  removeStaleTemporaries,
  replaceFile,
  resolveTarget,
  statFile,
} from './atomic-write.ts';
import { type Content, openSharedLock, ownerOf, type SharedLock } from './file-lock.ts';
import { type Combine, watchLateWrites } from './late-writes.ts';
import {
  type ContentDigest,
  type CurrentContent,
  contentDigestOf,
  countHiddenNames,
  type StateStore,
  tailOf,
} from './replaced-files.ts';
import { HardLinked, HeldByAnother, MountedAlone, Unwritable } from './unwritable.ts';

/** A program that rewrites a file has ended once nothing changed for this long, in ms. */
const SETTLED_AFTER_MS = 100;
/** The longest wait for a rewrite to end, because a caller waits for the reply. */
const MAX_SETTLE_MS = 2000;
/** Changes older than this are no rewrite in progress. */
const FRESH_MS = 10_000;

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
  /** Throws a 503 `Refusal` if the agent's folder was replaced. */
  requireOwn(): void;
  /** Throws a `ForeignBlock` for the block of another agent. */
  contentOf(bytes: Buffer): Content;
  /** Puts together what others wrote at once. */
  combine: Combine;
  leftBehind: StateStore;
  /** Called with the resolved path after each write. */
  onWritten(target: string): void;
  warn(message: string): void;
};

export type WrittenFile = ReturnType<typeof openWrittenFile>;

/** Watches a file's content since it was last written by the agent, or found to be right. */
function watchContent({ isSavedByServer }: { isSavedByServer: boolean }) {
  let ours: string | undefined;
  let written: ContentDigest | undefined;

  const isOurs = (stat: BigIntStats | undefined) => fingerprint(stat) === ours;

  /**
   * Text that others appended, empty without any change; undefined after any other change. The content decides,
   * because a file may be written to between its fingerprint and its reading.
   */
  function appendedTo(bytes: Buffer): Buffer | undefined {
    const tail = written && tailOf(bytes, written);
    // Half a save looks like that in a file that was empty.
    const isSave = isSavedByServer && written?.size === 0 && bytes.length > 0;
    return isSave ? undefined : tail;
  }

  return {
    isOurs,
    appendedTo,

    /** Restores the state of an earlier run of the agent. */
    restore({ print, ...taken }: CurrentContent): void {
      ours = print;
      written = taken;
    },

    know(stat: BigIntStats | undefined, bytes: Buffer): void {
      ours = fingerprint(stat);
      written = contentDigestOf(bytes);
    },

    /**
     * Waits for a rewrite in progress: half a file is not what its writer wants, and may be all that
     * is left of the other half. Appended text is whole.
     */
    async openSettled(target: string, isHurried: boolean): ReturnType<typeof openState> {
      const until = performance.now() + MAX_SETTLE_MS;
      for (;;) {
        const state = await openState(target);
        const { stat, bytes, handle } = state;
        if (!stat || isHurried || isOurs(stat) || appendedTo(bytes)) return state;
        const age = Math.abs(Date.now() - Number(stat.mtimeMs));
        if (age > FRESH_MS || performance.now() > until) return state;
        await sleep(SETTLED_AFTER_MS);
        if (fingerprint(await statFile(target)) === fingerprint(stat)) return state;
        await handle?.close();
      }
    },
  };
}

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
