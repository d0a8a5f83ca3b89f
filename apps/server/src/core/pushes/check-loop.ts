import type { ServerRow } from '../../db/schema.ts';
import type { Services } from '../context.ts';
import { checkServer, claimChecks } from './server-checks.ts';

const LOOK_EVERY_MS = 5000;
const AT_A_TIME = 8;

/**
 * Checks every server in use once a minute. Any number of panels may run this loop: each check is
 * claimed by one of them.
 */
export class CheckLoop {
  readonly #services: Services;
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #claiming: Promise<void> = Promise.resolve();
  #isClaiming = false;
  #stopped = false;

  constructor(services: Services) {
    this.#services = services;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Waits for the running checks, which have their own deadline. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#claiming;
    await Promise.all(this.#running);
  }

  #tick(): void {
    if (this.#isClaiming || this.#stopped) return;
    this.#isClaiming = true;
    this.#claiming = this.#begin().finally(() => {
      this.#isClaiming = false;
    });
  }

  async #begin(): Promise<void> {
    const free = AT_A_TIME - this.#running.size;
    if (free === 0) return;
    try {
      for (const server of await claimChecks(this.#services.db, free)) {
        const check = this.#check(server).finally(() => this.#running.delete(check));
        this.#running.add(check);
      }
    } catch (error) {
      this.#services.log.error({ err: error }, 'server checks could not be read');
    }
  }

  async #check(server: ServerRow): Promise<void> {
    try {
      await checkServer(this.#services, server);
    } catch (error) {
      this.#services.log.error({ err: error, server_id: server.id }, 'server check failed');
    }
  }
}
