import type { ServerRow } from '../../db/schema.ts';
import type { Services } from '../context.ts';
import { Poller } from '../jobs/poller.ts';
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
  readonly #poller: Poller;

  constructor(services: Services) {
    this.#services = services;
    this.#poller = new Poller(
      LOOK_EVERY_MS,
      () => this.#begin(),
      (error) => services.log.error({ err: error }, 'server checks could not be read'),
    );
  }

  start(): void {
    this.#poller.start();
  }

  /** Waits for the running checks, which have their own deadline. */
  async stop(): Promise<void> {
    await this.#poller.stop();
    await Promise.all(this.#running);
  }

  async #begin(): Promise<void> {
    const free = AT_A_TIME - this.#running.size;
    if (free === 0) return;
    for (const server of await claimChecks(this.#services.db, free)) {
      const check = this.#check(server).finally(() => this.#running.delete(check));
      this.#running.add(check);
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
