import { type BigIntStats, fstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprint, readAll } from './atomic-write.ts';
import { type Format, linesOf } from './formats.ts';
import {
  contentDigestOf,
  openReplacedFiles,
  type Replaced,
  type Replacing,
  type StateStore,
  tailOf,
} from './replaced-files.ts';

/**
 * Programs that rewrite a file truncate it first, so its content may be incomplete until it has
 * been unchanged this long.
 */
const SETTLED_AFTER_MS = 200;
/**
 * The longest wait for a rewrite to end. Text that was saved in the moment of our rename is merged before the card
 * server is made to read the file: otherwise it would forget its own save.
 */
const MAX_SETTLE_MS = 2000;
const SETTLE_LOOK_MS = 20;

/** Content that other programs wrote to a file after it was replaced. */
type LateWrites = {
  /** Bytes to append to the current file. */
  appended: Buffer;
  /** New content for the current file, which counts while the file is as we left it. */
  rewritten: Buffer | undefined;
  /** A file was rewritten after it had been replaced, and something newer is in the current one. */
  isLost: boolean;
};

function nothing(): LateWrites {
  return { appended: Buffer.alloc(0), rewritten: undefined, isLost: false };
}

function printOf({ handle }: Replaced): string {
  return fingerprint(fstatSync(handle.fd, { bigint: true }));
}

function hasSettled(file: Replaced, print: string): boolean {
  const now = performance.now();
  if (file.unsettled?.print !== print) file.unsettled = { print, since: now };
  return now - file.unsettled.since >= SETTLED_AFTER_MS;
}

/**
 * Reads late writes to files that were replaced. A program that opened a file before we replaced it (a
 * shell running `>>`, a card server saving) writes to the old file, which nothing else could read any
 * more. Watches one file; calls must not overlap.
 */
export function watchLateWrites(store: StateStore) {
  const files = openReplacedFiles(store);
  const { appends } = files;
  let late: LateWrites = nothing();

  const isWaiting = () => late.appended.length > 0 || late.rewritten !== undefined || late.isLost;

  /** True if the current file may lack late writes. */
  const isWrittenTo = () => isWaiting() || files.all().some((file) => file.print !== printOf(file));

  /** The agent's own changes can be made again to the rewritten text and to text appended since. */
  function takeRewrite(file: Replaced, bytes: Buffer): void {
    if (file.isOvertaken) {
      late.isLost = true;
      return;
    }
    late.rewritten = Buffer.concat([bytes, appends.since(file.appendsFrom)]);
    // A program that writes to an older file has begun earlier.
    for (const older of files.all().slice(0, files.all().indexOf(file))) older.isOvertaken = true;
  }

  /** False if a rewrite may still be in progress. */
  async function lookAt(file: Replaced, isLast: boolean): Promise<boolean> {
    const print = printOf(file);
    // The first look always reads, because two writes within one clock tick may have equal fingerprints.
    if (print === file.print) return true;
    const bytes = await readAll(file.handle);
    const tail = tailOf(bytes, file.taken);
    const isAppended = tail && (file.isWhole || file.isOvertaken || tail.length === 0);
    if (isAppended) late.appended = Buffer.concat([late.appended, tail]);
    else {
      if (!isLast && !hasSettled(file, print)) return false;
      takeRewrite(file, bytes);
    }
    file.taken = contentDigestOf(bytes);
    file.print = print;
    return true;
  }

  async function lookAtAll(isLast: boolean): Promise<boolean> {
    let areSettled = true;
    for (const file of files.all()) areSettled = (await lookAt(file, isLast)) && areSettled;
    return areSettled;
  }

  return {
    /** Continues after a kill. Resolves with the known state of the current file. */
    restore: files.restore,

    /**
     * Called when the content of the next file is decided. `tail` is the text that others appended to the current
     * file, undefined if the file has other changes of theirs; `appended` is the text that is taken from earlier
     * files.
     */
    begin(target: string, tail: Buffer | undefined, appended: Buffer) {
      const mark = appends.next();
      if (tail) appends.add(tail);
      else for (const file of files.all()) file.isOvertaken = true;
      const since = { isWhole: tail !== undefined, appendsFrom: appends.next() };
      appends.add(appended);
      let added: Replaced | undefined;

      return {
        /** Called before the rename; `before` is undefined if there is no file yet. */
        add(before: Replacing | undefined, made: BigIntStats, bytes: Buffer): void {
          if (before) added = files.add(target, before, since);
          files.save(before?.stat, made, bytes);
        },

        /** The file was not replaced; the caller closes its handle. */
        cancel(): void {
          appends.cut(mark);
          if (added) files.remove(added);
        },

        /** The current file contains everything that `look` returned. */
        end(): void {
          late = nothing();
        },
      };
    },

    isWrittenTo,

    /** True if there are files to read, late writes to merge, or files to drop. */
    hasChanged(): boolean {
      const now = performance.now();
      return isWrittenTo() || files.all().some(({ until }) => until < now);
    },

    /** Late writes since the last time they ended. Waits for a rewrite in progress, unless `isLast`. */
    async look(isLast = false): Promise<LateWrites> {
      const until = performance.now() + MAX_SETTLE_MS;
      while (!(await lookAtAll(isLast)) && performance.now() < until) await sleep(SETTLE_LOOK_MS);
      await files.dropOld();
      return late;
    },

    /** True if the current file lacks late writes. */
    async hasLate(isLast = false): Promise<boolean> {
      if (this.hasChanged()) await this.look(isLast);
      return isWaiting();
    },

    close: files.close,
  };
}

