import { join } from 'node:path';
import {
  fingerprint,
  readState,
  removeStaleTemporaries,
  replaceFile,
  resolveTarget,
  statFile,
} from './atomic-write.ts';
import { mergeBlock } from './block.ts';
import { bytesOf, cccam, type Format, oscam } from './formats.ts';
import { causeOf, type Log } from './log.ts';
import type { Account, Snapshot, Store } from './store.ts';

const FORMATS = [cccam, oscam];
/** How often a file may change under our hands before we report it. */
const MAX_ATTEMPTS = 10;

type Seen = { print: string; byHand: Promise<Set<string>> };

/** A card server's file could not be read or written; the message says what became of the change. */
export class RenderFailure extends Error {}

export type RenderedFiles = ReturnType<typeof openRenderedFiles>;

/** Joins callers: everyone gets a run that began after their call, and only one runs at a time. */
function coalesce(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= last = last
      .catch(() => {})
      .then(() => {
        waiting = undefined;
        return run();
      });
    return waiting;
  };
}

export function openRenderedFiles(dir: string, store: Store, today: () => string, log: Log) {
  const seen = new Map<Format, Seen>();
  const warned = new Set<string>();
  let renderedDay: string | undefined;
  let running: Promise<unknown> = Promise.resolve();

  function warnOfNamesByHand(format: Format, live: Account[], byHand: Set<string>): void {
    for (const { username } of live) {
      const message = `left out of ${format.fileName}: the name stands there by hand: ${username}`;
      if (!byHand.has(bytesOf(username)) || warned.has(message)) continue;
      warned.add(message);
      log({ level: 'warn', message });
    }
  }

  async function renderFile(format: Format, snapshot: Snapshot, day: string): Promise<void> {
    const live = snapshot.accounts.filter(({ expiry_date }) => expiry_date >= day);
    const ownNames = [...snapshot.accounts.map(({ username }) => username), ...snapshot.departed];
    const target = await resolveTarget(join(dir, format.fileName));
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const before = await readState(target);
      const { bytes, byHand } = mergeBlock(before.bytes, format, live, ownNames);
      const unchanged = bytes.equals(before.bytes);
      const stat = unchanged ? before.stat : await replaceFile(target, bytes, before);
      if (!unchanged && stat === undefined) continue;
      seen.set(format, { print: fingerprint(stat), byHand: Promise.resolve(byHand) });
      warnOfNamesByHand(format, live, byHand);
      return;
    }
    throw new Error('the file keeps changing');
  }

  async function renderAll(): Promise<void> {
    const day = today();
    const snapshot = store.snapshot();
    // One file that cannot be written does not hold up the other.
    const results = await Promise.allSettled(
      FORMATS.map((format) => renderFile(format, snapshot, day)),
    );
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected'
        ? [`${FORMATS[index]?.fileName} (${causeOf(result.reason)})`]
        : [],
    );
    if (failures.length > 0) {
      renderedDay = undefined;
      const message = `Could not write ${failures.join(' and ')}`;
      log({ level: 'error', message });
      throw new RenderFailure(`${message}. The change is stored and will be written later.`);
    }
    renderedDay = day;
    if (snapshot.departed.length > 0) store.forgetDeparted(snapshot.departedThrough);
  }

  const render = coalesce(renderAll);

  async function namesByHand(format: Format): Promise<Set<string>> {
    const target = await resolveTarget(join(dir, format.fileName));
    const print = fingerprint(await statFile(target));
    const known = seen.get(format);
    if (known?.print === print) return known.byHand;
    // The promise is kept, not its value: many callers at once share one reading.
    const byHand = readState(target).then(({ bytes }) => {
      const { accounts, departed } = store.snapshot();
      const ownNames = [...accounts.map(({ username }) => username), ...departed];
      return mergeBlock(bytes, format, [], ownNames).byHand;
    });
    seen.set(format, { print, byHand });
    byHand.catch(() => seen.delete(format));
    return byHand;
  }

  return {
    /** Resolves when the files show everything committed before this call. */
    render(): Promise<void> {
      const done = render();
      running = done.catch(() => {});
      return done;
    },

    /** A new day has begun, or the last attempt failed. */
    isDue(): boolean {
      return renderedDay !== today();
    },

    /** The file in which the operator keeps this name outside our block. */
    async keptByHand(username: string): Promise<string | undefined> {
      for (const format of FORMATS) {
        const names = await namesByHand(format).catch((error: unknown) => {
          const message = `Could not read ${format.fileName} (${causeOf(error)})`;
          log({ level: 'error', message });
          throw new RenderFailure(`${message}. Nothing was changed.`);
        });
        if (names.has(bytesOf(username))) return format.fileName;
      }
      return undefined;
    },

    async removeStale(): Promise<void> {
      for (const { fileName } of FORMATS) {
        await removeStaleTemporaries(await resolveTarget(join(dir, fileName)));
      }
    },

    /** Waits for a write in progress. */
    async settle(): Promise<void> {
      await running;
    },
  };
}
