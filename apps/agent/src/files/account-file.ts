import type { BigIntStats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOf, textOf } from '@linekeeper/oscam/bytes.ts';
import { attempted, causeOf, type Log } from '../log.ts';
import { refusalOf } from '../refusal.ts';
import type { Store } from '../store.ts';
import {
  type Denied,
  deniedAt,
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
import { type Format, linesOf, type Row } from './formats.ts';
import {
  type CurrentContent,
  combine,
  contentDigestOf,
  LateWrites,
  tailOf,
} from './late-writes.ts';
import {
  allOperatorRows,
  type FoundRows,
  type Merged,
  mergeFile,
  operatorRowsOf,
  parseFile,
  type Records,
} from './merge.ts';
import type { OwnFolder } from './own-folder.ts';

/** Attempts before reporting that the file keeps changing. */
const MAX_ATTEMPTS = 10;
/** Writes of one call; the next write, which `hasLateWrites` prompts, merges anything later. */
const MAX_WRITES = 2;

export type FileOptions = {
  /** The folder where the file is, perhaps as a link. */
  dir: string;
  folder: OwnFolder;
  log: Log;
  /** Text that the agent adds to new rows besides the account, by file. */
  grants: Record<string, string>;
};

/**
 * A card server's file of accounts, in which rows of the agent are mixed with rows of the operator.
 * The operator and the card server may write to the file too, but no other agent.
 */
export class AccountFile {
  readonly name: string;
  readonly #format: Format;
  readonly #path: string;
  readonly #store: Store;
  readonly #folder: OwnFolder;
  readonly #grant: string;
  readonly #log: Log;
  readonly #late: LateWrites;
  readonly #lock: SharedLock;
  /** The file's content when the agent last wrote it, or last found it correct. */
  #known: CurrentContent | undefined;
  /**
   * All rows that may be the operator's, read again only after the file has changed. Rows of the agent may be missing.
   */
  #seen: { print: string; rows: Promise<FoundRows> } | undefined;
  /** True once the agent has written the file; set to false by its user. */
  isWritten = false;
  /** The reason why the last write was refused; undefined once the file was written. */
  refused: Denied | undefined;

  constructor(format: Format, { dir, folder, log, grants }: FileOptions) {
    const { fileName } = format;
    this.name = fileName;
    this.#format = format;
    this.#path = join(dir, fileName);
    this.#store = folder.store;
    this.#folder = folder;
    this.#grant = grants[fileName] ?? '';
    this.#log = log;
    this.#late = new LateWrites(fileName, folder.store);
    this.#lock = openSharedLock(fileName, {
      requireOwn: () => this.#requireOwn(),
      warn: (message) => this.#warn(message),
    });
  }

  /**
   * Takes the file's lock, cleans up after a killed agent, and continues with the files that it had replaced. Throws if
   * another agent writes the file or has a block in it, or if a write would separate it from its other names or its
   * mount.
   */
  async requireAlone(): Promise<void> {
    const target = resolveTarget(this.#path);
    try {
      // This is checked before the lock is taken, so that another agent is not locked out of its own file.
      if (this.#lock.isHeldByAnother(target)) throw new HeldByAnother();
      if (isMountedAlone(target)) throw mountedAlone();
      this.#parse(await readWhole(target));
      this.#lock.require(target);
      for (const temporary of await hiddenPaths(target)) await rm(temporary, { force: true });
      this.#known = await this.#late.restore(target);
      const names = statAt(target)?.nlink ?? 1n;
      if (names > 1n) {
        throw new Unwritable(
          `has ${names} names (hard links). Each write replaces the file under this name only, so the ` +
            'others would never change again. Remove them, or make each a symbolic link',
        );
      }
    } catch (error) {
      // Other errors will also fail the write, which reports them.
      if (!(error instanceof Unwritable)) return;
      const is = error instanceof HeldByAnother ? 'is ' : '';
      throw new Error(`${this.name} (${target}) ${is}${error.message}`);
    }
  }

  /** The operator's rows with this name. Throws 500 `FILE_NOT_WRITTEN` and `FILE_NOT_READ`. */
  async operatorRows(username: string): Promise<Row[]> {
    return operatorRowsOf(bytesOf(username), await this.#read(), this.#records());
  }

  /** All of the operator's rows. Throws 500 `FILE_NOT_WRITTEN` and `FILE_NOT_READ`. */
  async allOperatorRows(): Promise<Row[]> {
    return allOperatorRows(await this.#read(), this.#records());
  }

  /** True if there is a row with this name that the operator switched off by making it a comment. */
  async isRowInComment(username: string): Promise<boolean> {
    const lines = linesOf((await readWhole(resolveTarget(this.#path))).toString('latin1'));
    return lines.some((line) => this.#format.isRowInComment(line, bytesOf(username)));
  }

  /**
   * Resolves once the file has the accounts of this day, and all late writes. Throws if it may not be written, or keeps
   * changing.
   */
  async write(day: string): Promise<void> {
    const { ours, operators, broughtBack } = await this.#writeAll(day).catch((error: unknown) => {
      this.refused = deniedAt(this.#path, error);
      throw error;
    });
    this.refused = undefined;
    this.#store.recordRows(this.name, ours);
    if (this.#known) this.#seen = { print: this.#known.print, rows: Promise.resolve(operators) };
    if (broughtBack.length === 0) return;
    const names = broughtBack.map(textOf).join(', ');
    const what = `rows of deleted or suspended lines were removed again: ${names}`;
    this.#warn(`${this.name} was replaced by an older version, and ${what}`);
  }

  /** The reason why the agent may not write the file, even before there is a change. */
  denied(): Denied | undefined {
    return this.refused ?? deniedAt(this.#path);
  }

  /** True if something was written to an earlier file that the current one may lack. */
  hasLateWrites(): boolean {
    return this.#late.hasChanged();
  }

  /** True if the file has changed since it was last written or found to be right, or `hasLateWrites`. */
  isChangedByOthers(): boolean {
    const isChanged = attempted(() => {
      return this.hasLateWrites() || !this.#isKnown(statAt(resolveTarget(this.#path)));
    });
    // If the file cannot be read, the next write reports why.
    return isChanged ?? false;
  }

  /** Takes the lock again if the lock file was removed. */
  keepLock(): void {
    this.#lock.keep();
  }

  async close(): Promise<void> {
    await this.#late.close();
    this.#lock.release();
  }

  #warn(message: string): void {
    this.#log({ level: 'warn', message });
  }

  #requireOwn(): void {
    this.#folder.requireOwn('Nothing was written.');
  }

  #isKnown(stat: BigIntStats | undefined): boolean {
    return fingerprint(stat) === this.#known?.print;
  }

  #parse(bytes: Buffer) {
    return parseFile(bytes, this.#format, this.#store.instance);
  }

  #records(): Records {
    const { rows } = this.#store;
    return {
      accountOf: (name) => {
        const username = textOf(name);
        return bytesOf(username) === name ? this.#store.find(username) : undefined;
      },
      rowOf: (name) => rows.of(this.name, name),
      passwords: rows,
      grant: this.#grant,
    };
  }

  /** Throws 500 `FILE_NOT_WRITTEN` for another agent's block, and `FILE_NOT_READ` for an unreadable file. */
  async #read(): Promise<FoundRows> {
    try {
      const target = resolveTarget(this.#path);
      // The lock is checked first: another running agent would restore a block that the operator removes.
      if (this.#lock.isHeldByAnother(target)) throw new HeldByAnother();
      const print = fingerprint(statAt(target));
      if (this.#seen?.print !== print) {
        // The promise is kept, not its value, so that concurrent callers share one read.
        this.#seen = { print, rows: readWhole(target).then((bytes) => this.#parse(bytes).rows) };
      }
      return await this.#seen.rows;
    } catch (error) {
      this.#seen = undefined;
      const code = error instanceof Unwritable ? 'FILE_NOT_WRITTEN' : 'FILE_NOT_READ';
      const file = `${this.name} (${causeOf(error)})`;
      const failure = refusalOf(500, code, { file, ...deniedAt(this.#path, error) });
      this.#log({ level: 'error', message: failure.message });
      throw failure;
    }
  }

  /** The file's text with the accounts of this day. Settings that the operator made on rows are stored before. */
  #change(before: Buffer, day: string): Merged {
    // Accounts are read in the same step as the records of rows, so that a row that is taken over
    // in the meantime belongs to no earlier account.
    const accounts = this.#store.accounts();
    const byName = new Map(accounts.map((account) => [bytesOf(account.username), account]));
    const merged = mergeFile(before, this.#format, accounts, {
      ...this.#records(),
      instance: this.#store.instance,
      accountOf: (name) => byName.get(name),
      isLive: ({ expiry_date }) => expiry_date >= day,
    });
    this.#store.storeFacts(this.name, merged.facts);
    return merged;
  }

  async #writeAll(day: string): Promise<Merged> {
    let writes = 0;
    for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
      // The target is resolved for each attempt, because a link may have been created in the meantime.
      const merged = await this.#attempt(resolveTarget(this.#path), day);
      if (merged === undefined) continue;
      writes += 1;
      if (writes === MAX_WRITES || !(await this.#late.hasLate())) return merged;
    }
    throw new Error('the file keeps changing');
  }

  /**
   * Text that others appended, empty without any change; undefined after any other change. The content decides,
   * because a file may be written to between its fingerprint and its reading.
   */
  #appendedTo(bytes: Buffer): Buffer | undefined {
    // The first half of a card server's save looks like an append to an empty file.
    const isSave = this.#format.isSavedByServer && this.#known?.size === 0 && bytes.length > 0;
    return this.#known && !isSave ? tailOf(bytes, this.#known) : undefined;
  }

  /**
   * Opens the file once no other program is rewriting it. To replace a half-written file could lose the other half,
   * which is stored nowhere else. A file that was only appended to is never half-written.
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

  /** Writes the file once. Returns undefined if it has changed in the meantime. */
  async #attempt(target: string, day: string): Promise<Merged | undefined> {
    // The folder is checked first, because the lock file would otherwise be created in a folder
    // that replaced the agent's.
    this.#requireOwn();
    this.#lock.require(target);
    const late = await this.#late.look();
    const { stat: found, handle, bytes: current } = await this.#openSettled(target);
    let stat = found;
    let isReplaced = false;
    try {
      const combined = combine(this.#format, current, this.#appendedTo(current), late);
      const merged = this.#change(combined.bytes, day);
      const { bytes } = merged;
      this.#late.begin(combined);
      if (!bytes.equals(current)) {
        let made: BigIntStats | undefined;
        try {
          const prepare = (next: BigIntStats) => {
            this.#requireOwn();
            this.refused = undefined;
            const isWhole = combined.tail !== undefined;
            const before = handle && found && { handle, stat: found, bytes: current, isWhole };
            this.#late.add(target, before, next, bytes);
          };
          made = await replaceFile(target, bytes, found, prepare);
        } finally {
          if (!made) this.#late.cancel(handle);
        }
        if (!made) return undefined;
        isReplaced = true;
        this.#noteWritten(target, found, made);
        stat = made;
      }
      if (combined.isLost) {
        const what = 'was saved twice at the same time: check that it has all your changes';
        this.#warn(`${this.name} ${what}`);
      }
      this.#late.end();
      this.#known = { print: fingerprint(stat), ...contentDigestOf(bytes) };
      return merged;
    } finally {
      // A replaced file stays open, so that late writes to it can be read.
      if (!isReplaced) await handle?.close();
    }
  }

  #noteWritten(target: string, before: BigIntStats | undefined, now: BigIntStats): void {
    // Only root can give the file its former owner.
    if (before && (before.uid !== now.uid || before.gid !== now.gid)) {
      this.#warn(
        `${this.#path} belonged to user ${before.uid} and group ${before.gid} and now belongs to user ${now.uid} and ` +
          `group ${now.gid}: check that the card server can still read it`,
      );
    }
    this.#folder.rememberPlace(this.name, target);
    this.isWritten = true;
  }
}
