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

function mayPass(error: unknown): error is Error {
  return error instanceof CannotConnect || (error instanceof Error && isDatabaseAway(error));
}

/**
 * Waits at start for PostgreSQL. During the wait the port is open and reports it, because a service
 * manager would count failed starts and give up.
 */
export function databaseWait(config: Config, log: Logger, say: Say, ending: AbortSignal) {
  let lastReason = '';
  let room: FastifyInstance | null = null;
  let url = '';
  let { port } = config;

  /** Logs each reason only once, because the attempts may take hours. */
  async function sayReason(database: string, error: Error): Promise<void> {
    const reason = error instanceof CannotConnect ? error.reason : errorMessage(error);
    if (reason === lastReason) return;
    lastReason = reason;
    if (!room) {
      const waitingFor = () => ({ database, reason: lastReason });
      const opening = await buildWaitingRoom(config, log, WEB_APP_FOLDER, waitingFor);
      url = await listen(opening, config.host, config.port);
      room = opening;
      port = Number(new URL(url).port) || config.port;
    }
    log.warn({ database, reason }, 'waiting for the database');
    // The program that reads this output may have ended. The wait continues.
    await say(
      `Waiting for the database at ${database}: ${reason}. ${url}/ready shows when it is available`,
    ).catch(() => {});
  }

  return {
    /** Repeats `attempt` while it fails because the database is not available yet. */
    until: async <T>(attempt: () => Promise<T>): Promise<T> => {
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        try {
          ending.throwIfAborted();
          return await attempt();
        } catch (error) {
          if (!config.database_url || !mayPass(error)) throw error;
          await sayReason(databaseTarget(config.database_url), error);
        }
        await sleep(pause, undefined, { signal: ending });
      }
    },
    /** Closes the port and returns its number, because the settings may allow any free one. */
    leave: async (): Promise<number> => {
      const left = room;
      room = null;
      await left?.close();
      return port;
    },
  };
}
