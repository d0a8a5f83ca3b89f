import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { type Config, readConfig } from './core/config.ts';
import type { Services } from './core/context.ts';
import { deleteOldKeys } from './core/idempotency.ts';
import { PushLoop } from './core/push-loop.ts';
import { deleteEndedWindows } from './core/rate-limit.ts';
import { readOrMakeSecretKey } from './core/secrets.ts';
import { type Connection, connectEmbedded, connectPostgres } from './db/connect.ts';
import { migrate, unknownMigrations } from './db/migrate.ts';
import { type FirstAdministrator, makeFirstAdministrator } from './first-administrator.ts';
import { createServices } from './services.ts';

/** How long a card server may hold up the end of the process. */
const CALLS_MAY_LAST_MS = 5000;
const TIDY_EVERY_MS = 10 * 60 * 1000;

export interface Panel {
  app: FastifyInstance;
  services: Services;
  url: string;
  /** Made by this very start; null on every later one. */
  first_administrator: FirstAdministrator | null;
  /** Finishes the requests in flight, then closes the database. */
  close(): Promise<void>;
}

async function connect(config: Config): Promise<{ connection: Connection; secretKey: string }> {
  if (config.database_url) {
    return {
      connection: await connectPostgres(config.database_url),
      secretKey: config.secret_key ?? '',
    };
  }
  const folder = resolve(config.data_dir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const connection = await connectEmbedded(folder);
  return { connection, secretKey: config.secret_key ?? readOrMakeSecretKey(folder) };
}

/** Brings the schema up to date; throws where it cannot. */
async function initializeDatabase({ db }: Connection, log: Logger): Promise<void> {
  const applied = await migrate(db);
  const unknown = await unknownMigrations(db);
  if (unknown.length > 0) {
    log.warn(`Database initialization may have failed: it was made by a newer panel (${unknown})`);
  } else {
    log.info({ applied }, 'Database initialized successfully');
  }
}

function tidyUp({ db, log }: Services): NodeJS.Timeout {
  const tidy = () =>
    Promise.all([deleteOldKeys(db), deleteEndedWindows(db)]).catch((error: unknown) =>
      log.error({ err: error }, 'tidying up failed'),
    );
  return setInterval(tidy, TIDY_EVERY_MS).unref();
}

/** Starts a whole panel: database, pushes, live changes and the HTTP server. */
export async function startPanel(env: NodeJS.ProcessEnv, log: Logger): Promise<Panel> {
  const config = readConfig(env);
  const { connection, secretKey } = await connect(config).catch((error: unknown) => {
    log.error(`Error initializing database: ${error instanceof Error ? error.message : error}`);
    throw error;
  });
  try {
    await initializeDatabase(connection, log).catch((error: unknown) => {
      log.error({ err: error }, 'Error initializing database:');
      throw error;
    });
    const stopping = new AbortController();
    const services = createServices(config, connection, secretKey, log, stopping.signal);
    const first_administrator = await makeFirstAdministrator(services);
    await services.live.start();
    const app = await buildApp(services);
    const url = await app.listen({ host: config.host, port: config.port });
    const pushLoop = new PushLoop(services);
    pushLoop.start();
    const tidying = tidyUp(services);
    return {
      app,
      services,
      url,
      first_administrator,
      close: async () => {
        clearInterval(tidying);
        setTimeout(() => stopping.abort(), CALLS_MAY_LAST_MS).unref();
        await Promise.all([app.close(), pushLoop.stop()]);
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
