import type { FolderLock } from '@linekeeper/data-folder/lock.ts';
import { open } from '@linekeeper/data-folder/open.ts';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { setCompiledRunner } from './compiled-query.ts';
import { DatabaseSilent, inTime, type Waits } from './deadline.ts';
import { isOutOfSpace } from './errors.ts';
import { PatientClient, type PatientConfig } from './postgres/client.ts';
import { CannotConnect, DatabaseHosts } from './postgres/hosts.ts';
import { type Listener, notificationsOf } from './postgres/notifications.ts';
import { PreparingClient } from './prepared.ts';
import { readMoment, readTexts, TEXTS } from './read-text.ts';
import type { Database } from './schema/schema.ts';
import { type Db, refuseInsideTransaction } from './transaction.ts';

// Dates are read as text, because a Date would shift with the machine's time zone. Counts and
// credits fit into a number.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readMoment);
pg.types.setTypeParser(TEXTS, readTexts);

export interface Connection {
  kind: 'embedded' | 'postgres';
  db: Db;
  /**
   * Listens for NOTIFY on `channel` until the connection closes. `onReconnect` runs when
   * notifications may have been missed.
   */
  listen(channel: string, onNotify: Listener, onReconnect?: () => void): Promise<void>;
  /** Runs one statement outside the schema, such as CREATE DATABASE. */
  query(text: string): Promise<unknown>;
  /** Connections in use and idle, and callers waiting for one. */
  poolState(): { in_use: number; idle: number; waiting: number };
  /** Gives each wait for PostgreSQL a deadline, from this call on. */
  limitWaits(): void;
  /**
   * Makes the embedded database refuse changes while less than this is free on the disk, in bytes; 64 MB by default. No
   * effect on PostgreSQL.
   */
  keepFree(bytes?: number): void;
  /**
   * Runs before each use of the embedded database, whose computing blocks this process; null
   * removes it.
   */
  beforeUse(wait: (() => Promise<void>) | null): void;
  /** True while changes are refused for lack of disk space. */
  isDiskLow(): boolean;
  /**
   * True while changes are refused. PostgreSQL reports that it is read-only, but not that its disk
   * is full, so the state lasts a minute after a change that it refused for lack of space.
   */
  takesNoChanges(): Promise<boolean>;
  /**
   * Marks that all migrations are done, so that no table is dropped or truncated any more: from then on, a missing file
   * of a table is a fault.
   */
  keepTables(): void;
  close(): Promise<void>;
}

const POOL_SIZE = 10;

function openPool(pool: pg.Pool, connect: () => Promise<pg.PoolClient>): Db {
  const checkOutOne = () => {
    refuseInsideTransaction();
    return connect();
  };
  const dialect = new PostgresDialect({
    pool: { options: pool.options, connect: checkOutOne, end: () => pool.end() },
  });
  const db = new Kysely<Database>({ dialect });
  setCompiledRunner(db, async (text, values) => {
    const client = await checkOutOne();
    try {
      return await client.query(text, [...values]);
    } finally {
      client.release();
    }
  });
  return db;
}

/** Gets a connection from the pool. A connection that arrives after its caller gave up returns to the pool. */
function checkOut(waits: Waits, pool: pg.Pool, hosts: DatabaseHosts): Promise<pg.PoolClient> {
  const giveBack = (late: Promise<pg.PoolClient>) =>
    void late.then(
      (client) => client.release(),
      () => {},
    );
  return inTime(waits, () => connectToPrimary(pool, hosts), giveBack);
}

