import { join } from 'node:path';
import { coalesce } from '../coalesce.ts';
import { causeOf, type Log } from '../log.ts';
import type { Account, Snapshot, Store } from '../store.ts';
import { fingerprint, readWhole, resolveTarget, statFile } from './atomic-write.ts';
import { cccam } from './cccam-cfg.ts';
import { bytesOf, type Format, linesOf, type Row } from './formats.ts';
import {
  byHandOf,
  type ChangeKind,
  type FoundRows,
  type Merged,
  mergeFile,
  parseFile,
  type Records,
} from './merge.ts';
import { ForeignBlock, HeldByAnother } from './not-ours.ts';
import { oscam } from './oscam-user.ts';
import type { OwnFolder } from './own-folder.ts';
import { openWrittenFile, type WrittenFile } from './written-file.ts';

const FORMATS = [cccam, oscam];
export const RENDERED_NAMES = FORMATS.map(({ fileName }) => fileName);
/** Interval in ms of checks for late writes to replaced files and for removed locks. */
const LOOK_MS = 100;
/** Bounded, because another program may append without pause. */
const LAST_LOOKS = 5;

/** What rows of each file say beside the account. */
export type Grants = Record<string, string>;

type Changes = ReadonlyMap<string, ChangeKind>;
type Seen = { print: string; rows: Promise<FoundRows> };
type Look = { departedThrough: number; strange: number };
type RowsByHand = { file: string; rows: Row[] };

/** A card server's file could not be read or written; the message says whether the change was made. */
export class RenderFailure extends Error {}

export type RenderedFiles = ReturnType<typeof openRenderedFiles>;

/** Warns once for each name that the operator's line takes precedence. */
function warnOnce(log: Log) {
  const warned = new Set<string>();
  return (format: Format, { accounts }: Snapshot, byHand: Merged['byHand']): void => {
    if (byHand.size === 0) return;
    for (const { username } of accounts) {
      const message = `left out of ${format.fileName}: the name stands there by hand: ${username}`;
      if (!byHand.has(bytesOf(username)) || warned.has(message)) continue;
      warned.add(message);
      log({ level: 'warn', message });
    }
  };
}

/** What the records say of the rows in one file, for single names and as they are now. */
function recordsOf(store: Store, { fileName }: Format, grants: Grants): Records {
  return {
    accountOf(name) {
      const username = Buffer.from(name, 'latin1').toString();
      return bytesOf(username) === name ? store.find(username) : undefined;
    },
    isDeparted: () => false,
    rowOf: (name) => store.rows.of(fileName, name),
    hadPassword: store.rows.hadPassword,
    hadPasswordEarlier: store.rows.hadPasswordEarlier,
    grant: grants[fileName] ?? '',
    formerGrants: store.rows.grants(fileName),
  };
}

/**
 * While the other agent runs it would restore a block that the operator removes, so the message
 * must not suggest removing it.
 */
async function reasonOf(error: unknown, file: WrittenFile): Promise<unknown> {
  const isHeld = error instanceof ForeignBlock && (await file.isHeldByAnother());
  return isHeld ? new HeldByAnother() : error;
}

/** Rows of the files as they were last read, read again only after a file has changed. */
function watchRows(dir: string, instance: string) {
  const seen = new Map<Format, Seen>();
  return {
    know(format: Format, print: string, rows: FoundRows): void {
      seen.set(format, { print, rows: Promise.resolve(rows) });
    },

    /** All that may be the operator's; those of ours may be missing. */
    async of(format: Format): Promise<FoundRows> {
      const target = resolveTarget(join(dir, format.fileName));
      const print = fingerprint(await statFile(target));
      const known = seen.get(format);
      if (known?.print === print) return known.rows;
      // Caches the promise, not its value, so that concurrent callers share one read.
      const rows = readWhole(target).then((bytes) => parseFile(bytes, format, instance).rows);
      seen.set(format, { print, rows });
      rows.catch(() => seen.delete(format));
      return rows;
    },
  };
}

