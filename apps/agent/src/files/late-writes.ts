import { createHash } from 'node:crypto';
import { type BigIntStats, fstatSync, linkSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempted } from '../log.ts';
import type { Store } from '../store.ts';
import {
  fingerprint,
  hasSettled,
  hiddenPath,
  hiddenPaths,
  idAt,
  idOf,
  MAX_SETTLE_MS,
  readAll,
  SETTLE_LOOK_MS,
} from './atomic-write.ts';
import { type Format, linesOf } from './formats.ts';

/** Part of the hidden names of replaced files, after the prefix of all hidden names. */
const REPLACED = 'replaced-';
/** Milliseconds that another program may need between opening a file and writing to it. */
const WATCHED_MS = 10_000;
/** Replaced files that are kept open, at most, because each occupies disk space. */
const MAX_FILES = 256;
const MAX_BYTES = 64 * 1024 * 1024;

type ContentDigest = { size: number; digest: string };

/** The known state of the current file. */
export type CurrentContent = ContentDigest & { print: string };

/** Facts about a replaced file that are needed after a kill. */
type Known = {
  id: string;
  /** The content of this file that the current one contains already. */
  taken: ContentDigest;
  /**
   * False if other programs had rewritten the file, perhaps not completely. Text after it cannot be
   * used on its own then.
   */
  isWhole: boolean;
  /** True if the current file has a newer text than any rewrite of this one. */
  isOvertaken: boolean;
};

type Replaced = Known & {
  handle: FileHandle;
  /** The hidden path of the file; undefined if it could not be given one. */
  path: string | undefined;
  /** Fingerprint when the file was last read; undefined before the first time. */
  print: string | undefined;
  until: number;
};

/** The state in the form in which it is stored before each rename. */
type State = {
  made: CurrentContent;
  files: (Known & { name: string })[];
};

export function contentDigestOf(bytes: Buffer): ContentDigest {
  return { size: bytes.length, digest: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * The text that others appended after the agent's own bytes, `taken`; undefined if the file does not begin with those.
 */
export function tailOf(bytes: Buffer, { size, digest }: ContentDigest): Buffer | undefined {
  const isSame = bytes.length >= size && contentDigestOf(bytes.subarray(0, size)).digest === digest;
  return isSame ? bytes.subarray(size) : undefined;
}

/** Removes a hidden file; if that fails, the next start tries again. */
function removeHidden(path: string | undefined): void {
  if (path !== undefined) attempted(() => rmSync(path, { force: true }));
}

/**
 * Gives a file that is about to be replaced a second, hidden name, so that later writes to it can be read after a kill.
 * Returns undefined if that is impossible: on a file system without hard links, or for another user's file that this
 * one may not write.
 */
function addHiddenName(target: string, id: string): string | undefined {
  const path = hiddenPath(target, REPLACED);
  attempted(() => linkSync(target, path));
  if (idAt(path) === id) return path;
  rmSync(path, { force: true });
  return undefined;
}

/** Opens the file with this hidden name, if it is still the file for which the name was made. */
async function openHidden(path: string, id: string): Promise<FileHandle | undefined> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle && idOf(await handle.stat({ bigint: true })) === id) return handle;
  await handle?.close();
  return undefined;
}

/**
 * The newest of these files, without those that are too old, too many or too large together. The
 * newest file is always among them.
 */
function withoutOld(files: Replaced[]): Replaced[] {
  const now = performance.now();
  let bytes = 0;
  const isKept = ({ taken, until }: Replaced, index: number) => {
    bytes += taken.size;
    return until >= now && (index === 0 || (index < MAX_FILES && bytes <= MAX_BYTES));
  };
  return files.toReversed().filter(isKept).reverse();
}

const statOf = ({ handle }: Replaced) => fstatSync(handle.fd, { bigint: true });

const nothing = () => ({
  /** Bytes to append to the current file. */
  appended: Buffer.alloc(0),
  /** The text of a rewrite, from which the current file is written, unless that has other changes. */
  rewritten: undefined as Buffer | undefined,
  /** True if a file was rewritten after it had been replaced, and the current one has a newer text. */
  isLost: false,
});

type LateTexts = ReturnType<typeof nothing>;

