import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for any machine; only a failing test waits this long. */
const PATIENCE_MS = 240_000;
const FIRST_PAUSE_MS = 10;
/** Asking more often takes the processor from what is waited for. */
const LONGEST_PAUSE_MS = 150;
const GROWTH = 1.2;

/**
 * Retries until `ask` does not throw, for anything that takes a while on a busy machine; throws
 * what it threw last. The pauses grow, because what has not come at once often takes seconds.
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
