import { join } from 'node:path';
import { coalesce } from '../coalesce.ts';
import { causeOf, type Log } from '../log.ts';
import type { Account, Snapshot, Store } from '../store.ts';
import { fingerprint, readWhole, resolveTarget, statFile } from './atomic-write.ts';
import { mergeBlock } from './block.ts';
import { bytesOf, cccam, type Format, oscam } from './formats.ts';
import { ForeignBlock, HeldByAnother } from './not-ours.ts';
import type { OwnFolder } from './own-folder.ts';
import { openWrittenFile, type WrittenFile } from './written-file.ts';

const FORMATS = [cccam, oscam];
export const RENDERED_NAMES = FORMATS.map(({ fileName }) => fileName);
/** Interval in ms of checks for late writes to replaced files and for removed locks. */
const LOOK_MS = 100;
/** Bounded, because another program may append without pause. */
const LAST_LOOKS = 5;

/** Told of what has been written, for the card server to read. */
type Watcher = {
  /** The newest change that is committed. */
  mark(): number;
  /** The files hold everything up to this mark; `isChanged` if they were written since the last call. */
  onRendered(mark: number, isChanged: boolean): void;
};

type Seen = { print: string; byHand: Promise<Set<string>> };

/** A card server's file could not be read or written; the message says whether the change was made. */
export class RenderFailure extends Error {}

export type RenderedFiles = ReturnType<typeof openRenderedFiles>;

/** Warns once for each name that the operator's line takes precedence. */
function warnOnce(log: Log) {
  const warned = new Set<string>();
  return (format: Format, live: Account[], byHand: Set<string>): void => {
    for (const { username } of live) {
      const message = `left out of ${format.fileName}: the name stands there by hand: ${username}`;
      if (!byHand.has(bytesOf(username)) || warned.has(message)) continue;
      warned.add(message);
      log({ level: 'warn', message });
    }
  };
}

function ownOf({ instance }: Store, { accounts, departed }: Snapshot) {
  return { instance, names: [...accounts.map(({ username }) => username), ...departed] };
}

/**
 * While the other agent runs it would restore a block that the operator removes, so the message
 * must not suggest removing it.
 */
async function reasonOf(error: unknown, file: WrittenFile): Promise<unknown> {
  const isHeld = error instanceof ForeignBlock && (await file.isHeldByAnother());
  return isHeld ? new HeldByAnother() : error;
}

/** The names that the operator keeps in each file, reread only after the file has changed. */
function watchNames(dir: string, store: Store) {
  const seen = new Map<Format, Seen>();
  return {
    know(format: Format, print: string, byHand: Set<string>): void {
      seen.set(format, { print, byHand: Promise.resolve(byHand) });
    },

    async byHand(format: Format): Promise<Set<string>> {
      const target = resolveTarget(join(dir, format.fileName));
      const print = fingerprint(await statFile(target));
      const known = seen.get(format);
      if (known?.print === print) return known.byHand;
      // Caches the promise, not its value, so that concurrent callers share one read.
      const byHand = readWhole(target).then((bytes) => {
        return mergeBlock(bytes, format, [], ownOf(store, store.snapshot())).byHand;
      });
      seen.set(format, { print, byHand });
      byHand.catch(() => seen.delete(format));
      return byHand;
    },
  };
}

function failureOf(results: PromiseSettledResult<void>[]): string | undefined {
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [`${FORMATS[index]?.fileName} (${causeOf(result.reason)})`] : [],
  );
  return failures.length > 0 ? `Could not write ${failures.join(' and ')}` : undefined;
}

export function openRenderedFiles(
  dir: string,
  { store, places, requireOwn }: OwnFolder,
  today: () => string,
  log: Log,
  { mark, onRendered }: Watcher,
) {
  const names = watchNames(dir, store);
  const warnOfNamesByHand = warnOnce(log);
  let renderedDay: string | undefined;
  let isChanged = false;
  let running: Promise<unknown> = Promise.resolve();

  const files = FORMATS.map((format) => ({
    format,
    file: openWrittenFile(join(dir, format.fileName), {
      requireOwn: () => requireOwn('Nothing was written.'),
      onWritten: (target) => {
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
    const live = snapshot.accounts.filter(({ expiry_date }) => expiry_date >= day);
    const own = ownOf(store, snapshot);
    let byHand = new Set<string>();
    const change = (before: Buffer) => {
      const merged = mergeBlock(before, format, live, own);
      byHand = merged.byHand;
      return merged.bytes;
    };
    const print = await file.write(change).catch(async (error: unknown) => {
      throw await reasonOf(error, file);
    });
    names.know(format, print, byHand);
    warnOfNamesByHand(format, live, byHand);
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
    if (snapshot.departed.length > 0) store.forgetDeparted(snapshot.departedThrough);
    onRendered(marked, isChanged);
    isChanged = false;
  }

  const render = coalesce(renderAll);

  function renderNow(): Promise<void> {
    const done = render();
    running = done.catch(() => {});
    return done;
  }

  const hasLateWrites = () => files.some(({ file }) => file.hasLateWrites());
  const looks = setInterval(() => {
    for (const { file } of files) file.keepLock();
    if (hasLateWrites()) renderNow().catch(() => {});
  }, LOOK_MS).unref();

  return {
    /** Resolves when the files contain everything committed before this call. */
    render: renderNow,

    /** True after a new day has begun or the last attempt has failed. */
    isDue(): boolean {
      return renderedDay !== today();
    },

    /** The file in which the operator keeps this name outside our block; undefined if none. */
    async keptByHand(username: string): Promise<string | undefined> {
      for (const { format, file } of files) {
        const found = await names.byHand(format).catch(async (error: unknown) => {
          const doing = error instanceof ForeignBlock ? 'write' : 'read';
          const cause = causeOf(await reasonOf(error, file));
          const message = `Could not ${doing} ${format.fileName} (${cause})`;
          log({ level: 'error', message });
          throw new RenderFailure(`${message}. Nothing was changed.`);
        });
        if (found.has(bytesOf(username))) return format.fileName;
      }
      return undefined;
    },

    /** Throws if one of the files belongs to another agent. */
    async requireAlone(): Promise<void> {
      const own = ownOf(store, store.snapshot());
      for (const { format, file } of files) {
        await file.requireAlone((bytes) => void mergeBlock(bytes, format, [], own));
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
