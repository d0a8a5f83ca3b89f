import type { FastifyBaseLogger } from 'fastify';
import { type Background, Poller } from './poller.ts';

interface ClaimedWork<Claim> {
  /** As the log calls the loop. */
  name: string;
  every_ms: number;
  /** Claims that one panel works on at a time. */
  at_a_time: number;
  /** Takes up to `limit` of what is due; nobody else takes the same. */
  claim(limit: number): Promise<Claim[]>;
  work(claim: Claim, isStopping: () => boolean): Promise<void>;
  /** Fields of the log entry about a claim whose work failed. */
  about(claim: Claim): object;
}

/**
 * Claims work that is due, and does it. Any number of panels may run the same loop, because each claim is
 * given to one of them.
 */
export class ClaimLoop<Claim> implements Background {
  readonly #of: ClaimedWork<Claim>;
  readonly #log: Pick<FastifyBaseLogger, 'error'>;
  readonly #running = new Set<Promise<void>>();
  readonly #poller: Poller;
  #isStopping = false;

  constructor(of: ClaimedWork<Claim>, log: Pick<FastifyBaseLogger, 'error'>) {
    this.#of = of;
    this.#log = log;
    this.#poller = new Poller(
      of.every_ms,
      () => this.#look(),
      (error) => log.error({ err: error }, `${of.name} could not read what is due`),
    );
  }

  start(): void {
    this.#poller.start();
  }

  /** Looks at once for what is due. */
  lookNow(): void {
    this.#poller.lookNow();
  }

  /** Waits for the running work, which has its own deadline. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#poller.stop();
    await Promise.all(this.#running);
  }

  async #look(): Promise<void> {
    const free = this.#of.at_a_time - this.#running.size;
    if (free <= 0) return;
    for (const claim of await this.#of.claim(free)) {
      const work = this.#do(claim).finally(() => this.#end(work));
      this.#running.add(work);
    }
  }

  /** There may be more than was claimed while the loop was full. */
  #end(work: Promise<void>): void {
    const wasFull = this.#running.size >= this.#of.at_a_time;
    this.#running.delete(work);
    if (wasFull) this.#poller.lookNow();
  }

  async #do(claim: Claim): Promise<void> {
    try {
      await this.#of.work(claim, () => this.#isStopping);
    } catch (error) {
      this.#log.error({ err: error, ...this.#of.about(claim) }, `${this.#of.name} failed`);
    }
  }
}
