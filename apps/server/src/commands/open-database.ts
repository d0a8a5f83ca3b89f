import { resolve } from 'node:path';
import { HeldFolder } from '@linekeeper/data-folder/lock.ts';
import { becomeOwner } from '@linekeeper/data-folder/owner.ts';
import { refuseLostDatabase } from '@linekeeper/data-folder/presence.ts';
import { type Connection, connectEmbedded, connectPostgres } from '../db/connect.ts';
import type { Config } from '../platform/config/config.ts';

interface Options {
  /** Permits a key without a database, because a restore creates the database. */
  isRestore?: boolean;
}

/**
 * Opens the database from the settings; null if a running panel holds the folder. Throws a sentence if
 * another command does. While an embedded
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
    if (error instanceof HeldFolder && error.command === null) return null;
    throw error;
  }
}
