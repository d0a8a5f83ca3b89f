import { pendingMigrations } from '../db/migrate.ts';
import type { Db } from '../db/transaction.ts';

/** Whether the database has the schema this program was written for. Throws where it is away. */
export async function isSchemaCurrent(db: Db): Promise<boolean> {
  return (await pendingMigrations(db)).length === 0;
}
