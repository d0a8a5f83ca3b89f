import type { BigIntStats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempted, type Log } from '../log.ts';
import type { Store } from '../store.ts';
import {
  type Denied,
  fingerprint,
  HeldByAnother,
  hasSettled,
  hiddenPaths,
  isMountedAlone,
  MAX_SETTLE_MS,
  mountedAlone,
  openState,
  readWhole,
  replaceFile,
  resolveTarget,
  SETTLE_LOOK_MS,
  statAt,
  Unwritable,
} from './atomic-write.ts';
import { openSharedLock, type SharedLock } from './file-lock.ts';
import type { Format } from './formats.ts';
import {
  type CurrentContent,
  combine,
  contentDigestOf,
  LateWrites,
  tailOf,
} from './late-writes.ts';
import { parseFile } from './merge.ts';
import type { OwnFolder } from './own-folder.ts';

/** Attempts before reporting that the file keeps changing. */
const MAX_ATTEMPTS = 10;
/** Writes of one call; the next write, which `hasLateWrites` prompts, merges anything later. */
const MAX_WRITES = 2;

type Change = (current: Buffer) => Buffer;

export type WriteOptions = {
  /** The folder where the file is, perhaps as a link. */
  dir: string;
  folder: OwnFolder;
  log: Log;
};

/** A file shared with the operator and the card server, but written by one agent only. */
export class WrittenFile {
  readonly format: Format;
  protected readonly path: string;
  protected readonly store: Store;
  protected readonly warn: (message: string) => void;
  readonly #folder: OwnFolder;
  readonly late: LateWrites;
  readonly lock: SharedLock;
  /** The file as it was last written by the agent, or found to be right. */
  #known: CurrentContent | undefined;
  /** True once the agent has written the file; set to false by its user. */
  isWritten = false;
  /** The reason for which the last write was refused; whoever finds it written finds none. */
  refused: Denied | undefined;

  constructor(format: Format, options: WriteOptions) {
    const { dir, folder, log } = options;
    this.format = format;
    this.path = join(dir, format.fileName);
    this.store = folder.store;
    this.warn = (message) => log({ level: 'warn', message });
    this.#folder = folder;
    this.late = new LateWrites(format.fileName, this.store);
    const requireOwn = () => this.#requireOwn();
    this.lock = openSharedLock(format.fileName, { requireOwn, warn: this.warn });
  }

  /**
   * Takes the file's lock, cleans up after a killed agent, and continues with the files that it had replaced. Throws if
   * another agent writes the file or has a block in it, or if a write would part it from its other names or its mount.
   */
  async requireAlone(): Promise<void> {
    const target = resolveTarget(this.path);
    try {
      // Checked before taking the lock, so that another agent is not locked out of its own file.
      if (this.lock.isHeldByAnother(target)) throw new HeldByAnother();
      if (isMountedAlone(target)) throw mountedAlone();
      parseFile(await readWhole(target), this.format, this.store.instance);
      this.lock.require(target);
      for (const temporary of await hiddenPaths(target)) await rm(temporary, { force: true });
      this.#known = await this.late.restore(target);
      const names = statAt(target)?.nlink ?? 1n;
      if (names > 1n) {
        throw new Unwritable(
          `has ${names} names, hard links. Each write replaces the file under this name alone, so the ` +
            'others would never change again. Remove them, or make each a symbolic link',
        );
      }
    } catch (error) {
      // Other errors will also fail the write, which reports them.
      if (!(error instanceof Unwritable)) return;
      const is = error instanceof HeldByAnother ? 'is ' : '';
      throw new Error(`${this.format.fileName} (${target}) ${is}${error.message}`);
    }
  }