/**
 * Reads late writes to files that were replaced. A program that opened a file before it was replaced (a shell running
 * `>>`, a card server saving) writes to the old file, which nothing else could read any more. The replaced files are
 * kept open, and under hidden names for the agent that starts after a kill. Watches one file; calls must not overlap.
 */
export class LateWrites {
  readonly #fileName: string;
  readonly #store: Store;
  /** Replaced files, oldest first. */
  #files: Replaced[] = [];
  #late = nothing();

  constructor(fileName: string, store: Store) {
    this.#fileName = fileName;
    this.#store = store;
  }

  /** Continues after a kill. Resolves with the known state of the current file. */
  async restore(target: string): Promise<CurrentContent | undefined> {
    const id = idAt(target) ?? '';
    const found = this.#store.findReplaced(this.#fileName, id);
    const state = found === undefined ? undefined : (JSON.parse(found) as State);
    const hidden = await hiddenPaths(target, REPLACED);
    for (const { name, ...known } of state?.files ?? []) {
      const path = hidden.find((one) => basename(one) === name);
      // A file that is still the current one means that the kill came before the rename.
      const handle = path && known.id !== id && (await openHidden(path, known.id));
      if (handle) this.#watch(known, handle, path);
    }
    const kept = this.#files.map(({ path }) => path);
    for (const path of hidden) if (!kept.includes(path)) removeHidden(path);
    return state?.made;
  }

  /**
   * Returns the late writes that are not merged yet. Waits for a rewrite in progress. What the card server saves while
   * the agent renames the file has to be merged before the card server reads that file, or its save would be lost.
   */
  async look(): Promise<LateTexts> {
    const until = performance.now() + MAX_SETTLE_MS;
    while (!(await this.#lookAtAll()) && performance.now() < until) {
      await sleep(SETTLE_LOOK_MS);
    }
    const kept = withoutOld(this.#files);
    await this.#drop(this.#files.filter((file) => !kept.includes(file)));
    return this.#late;
  }

  /** True if there are files to read, late writes to merge, or files to drop. */
  hasChanged(): boolean {
    const now = performance.now();
    const isChanged = (file: Replaced) =>
      file.until < now || file.print !== fingerprint(statOf(file));
    return this.#isWaiting() || this.#files.some(isChanged);
  }

  async hasLate(): Promise<boolean> {
    if (this.hasChanged()) await this.look();
    return this.#isWaiting();
  }

  /**
   * Notes that the content of the next file is decided, with the text that others appended to the
   * current and earlier files.
   */
  begin({ tail, appended }: Combined): void {
    if (tail && tail.length + appended.length === 0) return;
    for (const file of this.#files) file.isOvertaken = true;
  }

  /** Adds the file that is about to be replaced; `before` is undefined if there is none yet. */
  add(
    target: string,
    before: { handle: FileHandle; stat: BigIntStats; bytes: Buffer; isWhole: boolean } | undefined,
    made: BigIntStats,
    bytes: Buffer,
  ): void {
    const id = before ? idOf(before.stat) : '';
    if (before) {
      const { handle, isWhole } = before;
      const known = { id, taken: contentDigestOf(before.bytes), isWhole, isOvertaken: false };
      this.#watch(known, handle, addHiddenName(target, id));
    }
    this.#save(id, made, bytes);
  }

  /** Cancels the addition, because the file was not replaced; the caller closes its handle. */
  cancel(handle: FileHandle | undefined): void {
    const added = this.#files.find((file) => file.handle === handle);
    this.#files = this.#files.filter((file) => file !== added);
    removeHidden(added?.path);
  }

  /** Records that the current file now contains everything that `look` returned. */
  end(): void {
    this.#late = nothing();
  }

  close(): Promise<void> {
    return this.#drop(this.#files);
  }

  #isWaiting(): boolean {
    const { appended, rewritten, isLost } = this.#late;
    return appended.length > 0 || rewritten !== undefined || isLost;
  }

  #watch(known: Known, handle: FileHandle, path: string | undefined): void {
    const until = performance.now() + WATCHED_MS;
    this.#files.push({ ...known, handle, path, print: undefined, until });
  }

  async #drop(dropped: Replaced[]): Promise<void> {
    this.#files = this.#files.filter((file) => !dropped.includes(file));
    for (const { handle, path } of dropped) {
      await handle.close();
      removeHidden(path);
    }
  }

