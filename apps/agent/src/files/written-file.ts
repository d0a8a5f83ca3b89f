import { type BigIntStats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  fingerprint,
  openState,
  readWhole,
  removeStaleTemporaries,
  replaceFile,
  resolveTarget,
  statFile,
} from './atomic-write.ts';
import { digest, watchLeftBehind } from './left-behind.ts';
import { isMountedAlone } from './mounts.ts';
import { ForeignRows, HardLinked, HeldByAnother, MountedAlone, NotOurs } from './not-ours.ts';
import { lockPathOf, openSharedLock } from './shared-lock.ts';

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

/** A program that rewrites the file has ended once nothing changed for this long, in ms. */
const SETTLED_AFTER_MS = 100;
/** The longest wait for that, because somebody waits for the reply. */
const MAX_SETTLE_MS = 2000;
/** Changes older than this are no rewrite in progress. */
const FRESH_MS = 10_000;

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

/** What a file says of whose it is. */
type Content = { hasRows: boolean; hasMarks: boolean };

export type WrittenFile = ReturnType<typeof openWrittenFile>;

/** A file shared with the operator and the card server, but written by one agent only. */
export function openWrittenFile(path: string, options: Options) {
  const { requireOwn, onWritten, warn } = options;
  const owner = options.instance.replaceAll('-', '').slice(0, 16);
  const leftBehind = watchLeftBehind();
  const lock = openSharedLock(basename(path), { requireOwn, warn });
  let isClosing = false;
  /** Fingerprint at our last write. */
  let ours: string | undefined;
  /** How often the file was found otherwise than we had left it. */
  let strange = 0;
  /** Content at our last write, to tell what was appended from what was rewritten. */
  let written: { size: number; digest: string } | undefined;

  function know(stat: BigIntStats | undefined, bytes: Buffer): void {
    ours = fingerprint(stat);
    written = { size: bytes.length, digest: digest(bytes) };
  }

  function isAppended(bytes: Buffer): boolean {
    if (!written || bytes.length < written.size) return false;
    return digest(bytes.subarray(0, written.size)) === written.digest;
  }

  /** Waits for a rewrite in progress: half a file is not what its writer wants, and may be all that is left. */
  async function openSettled(target: string): ReturnType<typeof openState> {
    const until = performance.now() + MAX_SETTLE_MS;
    for (;;) {
      const state = await openState(target);
      const print = fingerprint(state.stat);
      if (print === ours || !state.stat || isClosing || isAppended(state.bytes)) return state;
      const age = Math.abs(Date.now() - Number(state.stat.mtimeMs));
      if (age > FRESH_MS || performance.now() > until) return state;
      await sleep(SETTLED_AFTER_MS);
      if (fingerprint(await statFile(target)) === print) return state;
      await state.handle?.close();
    }
  }

  /** Throws for rows whose marks were lost, if the lock's owner is another agent. */
  function requireOwnRows(target: string, contentOf: () => Content): void {
    const found = lock.owner();
    if (!options.keepsInstance || found === undefined || found === owner) return;
    const content = contentOf();
    if (content.hasMarks || !content.hasRows) return;
    lock.release();
    throw new ForeignRows(found.slice(0, 8), basename(lockPathOf(target)));
  }

  /** Once a change of owner: afterwards the file has the owner that could be given. */
  function warnOfOwner(before: BigIntStats | undefined, now: BigIntStats): void {
    if (!before || (before.uid === now.uid && before.gid === now.gid)) return;
    warn(
      `${path} belonged to user ${before.uid} and group ${before.gid} and belongs to user ${now.uid} and ` +
        `group ${now.gid} now: look whether the card server may still read it`,
    );
  }

  /** Returns undefined if the file has changed meanwhile. */
  async function attempt(target: string, change: Change, count: number) {
    const late = await leftBehind.look(isClosing);
    const before = await openSettled(target);
    let isWatched = false;
    try {
      const isOurs = fingerprint(before.stat) === ours;
      if (!isOurs || late.rewritten || late.appended.length > 0) strange += 1;
      const base = isOurs ? (late.rewritten ?? before.bytes) : before.bytes;
      const wasOurs = isOurs && late.appended.length === 0 && late.rewritten === undefined;
      const bytes = change(Buffer.concat([base, late.appended]));
      let stat = before.stat;
      if (!bytes.equals(before.bytes)) {
        lock.require(target);
        requireOwnRows(target, () => options.contentOf(before.bytes));
        if (options.keepsInstance) lock.claim(owner);
        const mayGrow = count > PATIENT_ATTEMPTS;
        stat = await replaceFile(target, bytes, before, { mayGrow, requireOwn });
        if (stat === undefined) return undefined;
        warnOfOwner(before.stat, stat);
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
      know(stat, bytes);
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
        const content = options.contentOf(await readWhole(target));
        lock.require(target);
        requireOwnRows(target, () => content);
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
        return fingerprint(statSync(target, { bigint: true, throwIfNoEntry: false })) !== ours;
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
