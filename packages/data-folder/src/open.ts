import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { createDatabase } from './create.ts';
import { rememberFiles, rememberLasting, watchLog } from './file-list.ts';
import { databaseFolder } from './files.ts';
import { LEAST_FREE_BYTES, refuseFullDisk, SpaceGuard } from './free-space.ts';
import { refuseIncompleteDatabase, refuseLostTables } from './integrity.ts';
import { type FolderLock, lockFolder } from './lock.ts';
import { openPglite } from './pglite.ts';
import { hasDatabase } from './presence.ts';

/** An open database, in a folder or in memory. It has one session, and runs in this process. */
export interface EmbeddedDatabase {
  pool: pg.Pool;
  /** Takes the session out of the pool; it refuses changes while disk space is low. */
  connect(): Promise<pg.PoolClient>;
  listen(channel: string, onNotify: (payload: string) => void): Promise<unknown>;
  /** From now on, changes are refused while fewer bytes are free. */
  keepFree(bytes?: number): void;
  /** True while changes are refused for lack of disk space. */
  isDiskLow(): boolean;
  /** From now on, no table is dropped, truncated or rewritten. */
  keepTables(): void;
  /** Closes the database, and unlocks its folder. */
  close(): Promise<void>;
}

interface Options {
  /** Of the folder, if it is held already. */
  lock?: FolderLock | undefined;
  Client?: typeof pg.Client;
}

/**
 * Opens the database in `folder`, creates it in an absent or empty one, and refuses any other without
 * changing it; or opens one in memory for null. Throws a HeldFolder if another process has it open.
 */
export async function open(
  folder: string | null,
  { Client = pg.Client, lock = folder ? lockFolder(folder) : undefined }: Options = {},
): Promise<EmbeddedDatabase> {
  const lite = await (folder ? openFolder(folder) : openPglite(null)).catch((error: unknown) => {
    lock?.release();
    throw error;
  });
  const config = { ...createPgConfig(lite), Client, max: 1 };
  const pool = new pg.Pool(config as unknown as pg.PoolConfig);
  const log = folder ? watchLog(folder) : null;
  // A released session has committed, but its client has not been told yet.
  pool.on('release', () => log?.());
  const guard = folder ? new SpaceGuard(folder) : null;
  return {
    pool,
    connect: async () => {
      const session = await pool.connect();
      await guard?.settle(session).catch((error: Error) => {
        session.release();
        throw error;
      });
      return session;
    },
    listen: (channel, onNotify) => lite.listen(channel, onNotify),
    keepFree: (bytes = LEAST_FREE_BYTES) => guard?.begin(bytes),
    isDiskLow: () => guard?.isLow ?? false,
    keepTables: () => {
      if (folder) rememberLasting(folder);
    },
    close: async () => {
      if (!pool.ended) await pool.end();
      await lite.close();
      if (folder) rememberFiles(folder);
      lock?.release();
    },
  };
}

async function openFolder(folder: string): Promise<PGlite> {
  const isNew = !hasDatabase(folder);
  if (!isNew) refuseIncompleteDatabase(folder);
  refuseFullDisk(folder, isNew);
  if (isNew) await createDatabase(folder);
  const lite = await openPglite(databaseFolder(folder));
  try {
    await refuseLostTables(lite, folder);
  } catch (error) {
    await lite.close();
    throw error;
  }
  rememberFiles(folder);
  return lite;
}
