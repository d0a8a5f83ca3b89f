import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { type Config, readConfig } from './core/config.ts';
import type { Services } from './core/context.ts';
import { deleteOldKeys } from './core/idempotency.ts';
import { checkSecretKey, WrongSecretKey } from './core/key-check.ts';
import { discardSecretKey, readSecretKey, settledSecretKey } from './core/key-file.ts';
import { sealTransfers } from './core/ledger-seals.ts';
import { PushLoop } from './core/push-loop.ts';
import { deleteEndedWindows } from './core/rate-limit.ts';
import { sayError } from './core/say-error.ts';
import { deleteOldChecks } from './core/server-checks.ts';
import { type Connection, connectEmbedded, connectPostgres } from './db/connect.ts';
import { type FolderLock, lockFolder } from './db/folder-lock.ts';
import { migrate, unknownMigrations } from './db/migrate.ts';
import { deleteOldJobs } from './features/lines/bulk/jobs-store.ts';
import { runJob } from './features/lines/bulk/run-job.ts';
import { makeFirstAdministrator, type Say } from './first-administrator.ts';
import { createServices } from './services.ts';

/** How long a card server may hold up the end of the process. */
const CALLS_MAY_LAST_MS = 5000;
const TIDY_EVERY_MS = 10 * 60 * 1000;
const SEAL_EVERY_MS = 5 * 60 * 1000;

export interface Panel {
  app: FastifyInstance;
  services: Services;
  url: string;
  /** Finishes the requests in flight, then closes the database. */
  close(): Promise<void>;
}

interface Opened {
  connection: Connection;
  /** Asked once the schema is there. */
  secretKey: () => Promise<string>;
  forgetKey: () => void;
}

async function connect(config: Config, lock: FolderLock | undefined): Promise<Opened> {
  const { secret_key } = config;
  if (config.database_url) {
    const connection = await connectPostgres(config.database_url);
    return { connection, secretKey: async () => secret_key ?? '', forgetKey: () => {} };
  }
  const folder = resolve(config.data_dir);
  const connection = await connectEmbedded(folder, lock ?? lockFolder(folder));
  const isKeyKept = secret_key !== null || readSecretKey(folder) !== null;
  return {
    connection,
    secretKey: async () => secret_key ?? settledSecretKey(connection.db, folder),
    forgetKey: () => (isKeyKept ? undefined : discardSecretKey(folder)),
  };
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

function tidyUp({ db, log, jobQueue }: Services): NodeJS.Timeout {
  const tidy = () =>
    Promise.all([
      deleteOldKeys(db),
      deleteEndedWindows(db),
      deleteOldJobs(db),
      deleteOldChecks(db),
      jobQueue.sendUnfinished(),
    ]).catch((error: unknown) => log.error({ err: error }, 'tidying up failed'));
  return setInterval(tidy, TIDY_EVERY_MS).unref();
}

/** Seals what was transferred since, every few minutes; returns how to end that. */
function sealRegularly({ db, secrets, log }: Services): () => Promise<void> {
  let isStopping = false;
  let work = Promise.resolve();
  const seal = async () => {
    const last = await sealTransfers(db, secrets, () => isStopping);
    if (last) log.info({ number: last.number, seal: last.seal }, 'transfers sealed');
  };
  const timer = setInterval(() => {
    work = work
      .then(seal)
      .catch((error: unknown) => log.error({ err: error }, 'sealing transfers failed'));
  }, SEAL_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    isStopping = true;
    return work;
  };
}

interface StartOptions {
  /** The data folder's lock, where it was taken already. */
  lock?: FolderLock;
  /** Tells the operator; nothing by default. */
  say?: Say;
}

/** Starts a whole panel: database, pushes, live changes and the HTTP server. */
export async function startPanel(
  env: NodeJS.ProcessEnv,
  log: Logger,
  { lock, say = async () => {} }: StartOptions = {},
): Promise<Panel> {
  const config = readConfig(env);
  const { connection, secretKey, forgetKey } = await connect(config, lock).catch(
    (error: unknown) => {
      log.error(`Error initializing database: ${sayError(error)}`);
      throw error;
    },
  );
  try {
    await initializeDatabase(connection, log).catch((error: unknown) => {
      log.error({ err: error }, 'Error initializing database:');
      throw error;
    });
    return await open(createServices(config, connection, await secretKey(), log), say);
  } catch (error) {
    if (error instanceof WrongSecretKey) forgetKey();
    await connection.close();
    throw error;
  }
}

async function open(services: Services, say: Say): Promise<Panel> {
  const { config, connection, db, secrets, live } = services;
  await checkSecretKey(db, secrets);
  // Told at once: where the start fails further on, on a port that is taken say, the password would
  // otherwise be made and never known.
  await makeFirstAdministrator(services, say);
  await live.start();
  await services.jobQueue.start((jobId, stopping) => runJob(services, jobId, stopping));
  const app = await buildApp(services);
  const url = await app.listen({ host: config.host, port: config.port });
  await say(`Linekeeper is running at ${url}`);
  const pushLoop = new PushLoop(services);
  pushLoop.start();
  const tidying = tidyUp(services);
  const endSealing = sealRegularly(services);
  return {
    app,
    services,
    url,
    close: async () => {
      clearInterval(tidying);
      setTimeout(() => services.stopping.abort(), CALLS_MAY_LAST_MS).unref();
      services.jobQueue.letGo();
      await Promise.all([app.close(), pushLoop.stop(), endSealing()]);
      await services.jobQueue.stop();
      await connection.close();
    },
  };
}