  /**
   * Resolves with the file's fingerprint once `change` and all late writes are in it. Throws if
   * the file keeps changing.
   */
  async write(change: Change): Promise<string> {
    let writes = 0;
    for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
      // Resolved for each attempt, because a link may have been created meanwhile.
      const print = await this.#attempt(resolveTarget(this.path), change);
      if (print === undefined) continue;
      writes += 1;
      if (writes === MAX_WRITES || !(await this.late.hasLate())) return print;
    }
    throw new Error('the file keeps changing');
  }

  /**
   * True if the file has changed since it was last written or found to be right, or lacks text that was written to
   * an earlier file.
   */
  isChangedByOthers(): boolean {
    const isChanged = attempted(() => {
      return this.late.hasChanged() || !this.#isKnown(statAt(resolveTarget(this.path)));
    });
    // If this cannot be read, the next write reports why.
    return isChanged ?? false;
  }

  async close(): Promise<void> {
    await this.late.close();
    this.lock.release();
  }

  #requireOwn(): void {
    this.#folder.requireOwn('Nothing was written.');
  }

  #isKnown(stat: BigIntStats | undefined): boolean {
    return fingerprint(stat) === this.#known?.print;
  }

  /**
   * Text that others appended, empty without any change; undefined after any other change. The content decides,
   * because a file may be written to between its fingerprint and its reading.
   */
  #appendedTo(bytes: Buffer): Buffer | undefined {
    // Half a save looks like an append to a file that was empty.
    const isSave = this.format.isSavedByServer && this.#known?.size === 0 && bytes.length > 0;
    return this.#known && !isSave ? tailOf(bytes, this.#known) : undefined;
  }

  /**
   * Waits for a rewrite in progress: half a file is not what its writer wants, and may be all that
   * is left of the other half. Appended text is whole.
   */
  async #openSettled(target: string): ReturnType<typeof openState> {
    const until = performance.now() + MAX_SETTLE_MS;
    for (;;) {
      const state = await openState(target);
      const { stat, bytes, handle } = state;
      if (!stat || this.#isKnown(stat) || this.#appendedTo(bytes)) return state;
      if (hasSettled(stat) || performance.now() > until) return state;
      await handle?.close();
      await sleep(SETTLE_LOOK_MS);
    }
  }

  /** Returns undefined if the file has changed meanwhile. */
  async #attempt(target: string, change: Change): Promise<string | undefined> {
    // First, because the lock would be made in a folder that replaced ours.
    this.#requireOwn();
    this.lock.require(target);
    const late = await this.late.look();
    const { stat: found, handle, bytes: current } = await this.#openSettled(target);
    let stat = found;
    let isReplaced = false;
    try {
      const combined = combine(this.format, current, this.#appendedTo(current), late);
      const bytes = change(combined.bytes);
      this.late.begin(combined);
      if (!bytes.equals(current)) {
        let made: BigIntStats | undefined;
        try {
          const prepare = (next: BigIntStats) => {
            this.#requireOwn();
            this.refused = undefined;
            const isWhole = combined.tail !== undefined;
            const before = handle && found && { handle, stat: found, bytes: current, isWhole };
            this.late.add(target, before, next, bytes);
          };
          made = await replaceFile(target, bytes, found, prepare);
        } finally {
          if (!made) this.late.cancel(handle);
        }
        if (!made) return undefined;
        isReplaced = true;
        this.#noteWritten(target, found, made);
        stat = made;
      }
      if (combined.isLost) {
        const what = 'was saved by two at once: look whether all that you wrote is in it';
        this.warn(`${this.format.fileName} ${what}`);
      }
      this.late.end();
      this.#known = { print: fingerprint(stat), ...contentDigestOf(bytes) };
      return this.#known.print;
    } finally {
      // A replaced file stays open, to be watched.
      if (!isReplaced) await handle?.close();
    }
  }

  #noteWritten(target: string, before: BigIntStats | undefined, now: BigIntStats): void {
    // Only root can give a file the owner that it had.
    if (before && (before.uid !== now.uid || before.gid !== now.gid)) {
      this.warn(
        `${this.path} belonged to user ${before.uid} and group ${before.gid} and belongs to user ${now.uid} and ` +
          `group ${now.gid} now: look whether the card server may still read it`,
      );
    }
    this.#folder.rememberPlace(this.format.fileName, target);
    this.isWritten = true;
  }
}
