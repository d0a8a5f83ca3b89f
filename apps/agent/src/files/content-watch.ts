import type { BigIntStats } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprint, openState, statFile } from './atomic-write.ts';
import {
  type ContentDigest,
  type CurrentContent,
  contentDigestOf,
  tailOf,
} from './replaced-files.ts';

/** A program that rewrites a file has ended once nothing changed for this long, in ms. */
const SETTLED_AFTER_MS = 100;
/** The longest wait for a rewrite to end, because a caller waits for the reply. */
const MAX_SETTLE_MS = 2000;
/** Changes older than this are no rewrite in progress. */
const FRESH_MS = 10_000;

/** Watches a file's content since it was last written by the agent, or found to be right. */
export function watchContent({ isSavedByServer }: { isSavedByServer: boolean }) {
  let ours: string | undefined;
  let written: ContentDigest | undefined;

  const isOurs = (stat: BigIntStats | undefined) => fingerprint(stat) === ours;

  /**
   * Text that others appended, empty without any change; undefined after any other change. The content decides,
   * because a file may be written to between its fingerprint and its reading.
   */
  function appendedTo(bytes: Buffer): Buffer | undefined {
    const tail = written && tailOf(bytes, written);
    // Half a save looks like that in a file that was empty.
    const isSave = isSavedByServer && written?.size === 0 && bytes.length > 0;
    return isSave ? undefined : tail;
  }

  return {
    isOurs,
    appendedTo,

    /** Restores the state of an earlier run of the agent. */
    restore({ print, ...taken }: CurrentContent): void {
      ours = print;
      written = taken;
    },

    know(stat: BigIntStats | undefined, bytes: Buffer): void {
      ours = fingerprint(stat);
      written = contentDigestOf(bytes);
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
        if (!stat || isHurried || isOurs(stat) || appendedTo(bytes)) return state;
        const age = Math.abs(Date.now() - Number(stat.mtimeMs));
        if (age > FRESH_MS || performance.now() > until) return state;
        await sleep(SETTLED_AFTER_MS);
        if (fingerprint(await statFile(target)) === fingerprint(stat)) return state;
        await handle?.close();
      }
    },
  };
}
