import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { createDatabase } from './create.ts';
import { rememberFiles, rememberLasting, watchLog } from './file-list.ts';
import { databaseFolder } from './files.ts';
import { guardSpace, LEAST_FREE_BYTES, refuseFullDisk } from './free-space.ts';
import { refuseIncompleteDatabase, refuseLostTables } from './integrity.ts';
import { type FolderLock, lockFolder } from './lock.ts';
import { openPglite } from './pglite.ts';
import { hasDatabase } from './presence.ts';

export type EmbeddedDatabase = Awaited<ReturnType<typeof open>>;

interface Options {
  /** The lock of the folder, if it is already held. */
  lock?: FolderLock | undefined;
  Client?: typeof pg.Client;
}

/**
 * Opens the database in `folder`, or one in memory for null. Creates it in an absent or empty
 * folder, and refuses any other without changing it: PGlite would create a new database over a folder that has lost
 * `PG_VERSION`. Throws a HeldFolder if another process has it open.
 */
export async function open(
  folder: string | null,
  { Client = pg.Client, lock = folder ? lockFolder(folder) : undefined }: Options = {},
) {
  const lite = await (folder ? openFolder(folder) : openPglite(null)).catch((error: unknown) => {
    lock?.release();
    throw error;
  });
  // pg ends clients that are idle for 10 s, as while a slow machine starts the panel.
  const config = { ...createPgConfig(lite), Client, max: 1, idleTimeoutMillis: 0 };
  const pool = new pg.Pool(config as unknown as pg.PoolConfig);
  const log = folder ? watchLog(folder) : null;
  // A released session has committed, but its client has not had the reply yet.
  pool.on('release', () => log?.());
  const guard = folder ? guardSpace(folder) : null;
  return {
    pool,
    /** Takes the session out of the pool; it refuses changes while disk space is low. */
    connect: async (): Promise<pg.PoolClient> => {
      const session = await pool.connect();
      await guard?.settle(session).catch((error: Error) => {
        session.release();
        throw error;
      });
      return session;
    },
    listen: (channel: string, onNotify: (payload: string) => void): Promise<unknown> =>
      lite.listen(channel, onNotify),
    /** Refuses changes, from this call on, while fewer bytes than this are free. */
    keepFree: (bytes = LEAST_FREE_BYTES) => guard?.begin(bytes),
    /** True while changes are refused for lack of disk space. */
    isDiskLow: () => guard?.isLow() ?? false,
    /**
     * Marks that no table is dropped or truncated any more: from then on, a missing file of a table is a fault, also
     * after a crash.
     */
    keepTables: () => {
      if (folder) rememberLasting(folder);
    },
    /** Closes the database, and unlocks its folder. */
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
