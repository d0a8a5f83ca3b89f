import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, linkSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fingerprint, ownPrefix } from './atomic-write.ts';
import { type FileIdentity, identityOf } from './file-lock.ts';

/** Hidden names of replaced files behind the prefix of all hidden names. */
const HIDDEN = /^replaced-[0-9a-f]{16}$/;

/** Time in ms that another program may take between opening a file and writing to it. */
const WATCHED_MS = 10_000;
/** A replaced file occupies disk space as long as it is open. */
const MAX_FILES = 256;
const MAX_BYTES = 64 * 1024 * 1024;

export function idOf({ dev, ino }: FileIdentity): string {
  return `${dev}:${ino}`;
}

/**
 * Gives a file that is about to be replaced a second, hidden name, so that later writes to it can be read after a
 * kill. Undefined if that is impossible: on a file system without hard links, or for somebody else's file that this
 * user may not write.
 */
function addHiddenName(target: string, file: FileIdentity): string | undefined {
  const name = `${ownPrefix(target)}replaced-${randomBytes(8).toString('hex')}`;
  const path = join(dirname(target), name);
  try {
    linkSync(target, path);
  } catch {
    return undefined;
  }
  const kept = identityOf(path);
  if (kept && idOf(kept) === idOf(file)) return name;
  rmSync(path, { force: true });
  return undefined;
}

/** Opens the file with this hidden name, if it is still the file that got it. */
async function openHidden(
  target: string,
  name: string,
  id: string,
): Promise<FileHandle | undefined> {
  if (!name.startsWith(ownPrefix(target))) return undefined;
  const handle = await open(join(dirname(target), name), 'r').catch(() => undefined);
  if (handle && idOf(await handle.stat({ bigint: true })) === id) return handle;
  await handle?.close();
  return undefined;
}

function removeHidden(target: string, name: string): void {
  try {
    rmSync(join(dirname(target), name), { force: true });
  } catch {
    // The next start tries again.
  }
}

/** Hidden names beside this file that a killed agent left. */
async function hiddenNames(target: string): Promise<string[]> {
  const prefix = ownPrefix(target);
  const names = await readdir(dirname(target));
  return names.filter((name) => name.startsWith(prefix) && HIDDEN.test(name.slice(prefix.length)));
}

/** The number of the file's names that are the agent's: a kill may leave some. */
export async function countHiddenNames(target: string): Promise<bigint> {
  const file = statSync(target, { bigint: true });
  const names = await readdir(dirname(target));
  const own = names.filter((name) => {
    if (!name.startsWith(ownPrefix(target))) return false;
    const found = identityOf(join(dirname(target), name));
    return found !== undefined && idOf(found) === idOf(file);
  });
  return BigInt(own.length);
}

/** Late texts in the form in which they are stored; see `rememberAppends`. */
type StoredAppends = { appends: string[]; firstAppend: number };

/** Texts that were appended late, by running numbers. */
function rememberAppends() {
  let texts: Buffer[] = [];
  let first = 0;
  return {
    next: () => first + texts.length,
    since: (number: number) => Buffer.concat(texts.slice(Math.max(0, number - first))),
    add(text: Buffer): void {
      if (text.length > 0) texts.push(text);
    },
    cut(number: number): void {
      texts = texts.slice(0, number - first);
    },
    forgetBefore(number: number): void {
      texts = texts.slice(Math.max(0, number - first));
      first = Math.max(first, number);
    },
    save: () => ({ appends: texts.map((text) => text.toString('base64')), firstAppend: first }),
    restore({ appends, firstAppend }: StoredAppends): void {
      texts = appends.map((text) => Buffer.from(text, 'base64'));
      first = firstAppend;
    },
  };
}

/** Size and hash of some content. */
export type ContentDigest = { size: number; digest: string };

/** The known state of the current file. */
export type CurrentContent = ContentDigest & { print: string };

/** Facts about a replaced file that are needed after a kill. */
type Known = {
  id: string;
  /** The content that the current file already contains. */
  taken: ContentDigest;
  /** False if others had rewritten the file, perhaps not to its end: text behind it cannot stand alone then. */
  isWhole: boolean;
  /** Something newer than any rewrite of this file is in the current one. */
  isOvertaken: boolean;
  /** Texts appended to files that replaced this one begin at this number. */
  appendsFrom: number;
};

export type Replaced = Known & {
  handle: FileHandle;
  /** The file's hidden name (see `addHiddenName`) and its place. */
  kept: { target: string; name: string } | undefined;
  /** Fingerprint when the file was last read; undefined before the first time. */
  print: string | undefined;
  /** Fingerprint of a rewrite, and the time at which it was first seen. */
  unsettled: { print: string; since: number } | undefined;
  until: number;
};

