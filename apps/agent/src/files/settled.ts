import type { BigIntStats } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprint, openState, statFile } from './atomic-write.ts';
import { digest } from './left-behind.ts';

/** A program that rewrites a file has ended once nothing changed for this long, in ms. */
const SETTLED_AFTER_MS = 100;
/** The longest wait for that, because somebody waits for the reply. */
const MAX_SETTLE_MS = 2000;
/** Changes older than this are no rewrite in progress. */
const FRESH_MS = 10_000;

/** What a file had in it when we last wrote it, or found it right. */
export function watchContent() {
  let ours: string | undefined;
  let written: { size: number; digest: string } | undefined;

  const isOurs = (stat: BigIntStats | undefined) => fingerprint(stat) === ours;

  function isAppended(bytes: Buffer): boolean {
    if (!written || bytes.length < written.size) return false;
    return digest(bytes.subarray(0, written.size)) === written.digest;
  }

  return {
    isOurs,

    know(stat: BigIntStats | undefined, bytes: Buffer): void {
      ours = fingerprint(stat);
      written = { size: bytes.length, digest: digest(bytes) };
    },

    /**
     * Waits for a rewrite in progress: half a file is not what its writer wants, and may be all that
     * is left of the other half. Appended text is whole.
     */
    async openSettled(target: string, isHurried: boolean): ReturnType<typeof openState> {
      const until = performance.now() + MAX_SETTLE_MS;
      for (;;) {
        const state = await openState(target);
        const { stat, bytes, handle } = state;
        if (!stat || isHurried || isOurs(stat) || isAppended(bytes)) return state;
        const age = Math.abs(Date.now() - Number(stat.mtimeMs));
        if (age > FRESH_MS || performance.now() > until) return state;
        await sleep(SETTLED_AFTER_MS);
        if (fingerprint(await statFile(target)) === fingerprint(stat)) return state;
        await handle?.close();
      }
    },
  };
}
