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
import { ownerOf } from './file-lock.ts';
import { watchLeftBehind } from './left-behind.ts';
import { isMountedAlone } from './mounts.ts';
import { HardLinked, HeldByAnother, MountedAlone, NotOurs } from './not-ours.ts';
import { watchContent } from './settled.ts';
import { type Content, openSharedLock } from './shared-lock.ts';

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
  /** Of the agent; kept beside a file whose comments are lost. */
  instance: string;
  keepsInstance: boolean;
  /** Throws if writing is not allowed. */
  requireOwn(): void;
  /** Throws for the block of another agent. */
  contentOf(bytes: Buffer): Content;
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

/** A file shared with the operator and the card server, but written by one agent only. */
export function openWrittenFile(path: string, options: Options) {
  const { requireOwn, onWritten, warn } = options;
  const leftBehind = watchLeftBehind();
  const owner = options.keepsInstance ? ownerOf(options.instance) : undefined;
  const lock = openSharedLock(basename(path), { owner, requireOwn, warn });
  let isClosing = false;
  const content = watchContent();
  /** How often the file was found otherwise than we had left it. */
  let strange = 0;

  /** Returns undefined if the file has changed meanwhile. */
  async function attempt(target: string, change: Change, count: number) {
    const late = await leftBehind.look(isClosing);
    const before = await content.openSettled(target, isClosing);
    let isWatched = false;
    try {
      const isOurs = content.isOurs(before.stat);
      if (!isOurs || late.rewritten || late.appended.length > 0) strange += 1;
      const base = isOurs ? (late.rewritten ?? before.bytes) : before.bytes;
      const wasOurs = isOurs && late.appended.length === 0 && late.rewritten === undefined;
      const bytes = change(Buffer.concat([base, late.appended]));
      let stat = before.stat;
      if (!bytes.equals(before.bytes)) {
        lock.require(target);
        lock.requireOwnRows(() => options.contentOf(before.bytes));
        lock.claim();
        const mayGrow = count > PATIENT_ATTEMPTS;
        stat = await replaceFile(target, bytes, before, { mayGrow, requireOwn });
        if (stat === undefined) return undefined;
        changeOfOwner(path, before.stat, stat).forEach(warn);
        onWritten(target);
        isWatched = before.handle !== undefined;
        if (before.handle) leftBehind.add(before.handle, before.bytes, wasOurs);
      }
      if (late.isLost || (late.rewritten && !isOurs)) {
        warn(
          `${basename(path)} was saved by two at once: look whether all that you wrote is in it`,
        );
      }
      leftBehind.forget();
      content.know(stat, bytes);
      return { print: fingerprint(stat) };
    } finally {
      if (!isWatched) await before.handle?.close();
    }
  }

  return {
    /**
     * Throws if another agent writes the file or has rows in it, or if a write would part it from its
     * other names or its mount.
     */
    async requireAlone(): Promise<void> {
      const target = resolveTarget(path);
      try {
        // Checked before taking the lock, so that another agent is not locked out of its own file.
        if (lock.isHeldByAnother(target)) throw new HeldByAnother();
        const names = (await statFile(target))?.nlink ?? 1n;
        if (names > 1n) throw new HardLinked(names);
        if (isMountedAlone(target)) throw new MountedAlone();
        const found = options.contentOf(await readWhole(target));
        lock.require(target);
        lock.requireOwnRows(() => found);
      } catch (error) {
        // Other errors will also fail the write, which reports them.
        if (!(error instanceof NotOurs)) return;
        const is = error instanceof HeldByAnother ? 'is ' : '';
        throw new Error(`${basename(path)} (${target}) ${is}${error.message}`);
      }
    },

    async isHeldByAnother(): Promise<boolean> {
      return lock.isHeldByAnother(resolveTarget(path));
    },

    strangeStates: () => strange,

    /** True if the file is not as it was when it was last written or found to be right. */
    isChangedByOthers(): boolean {
      try {
        const target = resolveTarget(path);
        return !content.isOurs(statSync(target, { bigint: true, throwIfNoEntry: false }));
      } catch {
        // The next write reports why.
        return false;
      }
    },

    /** To be called at intervals. */
    keepLock: lock.keep,

    async removeStale(): Promise<void> {
      await removeStaleTemporaries(resolveTarget(path));
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
        if (writes === MAX_WRITES || !(await leftBehind.hasLate())) return written.print;
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
