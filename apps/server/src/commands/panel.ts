import { resolve } from 'node:path';
import { type FolderLock, lockFolder } from '@linekeeper/data-folder/lock.ts';
import { refuseLostDatabase } from '@linekeeper/data-folder/presence.ts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from '../app.ts';
import { type Connection, connectEmbedded, connectPostgres } from '../db/connect.ts';
import { migrate, unknownMigrations } from '../db/migrate.ts';
import { prepareBackups } from '../domain/backups/scheduled-backup.ts';
import { deliveryLoops } from '../domain/checks/loops.ts';
import type { Services } from '../domain/context/context.ts';
import { mailLoop } from '../domain/mail/mail-loop.ts';
import { webPushLoop } from '../domain/web-push/web-push-loop.ts';
import { shipArticles } from '../features/articles/ship-articles.ts';
import { jobLoop } from '../features/lines/jobs/job-loop.ts';
import { webhookLoop } from '../features/webhooks/webhook-loop.ts';
import { clockHealer } from '../heal-clock.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { errorMessage } from '../platform/errors/error-message.ts';
import type { Background } from '../platform/jobs/poller.ts';
import { scheduleLoop } from '../platform/jobs/scheduler.ts';
import { checkSecretKey } from '../platform/keys/key-check.ts';
import { settledSecretKey } from '../platform/keys/key-file.ts';
import { scheduledJobs } from '../scheduled-jobs.ts';
import { createServices } from '../services.ts';
import { databaseWait } from './database-wait.ts';
import { makeFirstAdministrator, type Say } from './first-administrator.ts';
import { CannotListen, listen, refuseBusyPort } from './listen.ts';
import { openOperatorSocket } from './operator-socket.ts';

/** Longest time in milliseconds for which card servers may delay stopping. */
const CALLS_MAY_LAST_MS = 5000;

export interface Panel {
  app: FastifyInstance;
  services: Services;
  url: string;
  /** Finishes requests in flight, then closes the database. */
  close(): Promise<void>;
}

async function connect(config: Config, lock: FolderLock | undefined): Promise<Connection> {
  if (config.database_url) return connectPostgres(config.database_url);
  const folder = resolve(config.data_dir);
  refuseLostDatabase(folder);
  return connectEmbedded(folder, lock ?? lockFolder(folder));
}

interface StartOptions {
  /** The lock of the data folder, if already taken. */
  lock?: FolderLock;
  /** Prints lines for the operator; nothing by default. */
  say?: Say;
  /** Ends a start that is waiting for its database; the start then throws the signal's reason. */
  ending?: AbortSignal;
  /** Bytes of free disk space below which the embedded database accepts no changes. */
  leastFreeBytes?: number;
}

/** Opens the database and updates its schema; closes it again if that fails. */
async function prepare(connecting: Promise<Connection>, log: Logger): Promise<Connection> {
  const connection = await connecting;
  try {
    const applied = await migrate(connection.db);
    const unknown = await unknownMigrations(connection.db);
    if (unknown.length === 0) log.info({ applied }, 'Database initialized successfully');
    else
      log.warn(
        `Database initialization may have failed: the database was updated by a newer panel (${unknown})`,
      );
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Starts a whole panel: database, pushes, live changes and HTTP server. */
export async function startPanel(
  env: NodeJS.ProcessEnv,
  log: Logger,
  options: StartOptions = {},
): Promise<Panel> {
  const { lock, say = async () => {}, ending = new AbortController().signal } = options;
  const config = readConfig(env);
  await refuseBusyPort(config.host, config.port);
  const wait = databaseWait(config, log, say, ending);
  const connection = await wait
    .until(() => prepare(connect(config, lock), log))
    .catch(async (error: unknown) => {
      await wait.leave();
      if (ending.aborted || error instanceof CannotListen) throw error;
      // An error of the database is logged with its details, because its sentence alone does not name the cause.
      const isOfDatabase = error instanceof Error && 'severity' in error;
      const facts = isOfDatabase ? { err: error } : {};
      log.error(facts, `Error initializing database: ${errorMessage(error)}`);
      throw error;
    });
  try {
    connection.limitWaits();
    const key =
      config.secret_key ?? (await settledSecretKey(connection.db, resolve(config.data_dir)));
    const services = createServices(config, connection, key, log);
    return await open(services, say, options.leastFreeBytes, wait);
  } catch (error) {
    await Promise.all([wait.leave(), connection.close()]);
    throw error;
  }
}

async function open(
  services: Services,
  say: Say,
  leastFreeBytes: number | undefined,
  wait: ReturnType<typeof databaseWait>,
): Promise<Panel> {
  const { config, connection, db, secrets, live } = services;
  await checkSecretKey(db, secrets);
  // The password is printed now: if the start fails later, it would otherwise never be known.
  await makeFirstAdministrator(services, say);
  await shipArticles(db);
  await live.start();
  await prepareBackups(services, say);
  connection.keepTables();
  connection.keepFree(leastFreeBytes);
  const app = await buildApp(services);
  const url = await listen(app, config.host, await wait.leave());
  await say(`Linekeeper is running at ${url}`);
  const closeSocket =
    connection.kind === 'embedded'
      ? await openOperatorSocket(services, resolve(config.data_dir))
      : async () => {};
  const background: Background[] = [
    clockHealer(services),
    mailLoop(services),
    webhookLoop(services),
    webPushLoop(services),
    ...deliveryLoops(services),
    jobLoop(services),
    scheduleLoop(services, scheduledJobs(services)),
  ];
  for (const work of background) await work.start();
  return {
    app,
    services,
    url,
    close: async () => {
      setTimeout(() => services.stopping.abort(), CALLS_MAY_LAST_MS).unref();
      await Promise.all([app.close(), closeSocket(), ...background.map((work) => work.stop())]);
      // Attempts end last: from here on no request begins another one.
      await Promise.all(services.attempts);
      await connection.close();
    },
  };
}
