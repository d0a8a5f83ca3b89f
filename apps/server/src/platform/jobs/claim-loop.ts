import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import { isDiskFull } from '../../db/errors.ts';
import { type Poller, pollEvery } from './poller.ts';

/** A lease is prolonged while its work goes on, so one that has run out is of a panel that died. */
export const LEASE_SECONDS = 10;
const PROLONGED_EVERY_MS = 3000;
/** Work that takes longer than this to stop is cut off, and done again elsewhere or at the next start. */
const STOP_MS = 6000;

interface ClaimedWork<Claim> {
  /** As the log calls the loop. */
  name: string;
  every_ms: number;
  /** Claims that one panel works on at a time. */
  at_a_time: number;
  /** Takes up to `limit` of what is due, besides what this panel works on; nobody else takes the same. */
  claim(limit: number, running: readonly Claim[]): Promise<Claim[]>;
  work(claim: Claim, stopping: AbortSignal): Promise<void>;
  /** Fields of the log entry about a claim whose work failed. */
  about(claim: Claim): object;
}

/**
 * Claims work that is due, and does it. Any number of panels may run the same loop, because each claim is
 * given to one of them. `stop` waits for the running work to stop.
 */
export function claimLoop<Claim>(
  of: ClaimedWork<Claim>,
  log: Pick<FastifyBaseLogger, 'error'>,
): Poller {
  const running = new Map<Promise<void>, Claim>();
  const stopping = new AbortController();
  const work = async (claim: Claim) => {
    try {
      await of.work(claim, stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.error({ err: error, ...of.about(claim) }, `${of.name} failed`);
    }
  };
  const end = (ended: Promise<void>) => {
    const wasFull = running.size >= of.at_a_time;
    running.delete(ended);
    // There may be more than was claimed while the loop was full.
    if (wasFull) poller.lookNow();
  };
  const look = async () => {
    const free = of.at_a_time - running.size;
    if (free <= 0) return;
    for (const claim of await of.claim(free, [...running.values()])) {
      const working = work(claim).finally(() => end(working));
      running.set(working, claim);
    }
  };
  const poller = pollEvery(of.every_ms, look, (error) => {
    // A full disk is logged elsewhere, not at every look.
    if (!isDiskFull(error)) log.error({ err: error }, `${of.name} could not read what is due`);
  });
  return {
    ...poller,
    stop: async () => {
      stopping.abort();
      const ended = poller.stop().then(() => Promise.all(running.keys()));
      await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** A moment by the database's clock, also within a long transaction. */
export const inSeconds = (seconds: number): RawBuilder<Date> =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;

/**
 * Works under a lease, and prolongs it meanwhile. On the embedded database, where a long transaction holds that up,
 * nobody else can take what has run out.
 */
export async function underLease(
  prolong: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  let prolonged: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    prolonged = prolong().catch(() => {});
  }, PROLONGED_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await prolonged;
  }
}
