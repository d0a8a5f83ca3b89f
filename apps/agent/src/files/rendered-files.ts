import { join } from 'node:path';
import { bytesOf, respelled, textOf } from '../bytes.ts';
import { coalesce } from '../coalesce.ts';
import { causeOf, type Log } from '../log.ts';
import type { Account, Snapshot, Store } from '../store.ts';
import { cccam } from './cccam-cfg.ts';
import type { Format } from './formats.ts';
import { combineLateWrites } from './late-writes.ts';
import { type Merged, mergeFile, parseFile, type Records } from './merge.ts';
import { oscam } from './oscam-user.ts';
import type { OwnFolder } from './own-folder.ts';
import { watchRowsByHand } from './rows-by-hand.ts';
import { ForeignBlock, HeldByAnother } from './unwritable.ts';
import { openWrittenFile, type WrittenFile } from './written-file.ts';

const FORMATS = [cccam, oscam];
export const RENDERED_NAMES = FORMATS.map(({ fileName }) => fileName);
/** Interval in ms of checks for late writes to replaced files and for removed locks. */
const LOOK_MS = 100;
/** Bounded, because another program may append without pause. */
const LAST_LOOKS = 5;

/** Settings of new rows beside the account, by file. */
export type Grants = Record<string, string>;

/** Sentences for a change whose file could not be read or written: the failure, and the state of the change. */
const FATES = {
  FILE_NOT_READ: ['Could not read', 'Nothing was changed.'],
  FILE_NOT_WRITTEN: ['Could not write', 'Nothing was changed.'],
  FILE_WRITTEN_LATER: ['Could not write', 'The change is stored and will be written later.'],
} as const;

/** A card server's file could not be read or written; the message says whether the change was made. */
export class RenderFailure extends Error {
  readonly code: keyof typeof FATES;
  /** The names of the files, each with the cause. */
  readonly files: string;

  constructor(code: keyof typeof FATES, files: string) {
    const [failed, fate] = FATES[code];
    super(`${failed} ${files}. ${fate}`);
    this.code = code;
    this.files = files;
  }
}

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
    encodingOf: store.encodingOf,
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

type Folder = Pick<OwnFolder, 'store' | 'places' | 'requireOwn'>;

function openFiles(
  dir: string,
  { store, places, requireOwn }: Folder,
  log: Log,
  onWritten: () => void,
) {
  return FORMATS.map((format) => ({
    format,
    file: openWrittenFile(join(dir, format.fileName), {
      instance: store.instance,
      isSavedByServer: format.isSavedByServer,
      requireOwn: () => requireOwn('Nothing was written.'),
      contentOf(bytes) {
        const { rows, hasMarks } = parseFile(bytes, format, store.instance);
        return { hasRows: rows.size > 0, hasMarks };
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

/** Reads rows by hand for single calls; a failure changes nothing. */
function openRowsByHand(
  dir: string,
  store: Store,
  files: ReturnType<typeof openFiles>,
  { grants, log }: Pick<Options, 'grants' | 'log'>,
) {
  return watchRowsByHand({
    dir,
    instance: store.instance,
    formats: FORMATS,
    recordsOf: (format) => recordsOf(store, format, grants),
    async failureOf(format, error) {
      const code = error instanceof ForeignBlock ? 'FILE_NOT_WRITTEN' : 'FILE_NOT_READ';
      const file = files.find((one) => one.format === format)?.file;
      const cause = causeOf(file ? await reasonOf(error, file) : error);
      const failure = new RenderFailure(code, `${format.fileName} (${cause})`);
      log({ level: 'error', message: failure.message });
      return failure;
    },
  });
}

export function openRenderedFiles(
  dir: string,
  { store, places, requireOwn }: Folder,
  { today, grants, log }: Options,
  { mark, onRendered }: Watcher,
) {
  const warnOfNamesByHand = warnOnce(log);
  let renderedDay: string | undefined;
  let isChanged = false;
  let running: Promise<unknown> = Promise.resolve();

  const files = openFiles(dir, { store, places, requireOwn }, log, () => {
    isChanged = true;
  });
  const { know: knowRows, ...rowsByHand } = openRowsByHand(dir, store, files, { grants, log });

  async function renderFile(
    { format, file }: (typeof files)[number],
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
      throw await reasonOf(error, file);
    });
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
      const failure = new RenderFailure('FILE_WRITTEN_LATER', failed);
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
      for (let count = 0; count < LAST_LOOKS && hasLateWrites(); count += 1) {
        await renderNow().catch(() => {});
      }
      for (const { file } of files) await file.close();
    },
  };
}
