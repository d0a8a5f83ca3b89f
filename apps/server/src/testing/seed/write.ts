import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { withoutTriggers } from '../database/tamper.ts';

/** Writes many rows without triggers and foreign keys, which are slow for them, then vacuums the tables; by default all. */
export async function writeSeed(
  db: Db,
  write: (tx: Tx) => Promise<unknown>,
  tables: readonly string[] = [],
): Promise<void> {
  await withoutTriggers(db, write);
  await db.connection().execute(async (session) => {
    // VACUUM marks no page as all-visible while its rows' commit is not yet on disk.
    await sql`set synchronous_commit = on`.execute(session);
    await sql`checkpoint`.execute(session);
    await sql`vacuum analyze ${sql.raw(tables.join(', '))}`.execute(session);
    await sql`reset synchronous_commit`.execute(session);
  });
}
