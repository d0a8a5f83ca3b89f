import { join } from 'node:path';
import { bytesOf, respelled, textOf } from '@linekeeper/oscam/bytes.ts';
import { coalesce } from '../coalesce.ts';
import { causeOf, type Log } from '../log.ts';
import { refusalOf } from '../refusal.ts';
import type { Account, Snapshot, Store } from '../store.ts';
import { fingerprint, readWhole, resolveTarget, statFile } from './atomic-write.ts';
import { cccam } from './cccam-cfg.ts';
import { type Format, linesOf, type Row } from './formats.ts';
import { combineLateWrites } from './late-writes.ts';
import { type Denied, deniedAt } from './may-write.ts';
import { allByHand, byHandOf, type Merged, mergeFile, type Records } from './merge.ts';
import { oscam } from './oscam-user.ts';
import type { OwnFolder } from './own-folder.ts';
import { type FoundRows, parseFile } from './parsed-file.ts';
import { ForeignBlock, HeldByAnother } from './unwritable.ts';
import { openWrittenFile, type WrittenFile } from './written-file.ts';

const FORMATS = [cccam, oscam];
export const RENDERED_NAMES = FORMATS.map(({ fileName }) => fileName);
/** Interval in ms of checks for late writes to replaced files and for removed locks. */
const LOOK_MS = 100;
/** Bounded, because another program may append without pause. */
const MOST_LAST_LOOKS = 5;

/** A CCcam client sends so much of a name, and card servers compare no more. */
const SENT_BYTES = 20;
/** Leaves room for all else that a panel reads with them, which is 64 KiB. */
const MOST_NAME_BYTES = 40 * 1024;

type RowsByHand = { file: string; rows: Row[] };

/** Settings of new rows beside the account, by file. */
export type Grants = Record<string, string>;

export type RenderedFiles = ReturnType<typeof openRenderedFiles>;

/** Warns once for each name that the operator's line takes precedence. */
function warnOnce(log: Log) {
  const warned = new Set<string>();
  return (format: Format, { accounts }: Snapshot, byHand: Merged['byHand']): void => {
    if (byHand.size === 0) return;
    for (const { username } of accounts) {
      const message = `left out of ${format.fileName}: the name is there by hand: ${username}`;
      if (!byHand.has(bytesOf(username)) || warned.has(message)) continue;
      warned.add(message);
      log({ level: 'warn', message });
    }
  };
}

function warnOfBroughtBack(log: Log, { fileName }: Format, names: string[]): void {
  if (names.length === 0) return;
  const what = `rows of deleted or suspended lines were taken out again: ${names.map(textOf).join(', ')}`;
  log({ level: 'warn', message: `${fileName} was put back to an older text, and ${what}` });
}

/** The current records of the rows in one file, for single names. */
function recordsOf(store: Store, format: Format, grants: Grants): Records {
  const { fileName } = format;
  return {
    accountOf(name) {
      const username = textOf(name);
      return bytesOf(username) === name ? store.find(username) : undefined;
    },
    isDeleted: () => false,
    rowOf: (name) => store.rowOf(fileName, name),
    hadPassword: (name, password) =>
      [password, ...respelled(password)].some((one) => store.hadPassword(name, one)),
    hadPasswordEarlier: (name, password) =>
      [password, ...respelled(password)].some((one) => store.hadPasswordEarlier(name, one)),
    grant: grants[fileName] ?? '',
    formerGrants: store.grants(fileName),
  };
}

