import { sql } from 'kysely';
import type { Db } from '../db/transaction.ts';

/**
 * Makes every push due once more: what card servers hold may be of another day than the database.
 * Returns how many.
 */
export async function pushEverythingAgain(db: Db): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('server_accounts')
    .set({
      revision: sql`revision + 1`,
      attempts: 0,
      next_try_at: sql`now()`,
      claimed_until: null,
      updated_at: sql`now()`,
    })
    .executeTakeFirstOrThrow();
  return numUpdatedRows;
}