type Found = {
  current: Buffer;
  /** The text that others appended to the current file; undefined if they changed it otherwise. */
  appended: Buffer | undefined;
  late: LateWrites;
};

type Combined = {
  /** Everything that others wrote. */
  bytes: Buffer;
  /** The text that others appended to the current file; undefined if the file is newer than any late rewrite. */
  tail: Buffer | undefined;
  /** The text that others appended to earlier files, as far as it is taken. */
  appended: Buffer;
  /** True if two programs wrote at once, so that only one of their texts counts. */
  isLost: boolean;
};

export type Combine = (found: Found) => Combined;

/** Combines texts that several programs wrote at once, to the current file and to those that it replaced. */
export function combineLateWrites(format: Format): Combine {
  const piecesOf = (bytes: Buffer) => format.split(linesOf(bytes.toString('latin1')));
  const namesOf = (bytes: Buffer) =>
    new Set(piecesOf(bytes).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name])));

  function haveCommonNames(some: Buffer, others: Buffer): boolean {
    const names = namesOf(others);
    return [...namesOf(some)].some((name) => names.has(name));
  }

  function withoutRowsOf(bytes: Buffer, others: Buffer): Buffer {
    const names = namesOf(others);
    const kept = piecesOf(bytes).map((piece) => {
      if (typeof piece === 'string') return piece;
      return names.has(piece.name) ? '' : piece.lines.join('');
    });
    return Buffer.from(kept.join(''), 'latin1');
  }

  return ({ current, appended, late }) => {
    const { rewritten } = late;
    // A card server's save may begin with the old content, and look like an append.
    const isSave =
      format.isSavedByServer &&
      rewritten !== undefined &&
      appended !== undefined &&
      haveCommonNames(appended, rewritten);
    const tail = isSave ? undefined : appended;
    const base = rewritten && tail ? Buffer.concat([rewritten, tail]) : current;
    // The card server may have read the appended text and saved it with everything else since.
    const isKnown = format.isSavedByServer && tail === undefined && late.appended.length > 0;
    const text = isKnown ? withoutRowsOf(late.appended, base) : late.appended;
    return {
      bytes: Buffer.concat([base, text]),
      tail,
      appended: text,
      isLost: late.isLost || (rewritten !== undefined && tail === undefined),
    };
  };
}
