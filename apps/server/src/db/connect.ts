import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import type { Database } from './schema.ts';
import { type Db, refuseInsideTransaction } from './transaction.ts';

// A day is text: as a Date it would shift with the machine's zone. Counts and credits fit a number.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Listener = (payload: string) => void;

export interface Connection {
  kind: 'embedded' | 'postgres';
  db: Db;
  /** Hears NOTIFY on `channel` until the connection closes. `onReconnect`: some may have been missed. */
  listen(channel: string, onNotify: Listener, onReconnect?: () => void): Promise<void>;
  /** One statement outside of any schema, such as CREATE DATABASE. */
  query(text: string): Promise<unknown>;
  /** Connections in use and idle, and how many ask for one in vain. */
  poolState(): { in_use: number; idle: number; waiting: number };
  close(): Promise<void>;
}

const POOL_SIZE = 10;

function openPool(pool: pg.Pool): Db {
  const dialect = new PostgresDialect({
    pool: {
      options: pool.options,
      connect: () => {
        refuseInsideTransaction();
        return pool.connect();
      },
      end: () => pool.end(),
    },
  });
  return new Kysely<Database>({ dialect });
}

function poolState({ totalCount, idleCount, waitingCount }: pg.Pool) {
  return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

async function openEmbedded(folder: string | null): Promise<PGlite> {
  try {
    return await PGlite.create({
      ...(folder ? { dataDir: join(folder, 'pgdata') } : {}),
      extensions: { pg_trgm, unaccent },
    });
  } catch (error) {
    throw new Error(
      `The embedded database in ${folder} cannot be opened. Is the folder writable, and is there space left?`,
      { cause: error },
    );
  }
}

/**
 * Opens the embedded database in `folder`, or in memory where that is null; throws where another
 * process has it open.
 */
export async function connectEmbedded(
  folder: string | null,
  lock: FolderLock | null = folder ? lockFolder(folder) : null,
): Promise<Connection> {
  const lite = await openEmbedded(folder).catch((error: unknown) => {
    lock?.release();
    throw error;
  });
  const pool = new pg.Pool({ ...createPgConfig(lite), max: 1 } as unknown as pg.PoolConfig);
  const db = openPool(pool);
  return {
    kind: 'embedded',
    db,
    listen: async (channel, onNotify) => {
      await lite.listen(channel, onNotify);
    },
    query: (text) => pool.query(text),
    poolState: () => poolState(pool),
    close: async () => {
      await db.destroy();
      await lite.close();
      lock?.release();
    },
  };
}

const RECONNECT_AFTER_MS = 1000;

/** A connection kept for LISTEN alone; it comes back by itself when the server restarts. */
class NotificationClient {
  readonly #connectionString: string;
  readonly #channels = new Map<
    string,
    { onNotify: Listener; onReconnect: (() => void) | undefined }
  >();
  #client: pg.Client | null = null;
  #closed = false;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  async listen(channel: string, onNotify: Listener, onReconnect?: () => void): Promise<void> {
    this.#channels.set(channel, { onNotify, onReconnect });
    if (this.#client) await this.#client.query(`LISTEN ${channel}`);
    else await this.#connect();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      keepAlive: true,
      application_name: 'linekeeper-live',
    });
    client.on('notification', ({ channel, payload }) =>
      this.#channels.get(channel)?.onNotify(payload ?? ''),
    );
    client.on('error', () => {});
    client.on('end', () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#reconnectLater();
    });
    await client.connect();
    this.#client = client;
    for (const channel of this.#channels.keys()) await client.query(`LISTEN ${channel}`);
  }

  #reconnectLater(): void {
    if (this.#closed) return;
    setTimeout(() => {
      if (this.#closed || this.#client) return;
      this.#connect().then(
        () => {
          for (const { onReconnect } of this.#channels.values()) onReconnect?.();
        },
        () => this.#reconnectLater(),
      );
    }, RECONNECT_AFTER_MS).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }
}

const OLDEST_VERSION = 15;

/** The server's own word for 15.3 is 150003. */
async function refuseOldServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query('show server_version_num');
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (version >= OLDEST_VERSION) return;
  throw new Error(`PostgreSQL ${OLDEST_VERSION} or newer is needed; this server is ${version}`);
}

/** Opens a PostgreSQL server, 15 or newer. Throws where it is older or cannot be reached. */
export async function connectPostgres(connectionString: string): Promise<Connection> {
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZE,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    application_name: 'linekeeper',
  });
  // Without listeners a lost connection would end the process, idle or in use; what was asked over it
  // fails by itself, and the next checkout opens another.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await refuseOldServer(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const db = openPool(pool);
  const notifications = new NotificationClient(connectionString);
  return {
    kind: 'postgres',
    db,
    listen: (channel, onNotify, onReconnect) =>
      notifications.listen(channel, onNotify, onReconnect),
    query: (text) => pool.query(text),
    poolState: () => poolState(pool),
    close: async () => {
      await notifications.close();
      await db.destroy();
    },
  };
}
