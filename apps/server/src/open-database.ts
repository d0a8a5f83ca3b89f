import { resolve } from 'node:path';
import type { Config } from './core/config.ts';
import { refuseLostDatabase } from './core/lost-database.ts';
import { type Connection, connectEmbedded, connectPostgres } from './db/connect.ts';
import { becomeOwner } from './db/folder-owner.ts';

const SQLITE_BUSY = 5;

interface Options {
  /** Permits a key without a database, because a restore creates the database. */
  isRestore?: boolean;
}

/**
 * Opens the database from the settings; null if a running panel holds the folder. While an embedded
 * database is open, a process of root creates and opens files as the database's owner.
 */
export async function openDatabase(
  config: Config,
  { isRestore = false }: Options = {},
): Promise<Connection | null> {
  if (config.database_url) return connectPostgres(config.database_url);
  const folder = resolve(config.data_dir);
  if (!isRestore) refuseLostDatabase(folder);
  const becomeSelf = becomeOwner(folder);
  try {
    const connection = await connectEmbedded(folder);
    return { ...connection, close: () => connection.close().finally(becomeSelf) };
  } catch (error) {
    becomeSelf();
    const cause = error instanceof Error ? error.cause : null;
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) return null;
    throw error;
  }
}
