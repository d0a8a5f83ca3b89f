import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../db/connect.ts';
import { isDiskFull } from '../../db/errors.ts';
import { type Background, type Poller, pollEvery } from './poller.ts';

/**
 * The length of a lease in seconds. A process renews the lease as long as it works, so an expired one belongs to a
 * process that died.
 */
export const LEASE_SECONDS = 10;
const PROLONGED_EVERY_MS = 3000;
/**
 * Milliseconds in which work must stop; longer work is interrupted, and repeated by another panel or at the next start.
 */
const STOP_MS = 6000;

interface ClaimedWork<Claim> {
  /** The name of the loop in the log. */
  name: string;
  every_ms: number;
  /** Claims that one panel works on at a time. */
  at_a_time: number;
  /** Takes up to `limit` due items, other than those that this panel works on; no other panel takes the same items. */
  claim(limit: number, running: readonly Claim[]): Promise<Claim[]>;
  work(claim: Claim, stopping: AbortSignal): Promise<void>;
  /** Fields of the log entry about a claim whose work failed. */
  about(claim: Claim): object;
}

/**
 * Claims work that is due, and does it. Any number of panels may run the same loop, because each claim is given to one
 * of them. Decision 0150: the rows are in the panel's own tables, so a job queue would contain only their ids.
 */
export class ClaimLoop<Claim> implements Background {
  readonly #of: ClaimedWork<Claim>;
  readonly #log: Pick<FastifyBaseLogger, 'error'>;
  readonly #running = new Map<Promise<void>, Claim>();
  readonly #poller: Poller;
  readonly #stopping = new AbortController();

  constructor(of: ClaimedWork<Claim>, log: Pick<FastifyBaseLogger, 'error'>) {
    this.#of = of;
    this.#log = log;
    this.#poller = pollEvery(
      of.every_ms,
      () => this.#look(),
      // A full disk is logged elsewhere, and not at every look.
      (error) => {
        if (!isDiskFull(error)) log.error({ err: error }, `${of.name} could not read what is due`);
      },
    );
  }

  start(): void {
    this.#poller.start();
  }

  /** Looks for due work immediately. */
  lookNow(): void {
    this.#poller.lookNow();
  }

  /** Starts, and looks for due work whenever the database notifies on this channel, too. */
  async startOn(connection: Pick<Connection, 'listen'>, channel: string): Promise<void> {
    const look = () => this.lookNow();
    await connection.listen(channel, look, look);
    this.start();
  }

  /** Waits for the running work to stop. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const ended = this.#poller.stop().then(() => Promise.all(this.#running.keys()));
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
  }

  async #look(): Promise<void> {
    const free = this.#of.at_a_time - this.#running.size;
    if (free <= 0) return;
    for (const claim of await this.#of.claim(free, [...this.#running.values()])) {
      const work = this.#do(claim).finally(() => this.#end(work));
      this.#running.set(work, claim);
    }
  }

  /** Ends a claim and looks again: more work may have come due while the loop was full. */
  #end(work: Promise<void>): void {
    const wasFull = this.#running.size >= this.#of.at_a_time;
    this.#running.delete(work);
    if (wasFull) this.#poller.lookNow();
  }

  async #do(claim: Claim): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await this.#of.work(claim, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#log.error({ err: error, ...this.#of.about(claim) }, `${this.#of.name} failed`);
    }
  }
}

/**
 * SQL of the time in so many seconds. It uses the database's clock, which continues within a
 * transaction, unlike `now()`.
 */
export const inSeconds = (seconds: number): RawBuilder<Date> =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;

/**
 * Works under a lease, and renews it during the work. On the embedded database a long transaction
 * delays the renewal, but no other process can take the expired lease.
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

/** Seconds before the first retry of a queued message. Each later pause is twice as long. */
const FIRST_RETRY_SECONDS = 4;

/** A queued message that is leased to this panel. */
interface LeasedMessage {
  /** Number of attempts, including this one. */
  attempts: number;
  /** Makes it due again after some seconds. */
  tryIn(seconds: number): Promise<unknown>;
  remove(): Promise<unknown>;
}

/** Sends a queued message and removes it. If sending fails, it becomes due again, or is removed after the last attempt. */
export async function sendLeased(
  { attempts, tryIn, remove }: LeasedMessage,
  { most_attempts, longest_pause }: { most_attempts: number; longest_pause: number },
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await underLease(() => tryIn(LEASE_SECONDS), send);
    await remove();
  } catch (error) {
    const pause = Math.min(longest_pause, FIRST_RETRY_SECONDS * 2 ** (attempts - 1));
    await (attempts >= most_attempts ? remove() : tryIn(pause));
    throw error;
  }
}
