import { createHash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { fingerprint, readAll } from './atomic-write.ts';

/** Time in ms that another program may take between opening a file and writing to it. */
const WATCHED_MS = 10_000;
/**
 * Programs that rewrite a file truncate it first, so its content may be incomplete until it has
 * been unchanged this long.
 */
const SETTLED_AFTER_MS = 200;
/** A replaced file occupies disk space as long as it is open. */
const MAX_FILES = 256;
const MAX_BYTES = 64 * 1024 * 1024;

type Replaced = {
  handle: FileHandle;
  /** Whether its replacement was made from nothing but what we had written here before. */
  wasOurs: boolean;
  /** Size and hash of the content that the replacement already contains. */
  taken: { size: number; digest: string };
  /** Fingerprint when the file was last read; undefined before the first time. */
  print: string | undefined;
  /** Fingerprint of a rewrite, and the time at which it was first seen. */
  unsettled: { print: string; since: number } | undefined;
  until: number;
};

/** Content that other programs wrote to a file after it was replaced. */
type Late = {
  /** Bytes to append to the current file. */
  appended: Buffer;
  /** New content for the current file. */
  rewritten: Buffer | undefined;
  /**
   * A file was rewritten after it had been replaced, and what replaced it has changes of others, so
   * the rewrite cannot be merged.
   */
  isLost: boolean;
};

export function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function nothing(): Late {
  return { appended: Buffer.alloc(0), rewritten: undefined, isLost: false };
}

function printOf({ handle }: Replaced): string {
  return fingerprint(fstatSync(handle.fd, { bigint: true }));
}

/**
 * Keeps replaced files open for a while and reads late writes to them. A program that opened a file
 * before we replaced it (a shell running `>>`, an editor saving) writes to the old file, which
 * nothing else could read any more. Watches one file; calls must not overlap.
 */
export function watchLeftBehind() {
  let files: Replaced[] = [];
  let late: Late = nothing();

  const isWaiting = () => late.appended.length > 0 || late.rewritten !== undefined || late.isLost;

  function hasSettled(file: Replaced, print: string): boolean {
    const now = performance.now();
    if (file.unsettled?.print !== print) file.unsettled = { print, since: now };
    return now - file.unsettled.since >= SETTLED_AFTER_MS;
  }

  /** Our own changes can be made again to whatever was written here. */
  function hasOnlyOursSince(file: Replaced): boolean {
    return files.slice(files.indexOf(file) + 1).every(({ wasOurs }) => wasOurs);
  }

  async function lookAt(file: Replaced, isLast: boolean): Promise<void> {
    const print = printOf(file);
    // The first look always reads, because two writes within one clock tick may have the same
    // fingerprint.
    if (print === file.print) return;
    const bytes = await readAll(file.handle);
    const { size, digest: known } = file.taken;
    const before = digest(bytes.subarray(0, size));
    if (bytes.length >= size && before === known) {
      late.appended = Buffer.concat([late.appended, bytes.subarray(size)]);
    } else {
      if (!isLast && !hasSettled(file, print)) return;
      if (hasOnlyOursSince(file)) late.rewritten = bytes;
      else late.isLost = true;
    }
    file.taken = { size: bytes.length, digest: digest(bytes) };
    file.print = print;
  }

  async function dropOld(): Promise<void> {
    const sizes = files.map(({ taken }) => taken.size);
    let total = sizes.reduce((sum, size) => sum + size, 0);
    const now = performance.now();
    const kept = files.filter((file, index) => {
      const isOver = files.length - index > MAX_FILES || total > MAX_BYTES || file.until < now;
      // The newest file is kept for its full time, whatever its size.
      if (!isOver || (index === files.length - 1 && file.until >= now)) return true;
      total -= sizes[index] ?? 0;
      return false;
    });
    const dropped = files.filter((file) => !kept.includes(file));
    files = kept;
    for (const { handle } of dropped) await handle.close();
  }

  return {
    /**
     * Watches a replaced file, whose `bytes` are already in the new one. Takes over closing
     * `handle`.
     */
    add(handle: FileHandle, bytes: Buffer, wasOurs: boolean): void {
      const until = performance.now() + WATCHED_MS;
      const taken = { size: bytes.length, digest: digest(bytes) };
      files.push({ handle, wasOurs, taken, print: undefined, unsettled: undefined, until });
    },

    /** True if there are files to read, late writes to merge, or files to drop. */
    hasChanged(): boolean {
      const now = performance.now();
      return isWaiting() || files.some((file) => file.until < now || file.print !== printOf(file));
    },

    /**
     * Late writes since the last `forget`. With `isLast`, does not wait for a rewrite to be
     * complete.
     */
    async look(isLast = false): Promise<Late> {
      for (const file of files) await lookAt(file, isLast);
      await dropOld();
      return late;
    },

    /** True if the current file lacks late writes. */
    async hasLate(): Promise<boolean> {
      if (this.hasChanged()) await this.look();
      return isWaiting();
    },

    /** Call once the current file contains everything that `look` returned. */
    forget(): void {
      late = nothing();
    },

    async close(): Promise<void> {
      const open = files;
      files = [];
      for (const { handle } of open) await handle.close();
    },
  };
}
