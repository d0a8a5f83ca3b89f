import type { ServerRow } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Services } from '../context/context.ts';
import { claimLooks, lookAgain } from './agent-reports.ts';
import { checkServer, claimChecks } from './server-checks.ts';

const CHECKS_EVERY_MS = 5000;
const LOOKS_EVERY_MS = 2000;
const AT_A_TIME = 8;

/** Servers that are to be asked, and how one of them is. */
interface Questions {
  everyMs: number;
  claim(db: Db, limit: number): Promise<ServerRow[]>;
  ask(services: Services, server: ServerRow): Promise<void>;
}

const questions: readonly Questions[] = [
  { everyMs: CHECKS_EVERY_MS, claim: claimChecks, ask: checkServer },
  { everyMs: LOOKS_EVERY_MS, claim: claimLooks, ask: lookAgain },
];

/**
 * Checks every server in use once a minute, and asks those again that had not taken all of their changes.
 * Any number of panels may run this loop: each server is claimed by one of them.
 */
export class CheckLoop {
  readonly #services: Services;
  readonly #running = new Set<Promise<void>>();
  readonly #pollers: readonly Poller[];

  constructor(services: Services) {
    this.#services = services;
    this.#pollers = questions.map(
      (question) =>
        new Poller(
          question.everyMs,
          () => this.#begin(question),
          (error) => services.log.error({ err: error }, 'server checks could not be read'),
        ),
    );
  }

  start(): void {
    for (const poller of this.#pollers) poller.start();
  }

  /** Waits for the running checks, which have their own deadline. */
  async stop(): Promise<void> {
    await Promise.all(this.#pollers.map((poller) => poller.stop()));
    await Promise.all(this.#running);
  }

  async #begin(question: Questions): Promise<void> {
    const free = AT_A_TIME - this.#running.size;
    if (free <= 0) return;
    for (const server of await question.claim(this.#services.db, free)) {
      const check = this.#ask(question, server).finally(() => this.#running.delete(check));
      this.#running.add(check);
    }
  }

  async #ask({ ask }: Questions, server: ServerRow): Promise<void> {
    try {
      await ask(this.#services, server);
    } catch (error) {
      this.#services.log.error({ err: error, server_id: server.id }, 'server check failed');
    }
  }
}
