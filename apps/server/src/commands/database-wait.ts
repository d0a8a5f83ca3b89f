import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { WEB_APP_FOLDER } from '../app.ts';
import { isDatabaseAway } from '../db/errors.ts';
import { CannotConnect, databaseTarget } from '../db/postgres/hosts.ts';
import { buildWaitingRoom } from '../http/waiting-room.ts';
import type { Config } from '../platform/config/config.ts';
import { errorMessage } from '../platform/errors/error-message.ts';
import type { Say } from './first-administrator.ts';
import { listen } from './listen.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Passes a connection attempt on, and rejects as soon as the process is to end. */
export type UnlessEnding = <T>(connecting: Promise<T>) => Promise<T>;

function mayPass(error: unknown): error is Error {
  return error instanceof CannotConnect || (error instanceof Error && isDatabaseAway(error));
}

/**
 * The wait of a start for its PostgreSQL. Meanwhile the port is open and says so; a service manager
 * would count failed starts and give up.
 */
export class DatabaseWait {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #say: Say;
  readonly #ending: AbortSignal;
  #reason = '';
  #room: FastifyInstance | null = null;
  #url = '';
  #port: number;

  constructor(config: Config, log: Logger, say: Say, ending: AbortSignal) {
    this.#config = config;
    this.#log = log;
    this.#say = say;
    this.#ending = ending;
    this.#port = config.port;
  }

  /** Repeats `attempt` while it fails for a database that may come yet. */
  async until<T>(attempt: (unlessEnding: UnlessEnding) => Promise<T>): Promise<T> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        this.#ending.throwIfAborted();
        return await attempt((connecting) => this.#unlessEnding(connecting));
      } catch (error) {
        if (!this.#config.database_url || !mayPass(error)) throw error;
        await this.#tell(databaseTarget(this.#config.database_url), error);
      }
      await sleep(pause, undefined, { signal: this.#ending });
    }
  }

  /** Gives the port up; returns it, because the one of the settings may be "any". */
  async leave(): Promise<number> {
    const room = this.#room;
    this.#room = null;
    await room?.close();
    return this.#port;
  }

  async #unlessEnding<T>(connecting: Promise<T>): Promise<T> {
    const ended = Promise.withResolvers<never>();
    const end = () => ended.reject(this.#ending.reason);
    this.#ending.addEventListener('abort', end, { once: true });
    return Promise.race([connecting, ended.promise]).finally(() =>
      this.#ending.removeEventListener('abort', end),
    );
  }

  /** Says each reason once, because the attempts go on for as long as it takes. */
  async #tell(database: string, error: Error): Promise<void> {
    const reason = error instanceof CannotConnect ? error.reason : errorMessage(error);
    if (reason === this.#reason) return;
    this.#reason = reason;
    await this.#open(database);
    this.#log.warn({ database, reason }, 'waiting for the database');
    // Whoever read this output may have gone; the wait goes on.
    await this.#say(
      `Waiting for the database at ${database}: ${reason}. ${this.#url}/ready says when it is there`,
    ).catch(() => {});
  }

  async #open(database: string): Promise<void> {
    if (this.#room) return;
    const waitingFor = () => ({ database, reason: this.#reason });
    const room = await buildWaitingRoom(this.#config, this.#log, WEB_APP_FOLDER, waitingFor);
    this.#url = await listen(room, this.#config.host, this.#config.port);
    this.#room = room;
    this.#port = Number(new URL(this.#url).port) || this.#config.port;
  }
}