/** A file that is about to be replaced. */
export type Replacing = { handle: FileHandle; stat: BigIntStats; bytes: Buffer };

/** The state in the form in which it is stored before each rename. */
type State = { made: CurrentContent; files: (Known & { name: string })[] } & StoredAppends;

export type StateStore = {
  save(current: string, made: string, state: string): void;
  of(current: string): string | undefined;
};

export function contentDigestOf(bytes: Buffer): ContentDigest {
  return { size: bytes.length, digest: createHash('sha256').update(bytes).digest('hex') };
}

/** The text behind `taken` in the bytes; undefined if they do not begin with it. */
export function tailOf(bytes: Buffer, { size, digest }: ContentDigest): Buffer | undefined {
  if (bytes.length < size || contentDigestOf(bytes.subarray(0, size)).digest !== digest)
    return undefined;
  return bytes.subarray(size);
}

function watched(
  known: Known,
  handle: FileHandle,
  target: string,
  name: string | undefined,
): Replaced {
  return {
    ...known,
    handle,
    kept: name === undefined ? undefined : { target, name },
    print: undefined,
    unsettled: undefined,
    until: performance.now() + WATCHED_MS,
  };
}

/** The newest of these that are not too old, too many or too large together. */
function withoutOld(files: Replaced[]): Replaced[] {
  const sizes = files.map(({ taken }) => taken.size);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  const now = performance.now();
  return files.filter((file, index) => {
    const isOver = files.length - index > MAX_FILES || total > MAX_BYTES || file.until < now;
    // The newest file is kept for its full time, whatever its size.
    if (!isOver || (index === files.length - 1 && file.until >= now)) return true;
    total -= sizes[index] ?? 0;
    return false;
  });
}

async function release({ handle, kept }: Replaced): Promise<void> {
  await handle.close();
  if (kept) removeHidden(kept.target, kept.name);
}

/**
 * The files that were replaced lately, oldest first. They are kept open, and under hidden names for the
 * agent that starts after a kill.
 */
export function openReplacedFiles(store: StateStore) {
  let files: Replaced[] = [];
  const appends = rememberAppends();

  function stateWith(made: CurrentContent): string {
    const kept = files.flatMap(({ kept, id, taken, isWhole, isOvertaken, appendsFrom }) =>
      kept ? [{ name: kept.name, id, taken, isWhole, isOvertaken, appendsFrom }] : [],
    );
    return JSON.stringify({ made, files: kept, ...appends.save() } satisfies State);
  }

  return {
    appends,
    all: (): readonly Replaced[] => files,

    /** Restores the state of an agent that was killed, and resolves with its state of the current file. */
    async restore(
      target: string,
      current: BigIntStats | undefined,
    ): Promise<CurrentContent | undefined> {
      const id = current ? idOf(current) : '';
      const found = store.of(id);
      const state = found === undefined ? undefined : (JSON.parse(found) as State);
      if (state) appends.restore(state);
      for (const { name, ...known } of state?.files ?? []) {
        // A file that is still the current one means that the kill came before the rename.
        const handle = known.id === id ? undefined : await openHidden(target, name, known.id);
        if (handle) files.push(watched(known, handle, target, name));
      }
      const names = new Set(files.map(({ kept }) => kept?.name));
      for (const name of await hiddenNames(target))
        if (!names.has(name)) removeHidden(target, name);
      return state?.made;
    },

    add(
      target: string,
      { handle, stat, bytes }: Replacing,
      since: Pick<Known, 'isWhole' | 'appendsFrom'>,
    ): Replaced {
      const known = { id: idOf(stat), taken: contentDigestOf(bytes), isOvertaken: false, ...since };
      const file = watched(known, handle, target, addHiddenName(target, stat));
      files.push(file);
      return file;
    },

    /** The file was not replaced; its handle stays open. */
    remove(file: Replaced): void {
      files = files.filter((one) => one !== file);
      if (file.kept) removeHidden(file.kept.target, file.kept.name);
    },

    /** Stores the state that holds once `made` has taken the place of `current`. */
    save(current: BigIntStats | undefined, made: BigIntStats, bytes: Buffer): void {
      const state = stateWith({ print: fingerprint(made), ...contentDigestOf(bytes) });
      store.save(current ? idOf(current) : '', idOf(made), state);
    },

    async dropOld(): Promise<void> {
      const kept = withoutOld(files);
      const dropped = files.filter((file) => !kept.includes(file));
      files = kept;
      appends.forgetBefore(files[0]?.appendsFrom ?? appends.next());
      for (const file of dropped) await release(file);
    },

    async close(): Promise<void> {
      const open = files;
      files = [];
      for (const file of open) await release(file);
    },
  };
}