/** Told of what has been written, for the card server to read. */
export type Watcher = {
  /** The newest change that is committed. */
  mark(): number;
  /**
   * The files hold everything up to this mark. `isChanged` if they were written since the last call,
   * and `changes` says whom that concerns.
   */
  onRendered(mark: number, isChanged: boolean, changes: Changes): void;
};

type Options = {
  today(): string;
  grants: Grants;
  log: Log;
};
function failureOf(results: PromiseSettledResult<void>[]): string | undefined {
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [`${FORMATS[index]?.fileName} (${causeOf(result.reason)})`] : [],
  );
  return failures.length > 0 ? `Could not write ${failures.join(' and ')}` : undefined;
}

export function openRenderedFiles(
  dir: string,
  { store, places, requireOwn }: OwnFolder,
  { today, grants, log }: Options,
  { mark, onRendered }: Watcher,
) {
  const rows = watchRows(dir, store.instance);
  const warnOfNamesByHand = warnOnce(log);
  let renderedDay: string | undefined;
  let isChanged = false;
  let changes: Map<string, ChangeKind> = new Map();
  /** Deletions up to this one are in the files. */
  let departedThrough = 0;
  let running: Promise<unknown> = Promise.resolve();
  for (const { fileName } of FORMATS) store.rows.useGrant(fileName, grants[fileName] ?? '');

  const files = FORMATS.map((format) => ({
    format,
    file: openWrittenFile(join(dir, format.fileName), {
      instance: store.instance,
      keepsInstance: format.isSavedByServer,
      requireOwn: () => requireOwn('Nothing was written.'),
      contentOf(bytes) {
        const { rows: found, hasMarks } = parseFile(bytes, format, store.instance);
        return { hasRows: found.size > 0, hasMarks };
      },
      onWritten(target) {
        places.remember(format.fileName, target);
        isChanged = true;
      },
      warn: (message) => log({ level: 'warn', message }),
    }),
  }));

  async function renderFile(
    { format, file }: (typeof files)[number],
    snapshot: Snapshot,
    day: string,
  ): Promise<void> {
    const { fileName } = format;
    const byName = (accounts: Account[]) =>
      new Map(accounts.map((account) => [bytesOf(account.username), account]));
    const accounts = byName(snapshot.accounts);
    const live = byName(snapshot.accounts.filter(({ expiry_date }) => expiry_date >= day));
    const departed = new Set(snapshot.departed.map(bytesOf));
    const records = {
      ...recordsOf(store, format, grants),
      accountOf: (name: string) => accounts.get(name),
      isDeparted: (name: string) => departed.has(name),
    };
    let merged: Merged | undefined;
    const change = (before: Buffer) => {
      merged = mergeFile(before, format, { ...records, instance: store.instance, live });
      const { learned, bytes } = merged;
      store.rows.learn(fileName, learned.rows, learned.passwords);
      return bytes;
    };
    const print = await file.write(change).catch(async (error: unknown) => {
      throw await reasonOf(error, file);
    });
    if (!merged) return;
    store.rows.settle(fileName, merged.ours);
    rows.know(format, print, merged.byHand);
    warnOfNamesByHand(format, snapshot, merged.byHand);
    for (const [username, kind] of merged.changes) changes.set(username, kind);
  }

  async function renderAll(): Promise<void> {
    const day = today();
    const snapshot = store.snapshot();
    const marked = mark();
    // One file that cannot be written does not block the other.
    const results = await Promise.allSettled(
      files.map((rendered) => renderFile(rendered, snapshot, day)),
    );
    const message = failureOf(results);
    if (message !== undefined) {
      renderedDay = undefined;
      log({ level: 'error', message });
      throw new RenderFailure(`${message}. The change is stored and will be written later.`);
    }
    renderedDay = day;
    departedThrough = Math.max(departedThrough, snapshot.departedThrough);
    if (snapshot.departed.length > 0) store.forgetDeparted(snapshot);
    const written = { isChanged, changes };
    isChanged = false;
    changes = new Map();
    onRendered(marked, written.isChanged, written.changes);
  }

  const render = coalesce(renderAll);

  function renderNow(): Promise<void> {
    const done = render();
    running = done.catch(() => {});
    return done;
  }

  /** Rows of others in each file, for one call. */
  async function readRows({ format, file }: (typeof files)[number]): Promise<FoundRows> {
    return rows.of(format).catch(async (error: unknown) => {
      const doing = error instanceof ForeignBlock ? 'write' : 'read';
      const cause = causeOf(await reasonOf(error, file));
      const message = `Could not ${doing} ${format.fileName} (${cause})`;
      log({ level: 'error', message });
      throw new RenderFailure(`${message}. Nothing was changed.`);
    });
  }

  async function rowsByHand(username: string): Promise<RowsByHand[]> {
    const found: RowsByHand[] = [];
    for (const rendered of files) {
      const { format } = rendered;
      const records = recordsOf(store, format, grants);
      const inFile = byHandOf(bytesOf(username), await readRows(rendered), records);
      if (inFile.length > 0) found.push({ file: format.fileName, rows: inFile });
    }
    return found;
  }

  const strangeness = () => files.reduce((sum, { file }) => sum + file.strangeStates(), 0);
  const hasLateWrites = () => files.some(({ file }) => file.hasLateWrites());
  const looks = setInterval(() => {
    for (const { file } of files) file.keepLock();
    if (hasLateWrites()) renderNow().catch(() => {});
  }, LOOK_MS).unref();

  return {
    /** Resolves when the files contain everything committed before this call. */
    render: renderNow,

    /** True after a new day has begun, the last attempt has failed, or somebody else wrote a file. */
    isDue(): boolean {
      return renderedDay !== today() || files.some(({ file }) => file.isChangedByOthers());
    },

    /** The operator's own rows of this name. */
    rowsByHand,

    /** The file in which the operator keeps this name; undefined if none. */
    async keptByHand(username: string): Promise<string | undefined> {
      return (await rowsByHand(username))[0]?.file;
    },

    /** The number of rows that the operator keeps. */
    async countByHand(): Promise<number> {
      let count = 0;
      for (const rendered of files) {
        const records = recordsOf(store, rendered.format, grants);
        const found = await readRows(rendered);
        for (const name of found.keys()) count += byHandOf(name, found, records).length;
      }
      return count;
    },

    /** Whether the operator switched a row of this name off by making it a comment. */
    async isRowInComment(username: string): Promise<boolean> {
      for (const { format } of files) {
        const target = resolveTarget(join(dir, format.fileName));
        const lines = linesOf((await readWhole(target)).toString('latin1'));
        const name = bytesOf(username);
        if (lines.some((line) => format.isRowInComment(line, name))) return true;
      }
      return false;
    },

    /** What is known of the files before the card server reads them. */
    look: (): Look => ({ departedThrough, strange: strangeness() }),

    /**
     * The card server has read the files since this look: unless it saved them in between, it cannot
     * bring back any more what was deleted or set otherwise before.
     */
    forgetBefore(look: Look): void {
      if (look.strange !== strangeness() || files.some(({ file }) => file.isChangedByOthers()))
        return;
      store.forgetFormer(look.departedThrough, oscam.fileName, grants[oscam.fileName] ?? '');
    },

    /** Throws if one of the files belongs to another agent, or cannot be replaced. */
    async requireAlone(): Promise<void> {
      for (const { file } of files) {
        await file.requireAlone();
      }
    },

    async removeStale(): Promise<void> {
      for (const { file } of files) await file.removeStale();
    },

    /** Waits for the current write and merges late writes. */
    async close(): Promise<void> {
      clearInterval(looks);
      await running;
      for (const { file } of files) file.beginClosing();
      for (let count = 0; count < LAST_LOOKS && hasLateWrites(); count += 1) {
        await renderNow().catch(() => {});
      }
      for (const { file } of files) await file.close();
    },
  };
}
