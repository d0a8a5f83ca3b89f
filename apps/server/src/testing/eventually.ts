import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for any machine; only a failing test waits this long. */
const PATIENCE_MS = 240_000;
const FIRST_PAUSE_MS = 10;
/** Milliseconds between two attempts, at most. More frequent attempts would take CPU time from the awaited work. */
const LONGEST_PAUSE_MS = 150;
const GROWTH = 1.2;

/**
 * Retries until `ask` does not throw, for everything that takes a while on a busy machine. Throws the last error. The
 * pauses grow, because a result that is not there immediately often takes seconds.
 */
export async function eventually<T>(ask: () => T | Promise<T>, timeout = PATIENCE_MS): Promise<T> {
  const endsAt = performance.now() + timeout;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > endsAt) throw error;
    }
    await sleep(pause);
  }
}
