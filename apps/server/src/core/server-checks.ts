import { sql } from 'kysely';
import type { Db, Tx } from '../db/transaction.ts';
import { newId } from './ids.ts';

const KEPT_DAYS = 30;

export interface CheckOutcome {
  status: 'active' | 'error';
  latency_ms: number | null;
  message: string | null;
}

/** Writes down what a test found; false where the server was removed meanwhile. */
export async function recordCheck(tx: Tx, serverId: string, found: CheckOutcome): Promise<boolean> {
  const { status, latency_ms, message } = found;
  const { numUpdatedRows } = await tx
    .updateTable('cccam_servers')
    .set({
      status,
      status_message: message,
      latency_ms,
      ...(status === 'active' ? { last_connection: sql`now()` } : {}),
    })
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await tx
    .insertInto('server_checks')
    .values({ id: newId(), server_id: serverId, status, latency_ms, message })
    .execute();
  return true;
}

export async function deleteOldChecks(db: Db): Promise<void> {
  await db
    .deleteFrom('server_checks')
    .where('checked_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}
