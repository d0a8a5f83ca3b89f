import { resolve } from 'node:path';
import type { Config } from './core/config.ts';
import { type Connection, connectEmbedded, connectPostgres } from './db/connect.ts';

const SQLITE_BUSY = 5;

/** The database that the settings name; null where a running panel holds the folder. */
export async function openDatabase(config: Config): Promise<Connection | null> {
  if (config.database_url) return connectPostgres(config.database_url);
  try {
    return await connectEmbedded(resolve(config.data_dir));
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) return null;
    throw error;
  }
}