/** Connects to the primary; tries each host once. */
async function connectToPrimary(pool: pg.Pool, hosts: DatabaseHosts): Promise<pg.PoolClient> {
  for (let left = hosts.count - 1; ; left -= 1) {
    try {
      return await pool.connect();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

function poolState({ totalCount, idleCount, waitingCount }: pg.Pool) {
  return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/**
 * Opens the embedded database in `folder`, or in memory for null; throws if another process has it
 * open.
 */
export async function connectEmbedded(
  folder: string | null,
  lock?: FolderLock,
): Promise<Connection> {
  const embedded = await open(folder, { lock, Client: PreparingClient });
  const { pool } = embedded;
  let waitBeforeUse: (() => Promise<void>) | null = null;
  const db = openPool(pool, async () => {
    const client = await embedded.connect();
    await waitBeforeUse?.();
    return client;
  });
  return {
    kind: 'embedded',
    db,
    listen: async (channel, onNotify) => void (await embedded.listen(channel, onNotify)),
    query: (text) => pool.query(text),
    poolState: () => poolState(pool),
    limitWaits: () => {},
    keepFree: embedded.keepFree,
    isDiskLow: embedded.isDiskLow,
    takesNoChanges: async () => embedded.isDiskLow(),
    beforeUse: (wait) => {
      waitBeforeUse = wait;
    },
    keepTables: embedded.keepTables,
    close: async () => {
      await db.destroy();
      await embedded.close();
    },
  };
}

const OLDEST_VERSION = 15;
const CONNECT_MAY_LAST_MS = 4000;
const IDLE_IN_TRANSACTION_MS = 60_000;
/** Milliseconds for which a refused change, for lack of space, counts as the state of the database. */
const REFUSED_MS = 60_000;

const ABOUT_SERVER = `
  select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`;

/** Throws if the server is older or the database cannot hold every character; CannotConnect if it cannot be reached. */
async function refuseUnfitDatabase(pool: pg.Pool, hosts: DatabaseHosts, connectionString: string) {
  const { rows } = await connectToPrimary(pool, hosts)
    .then((client) => client.query(ABOUT_SERVER).finally(() => client.release()))
    .catch((error: unknown) => {
      throw new CannotConnect(connectionString, error);
    });
  const { version, encoding } = rows[0];
  // The server reports 15.3 as 150003.
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_VERSION) {
    throw new Error(`PostgreSQL ${OLDEST_VERSION} or newer is needed; this server is ${major}`);
  }
  // The default on a machine whose locale is C or POSIX.
  if (encoding === 'UTF8') return;
  throw new Error(
    `The database has the encoding ${encoding}. Create it with --encoding=UTF8 --template=template0`,
  );
}

async function isReadOnly(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_so: boolean }>`
    select current_setting('transaction_read_only')::boolean as is_so`.execute(db);
  return rows[0]?.is_so ?? false;
}

/**
 * Opens a PostgreSQL server of version 15 or newer, or the primary if several hosts are named.
 * Throws if it is older or its encoding is not UTF-8, and `CannotConnect` if it cannot be reached or refuses the session.
 */
export async function connectPostgres(connectionString: string): Promise<Connection> {
  const waits: Waits = { areLimited: false };
  const hosts = new DatabaseHosts(connectionString);
  let refusedAt = Number.NEGATIVE_INFINITY;
  const options: pg.PoolConfig & Pick<PatientConfig, 'waits' | 'hosts' | 'onFailure'> = {
    Client: PatientClient as unknown as new () => pg.Client,
    waits,
    hosts,
    onFailure: (error) => {
      if (isOutOfSpace(error)) refusedAt = performance.now();
    },
    max: POOL_SIZE,
    keepAlive: true,
    // A connection prepares only its first 300 statements, so it is replaced after an hour.
    maxLifetimeSeconds: 3600,
    connectionTimeoutMillis: CONNECT_MAY_LAST_MS,
    // Ends transactions of broken connections, whose locks would block others.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    application_name: 'linekeeper',
  };
  const pool = new pg.Pool(options);
  // Without listeners, a lost connection would crash the process. Its queries fail, and the next
  // checkout opens another one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  await refuseUnfitDatabase(pool, hosts, connectionString).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const db = openPool(pool, () => checkOut(waits, pool, hosts));
  const notifications = notificationsOf(hosts, waits);
  return {
    kind: 'postgres',
    db,
    listen: notifications.listen,
    query: (text) => pool.query(text),
    poolState: () => poolState(pool),
    limitWaits: () => {
      waits.areLimited = true;
    },
    keepFree: () => {},
    isDiskLow: () => false,
    takesNoChanges: async () =>
      performance.now() - refusedAt < REFUSED_MS || (await isReadOnly(db)),
    beforeUse: () => {},
    keepTables: () => {},
    close: async () => {
      // A server that does not respond must not delay the end.
      const end = () => Promise.all([notifications.close(), db.destroy()]);
      await inTime({ areLimited: true }, end, () => {}).catch((error: unknown) => {
        if (!(error instanceof DatabaseSilent)) throw error;
      });
    },
  };
}
