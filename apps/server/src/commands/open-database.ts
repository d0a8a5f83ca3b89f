import { resolve } from 'node:path';
import { HeldFolder } from '@linekeeper/data-folder/lock.ts';
import { becomeOwner } from '@linekeeper/data-folder/owner.ts';
import { hasDatabase, refuseLostDatabase } from '@linekeeper/data-folder/presence.ts';
import { type Connection, connectEmbedded, connectPostgres } from '../db/connect.ts';
import { hasSchema, migrate } from '../db/migrate.ts';
import type { Db } from '../db/transaction.ts';
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

/**
 * Checks that the database in the settings exists, as far as the data folder shows it. Throws an
 * error for the operator, so that a command with a wrong folder does not create an empty database.
 */
export function refuseMissingDatabase({ database_url, data_dir }: Config): void {
  const folder = resolve(data_dir);
  if (!database_url && !hasDatabase(folder)) throw new Error(`There is no database in ${folder}`);
}

/**
 * Opens the existing database of the settings. Returns null if only a running panel can read it:
 * one that holds the folder, or the one at PANEL_URL.
 */
export async function openPresentDatabase(config: Config): Promise<Connection | null> {
  if (!config.database_url && process.env.PANEL_URL) return null;
  refuseMissingDatabase(config);
  return openDatabase(config);
}

/** Updates the schema; throws unless a panel has created it before. */
export async function updateSchema(db: Db): Promise<void> {
  if (!(await hasSchema(db))) throw new Error('No panel has been started on this database yet');
  await migrate(db);
}

/**
 * Opens the database, runs `work` with it, and closes it. Throws an error for the operator if a panel is running on the
 * embedded database.
 */
export async function withStoppedPanel<T>(
  config: Config,
  work: (connection: Connection) => Promise<T>,
  options?: Options,
): Promise<T> {
  const connection = await openDatabase(config, options);
  if (!connection) {
    throw new Error(`A panel is running on ${resolve(config.data_dir)}. Stop it first`);
  }
  return work(connection).finally(() => connection.close());
}