/** The records of all rows in one file, for a write of this snapshot. */
function recordsFor(
  store: Store,
  format: Format,
  grants: Grants,
  snapshot: Snapshot,
  day: string,
): Parameters<typeof mergeFile>[2] {
  const byName = (accounts: Account[]) =>
    new Map(accounts.map((account) => [bytesOf(account.username), account]));
  const accounts = byName(snapshot.accounts);
  const departed = new Set(snapshot.departed.map(bytesOf));
  return {
    ...recordsOf(store, format, grants),
    instance: store.instance,
    live: byName(snapshot.accounts.filter(({ expiry_date }) => expiry_date >= day)),
    accountOf: (name) => accounts.get(name),
    isDeleted: (name) => departed.has(name),
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

/** Receives the changes that have been written, for the card server to read. */
type Watcher = {
  /** The newest change that is committed. */
  mark(): number;
  /** The files hold everything up to this mark; `isChanged` if they were written since the last call. */
  onRendered(mark: number, isChanged: boolean): void;
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
  return failures.length > 0 ? failures.join(' and ') : undefined;
}

type OpenFile = { format: Format; file: WrittenFile };

type Folder = Pick<OwnFolder, 'store' | 'places' | 'requireOwn'>;

function openFiles(
  dir: string,
  { store, places, requireOwn }: Folder,
  log: Log,
  onWritten: () => void,
): OpenFile[] {
  return FORMATS.map((format) => ({
    format,
    file: openWrittenFile(join(dir, format.fileName), {
      instance: store.instance,
      isSavedByServer: format.isSavedByServer,
      requireOwn: () => requireOwn('Nothing was written.'),
      contentOf(bytes) {
        const { rows, blockAt } = parseFile(bytes, format, store.instance);
        return { hasRows: rows.size > 0, hasMarks: blockAt !== undefined };
      },
      combine: combineLateWrites(format),
      leftBehind: {
        save: (...state) => store.leftBehind.save(format.fileName, ...state),
        of: (current) => store.leftBehind.of(format.fileName, current),
      },
      onWritten(target) {
        places.remember(format.fileName, target);
        onWritten();
      },
      warn: (message) => log({ level: 'warn', message }),
    }),
  }));
}

/** The rows that are the operator's own, read again only after a file has changed. */
function openRowsByHand(
  dir: string,
  store: Store,
  files: OpenFile[],
  { grants, log }: Pick<Options, 'grants' | 'log'>,
) {
  const seen = new Map<Format, { print: string; rows: Promise<FoundRows> }>();
  const targetOf = (format: Format) => resolveTarget(join(dir, format.fileName));

  /** All that may be the operator's; those of ours may be missing. */
  async function rowsOf(format: Format): Promise<FoundRows> {
    const target = targetOf(format);
    const print = fingerprint(await statFile(target));
    const known = seen.get(format);
    if (known?.print === print) return known.rows;
    // Caches the promise, not its value, so that concurrent callers share one read.
    const rows = readWhole(target).then((bytes) => parseFile(bytes, format, store.instance).rows);
    seen.set(format, { print, rows });
    rows.catch(() => seen.delete(format));
    return rows;
  }

  /** Reads for a single call; a failure changes nothing. */
  async function readRows({ format, file }: OpenFile): Promise<FoundRows> {
    return rowsOf(format).catch(async (error: unknown) => {
      const code = error instanceof ForeignBlock ? 'FILE_NOT_WRITTEN' : 'FILE_NOT_READ';
      const cause = causeOf(await reasonOf(error, file));
      const denied = deniedAt(join(dir, format.fileName), error);
      const failure = refusalOf(500, code, { file: `${format.fileName} (${cause})`, ...denied });
      log({ level: 'error', message: failure.message });
      throw failure;
    });
  }

  async function rowsByHand(username: string): Promise<RowsByHand[]> {
    const found: RowsByHand[] = [];
    for (const open of files) {
      const records = recordsOf(store, open.format, grants);
      const rows = byHandOf(bytesOf(username), await readRows(open), records);
      if (rows.length > 0) found.push({ file: open.format.fileName, rows });
    }
    return found;
  }

  async function allRowsByHand(): Promise<RowsByHand[]> {
    const found: RowsByHand[] = [];
    for (const open of files) {
      const rows = allByHand(await readRows(open), recordsOf(store, open.format, grants));
      found.push({ file: open.format.fileName, rows });
    }
    return found;
  }

  return {
    know(format: Format, print: string, rows: FoundRows): void {
      seen.set(format, { print, rows: Promise.resolve(rows) });
    },

    /** The operator's own rows of this name. */
    rowsByHand,

    /** The file in which the operator keeps this name; undefined if none. */
    async keptByHand(username: string): Promise<string | undefined> {
      return (await rowsByHand(username))[0]?.file;
    },

    /** The file with a row of the operator's that CCcam clients cannot tell from this name; undefined if none. */
    async sharedByHand(username: string): Promise<string | undefined> {
      const name = bytesOf(username);
      const sent = name.slice(0, SENT_BYTES);
      const isShared = (row: Row) => row.name !== name && row.name.startsWith(sent);
      if (name.length < SENT_BYTES) return undefined;
      return (await allRowsByHand()).find(({ rows }) => rows.some(isShared))?.file;
    },

    /** The number of rows that the operator keeps, and their names; null for more than a reply has room for. */
    async tellByHand(): Promise<{ by_hand: number; names_by_hand: string[] | null }> {
      const rows = (await allRowsByHand()).flatMap((found) => found.rows);
      const names = new Set(rows.map(({ name }) => textOf(respelled(name)[0] ?? name)));
      const bytes = Buffer.byteLength(JSON.stringify([...names]));
      return { by_hand: rows.length, names_by_hand: bytes > MOST_NAME_BYTES ? null : [...names] };
    },

    /** Whether the operator switched a row with this name off by making it a comment. */
    async isRowInComment(username: string): Promise<boolean> {
      const name = bytesOf(username);
      for (const { format } of files) {
        const lines = linesOf((await readWhole(targetOf(format))).toString('latin1'));
        if (lines.some((line) => format.isRowInComment(line, name))) return true;
      }
      return false;
    },
  };
}

/** Watches where the agent may not write. */
function watchRights(dir: string) {
  /** The files whose last write was refused, and why. */
  const refused = new Map<Format, Denied>();
  const placeOf = ({ fileName }: Format) => join(dir, fileName);
  return {
    noteFailure(format: Format, error: unknown): void {
      const denied = deniedAt(placeOf(format), error);
      if (denied) refused.set(format, denied);
      else refused.delete(format);
    },

    noteWrite: (format: Format): void => void refused.delete(format),

    refused: (): Denied | undefined => [...refused.values()][0],

    /** The first file that the agent may not write; null if it may write all. Asked for before there is a change, too. */
    notWritten(): Denied | null {
      const found = FORMATS.map((format) => refused.get(format) ?? deniedAt(placeOf(format)));
      return found.find((one) => one !== undefined) ?? null;
    },
  };
}

export function openRenderedFiles(
  dir: string,
  { store, places, requireOwn }: Folder,
  { today, grants, log }: Options,
  { mark, onRendered }: Watcher,
) {
  const warnOfNamesByHand = warnOnce(log);
  const rights = watchRights(dir);
  let renderedDay: string | undefined;
  let isChanged = false;
  let running: Promise<unknown> = Promise.resolve();

  const files = openFiles(dir, { store, places, requireOwn }, log, () => {
    isChanged = true;
  });
  const { know: knowRows, ...rowsByHand } = openRowsByHand(dir, store, files, { grants, log });

  async function renderFile(
    { format, file }: OpenFile,
    snapshot: Snapshot,
    day: string,
  ): Promise<void> {
    const records = recordsFor(store, format, grants, snapshot, day);
    let merged: Merged | undefined;
    const change = (before: Buffer) => {
      merged = mergeFile(before, format, records);
      const { facts, bytes } = merged;
      store.storeFacts(format.fileName, facts);
      // The value is recorded only now: a row that had it before has it from the operator.
      store.useGrant(format.fileName, records.grant);
      return bytes;
    };
    const print = await file.write(change).catch(async (error: unknown) => {
      rights.noteFailure(format, error);
      throw await reasonOf(error, file);
    });
    rights.noteWrite(format);
    if (!merged) return;
    store.recordRows(format.fileName, merged.ours);
    knowRows(format, print, merged.byHand);
    warnOfNamesByHand(format, snapshot, merged.byHand);
    warnOfBroughtBack(log, format, merged.broughtBack);
  }

  async function renderAll(): Promise<void> {
    const day = today();
    const snapshot = store.snapshot();
    const marked = mark();
    // A file that cannot be written does not block the other file.
    const results = await Promise.allSettled(
      files.map((rendered) => renderFile(rendered, snapshot, day)),
    );
    const failed = failureOf(results);
    if (failed !== undefined) {
      renderedDay = undefined;
      const failure = refusalOf(500, 'FILE_WRITTEN_LATER', { file: failed, ...rights.refused() });
      log({ level: 'error', message: failure.message });
      throw failure;
    }
    renderedDay = day;
    if (snapshot.departed.length > 0) store.forgetDeparted(snapshot);
    onRendered(marked, isChanged);
    isChanged = false;
  }

  const render = coalesce(renderAll);

  function renderNow(): Promise<void> {
    const done = render();
    running = done.catch(() => {});
    return done;
  }

  const countForeignChanges = () => files.reduce((sum, { file }) => sum + file.foreignChanges(), 0);
  const hasLateWrites = () => files.some(({ file }) => file.hasLateWrites());
  const looks = setInterval(() => {
    for (const { file } of files) file.keepLock();
    if (hasLateWrites()) renderNow().catch(() => {});
  }, LOOK_MS).unref();

  return {
    /** Resolves when the files contain everything committed before this call. */
    render: renderNow,

    /** True after a new day has begun, the last attempt has failed, or another program wrote a file. */
    isDue(): boolean {
      return renderedDay !== today() || files.some(({ file }) => file.isChangedByOthers());
    },

    ...rowsByHand,

    notWritten: rights.notWritten,

    /** How often the files were found otherwise than they had been left. */
    countForeignChanges,

    /**
     * The card server has read the files since they were found so: unless it saved them in between, it
     * has no rows any more that an earlier setting was given.
     */
    forgetGrants(before: number): void {
      const isChanged = files.some(({ file }) => file.isChangedByOthers());
      if (isChanged || before !== countForeignChanges()) return;
      store.forgetGrants(oscam.fileName, grants[oscam.fileName] ?? '');
    },

    /** Throws if one of the files belongs to another agent, or cannot be replaced. */
    async requireAlone(): Promise<void> {
      for (const { file } of files) {
        await file.requireAlone();
      }
    },

    /** After a kill. */
    async recover(): Promise<void> {
      await Promise.allSettled(files.map(({ file }) => file.recover()));
    },

    /** Waits for the current write and merges late writes. */
    async close(): Promise<void> {
      clearInterval(looks);
      await running;
      for (const { file } of files) file.beginClosing();
      for (let count = 0; count < MOST_LAST_LOOKS && hasLateWrites(); count += 1) {
        await renderNow().catch(() => {});
      }
      for (const { file } of files) await file.close();
    },
  };
}
