import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/** Locks a line until the returned function is called; a job waits at it. */
export async function holdLine(db: Db, id: string): Promise<() => Promise<void>> {
  const holding = await db.startTransaction().execute();
  await holding.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
  return () => holding.rollback().execute();
}

/** Number of connections to this PostgreSQL database that wait for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}
