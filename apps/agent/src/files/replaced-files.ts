import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { fingerprint } from './atomic-write.ts';
import { addHiddenName, hiddenNames, idOf, openHidden, removeHidden } from './hidden-names.ts';

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

/** Time in ms that another program may take between opening a file and writing to it. */
const WATCHED_MS = 10_000;
/** A replaced file occupies disk space as long as it is open. */
const MAX_FILES = 256;
const MAX_BYTES = 64 * 1024 * 1024;

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