  async #lookAtAll(): Promise<boolean> {
    let areSettled = true;
    for (const file of this.#files) areSettled = (await this.#lookAt(file)) && areSettled;
    return areSettled;
  }

  /** Reads a replaced file again. Returns false if a rewrite may still be in progress. */
  async #lookAt(file: Replaced): Promise<boolean> {
    const stat = statOf(file);
    const print = fingerprint(stat);
    // The first look always reads, because two writes within one clock tick may have equal fingerprints.
    if (print === file.print) return true;
    const bytes = await readAll(file.handle);
    const tail = tailOf(bytes, file.taken);
    if (tail && (file.isWhole || file.isOvertaken || tail.length === 0)) {
      this.#late.appended = Buffer.concat([this.#late.appended, tail]);
    } else {
      if (!hasSettled(stat)) return false;
      this.#takeRewrite(file, bytes);
    }
    file.taken = contentDigestOf(bytes);
    file.print = print;
    return true;
  }

  /** Keeps a file that another program has rewritten, so that the agent can apply its own changes to it again. */
  #takeRewrite(file: Replaced, bytes: Buffer): void {
    if (file.isOvertaken) {
      this.#late.isLost = true;
      return;
    }
    this.#late.rewritten = bytes;
    // A rewrite of an older file began earlier, so this one overrides it.
    for (const older of this.#files.slice(0, this.#files.indexOf(file))) older.isOvertaken = true;
  }

  /** Stores the state that is true once `made` has replaced the file `current`. */
  #save(current: string, made: BigIntStats, bytes: Buffer): void {
    const files = this.#files.flatMap(({ path, id, taken, isWhole, isOvertaken }) =>
      path ? [{ name: basename(path), id, taken, isWhole, isOvertaken }] : [],
    );
    const state: State = { made: { print: fingerprint(made), ...contentDigestOf(bytes) }, files };
    this.#store.saveReplaced(this.#fileName, current, idOf(made), JSON.stringify(state));
  }
}

type Combined = ReturnType<typeof combine>;

function piecesOf(format: Format, bytes: Buffer) {
  return format.split(linesOf(bytes.toString('latin1')));
}

function namesOf(format: Format, bytes: Buffer): Set<string> {
  const rows = piecesOf(format, bytes).filter((piece) => typeof piece !== 'string');
  return new Set(rows.map(({ name }) => name));
}

function withoutRows(format: Format, bytes: Buffer, names: Set<string>): Buffer {
  const kept = piecesOf(format, bytes).map((piece) => {
    if (typeof piece === 'string') return piece;
    return names.has(piece.name) ? '' : piece.lines.join('');
  });
  return Buffer.from(kept.join(''), 'latin1');
}

/**
 * Combines texts that several programs wrote at the same time, to the current file and to those that it replaced.
 * `appended` is the text that others appended to the current file; undefined if they changed it otherwise.
 */
export function combine(
  format: Format,
  current: Buffer,
  appended: Buffer | undefined,
  late: LateTexts,
) {
  const { rewritten } = late;
  // A card server's save may begin with the old content, and look like an append.
  const isSave =
    format.isSavedByServer &&
    rewritten !== undefined &&
    appended !== undefined &&
    !namesOf(format, appended).isDisjointFrom(namesOf(format, rewritten));
  const tail = isSave ? undefined : appended;
  const base = rewritten && tail ? Buffer.concat([rewritten, tail]) : current;
  // The card server may have read the appended text already, and saved it together with its other rows.
  const isKnown = format.isSavedByServer && tail === undefined && late.appended.length > 0;
  const text = isKnown ? withoutRows(format, late.appended, namesOf(format, base)) : late.appended;
  return {
    bytes: Buffer.concat([base, text]),
    /** The text that others appended to the current file; undefined if it has other changes by them. */
    tail,
    /** The text that others appended to earlier files, as far as `bytes` contains it. */
    appended: text,
    /** True if two programs wrote at the same time, so that only one of their texts counts. */
    isLost: late.isLost || (rewritten !== undefined && tail === undefined),
  };
}
