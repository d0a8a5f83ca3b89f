import { sql } from 'kysely';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Services } from '../context/context.ts';
import { claimPushes, isTimeToTry, isUnclaimed } from './push-claims.ts';
import { tryPush } from './pushes.ts';
import { isDue } from './server-accounts.ts';

const EVERY_MS = 2000;
/** Concurrent calls to one server. */
const PER_SERVER = 8;

/**
 * Delivers pushes that are due. Any number of panels may run this loop: each push is leased to one
 * of them.
 */
export class PushLoop {
  readonly #services: Services;
  readonly #busyServers = new Map<string, Promise<void>>();
  readonly #poller: Poller;
  #stopped = false;

  constructor(services: Services) {
    this.#services = services;
    this.#poller = new Poller(
      EVERY_MS,
      () => this.#look(),
      (error) => services.log.error({ err: error }, 'push loop could not read what is due'),
    );
  }

  start(): void {
    this.#poller.start();
  }

  /** Waits for the running attempts, which have their own deadline. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#poller.stop();
    await Promise.all(this.#busyServers.values());
  }

  async #look(): Promise<void> {
    if (this.#services.connection.isDiskLow()) return;
    for (const serverId of await this.#serversWithDuePushes()) {
      if (this.#stopped || this.#busyServers.has(serverId)) continue;
      const work = this.#serve(serverId).finally(() => this.#busyServers.delete(serverId));
      this.#busyServers.set(serverId, work);
    }
  }

  async #serversWithDuePushes(): Promise<string[]> {
    const rows = await this.#services.db
      .selectFrom('server_accounts')
      .select('server_id')
      .distinct()
      .where(sql<boolean>`${isDue} and ${isTimeToTry} and ${isUnclaimed}`)
      .execute();
    return rows.map((row) => row.server_id);
  }

  /** Delivers one server's due pushes, some at a time, until none is left. */
  async #serve(serverId: string): Promise<void> {
    const { db, log } = this.#services;
    try {
      for (;;) {
        if (this.#stopped || this.#services.connection.isDiskLow()) return;
        const due = sql`server_id = ${serverId} and ${isTimeToTry}`;
        const claims = await claimPushes(db, due, PER_SERVER);
        if (claims.length === 0) return;
        await Promise.all(claims.map((claim) => tryPush(this.#services, claim)));
      }
    } catch (error) {
      log.error({ err: error, server_id: serverId }, 'push loop failed');
    }
  }
}
