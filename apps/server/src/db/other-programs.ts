import { sql } from 'kysely';
import type { Connection } from './connect.ts';
import type { Tx } from './transaction.ts';

/** How long somebody else's transaction is waited for. */
const LOCK_WAIT = '10s';

/**
 * Throws where another of our programs is connected to the database, and keeps those that start from
 * here on waiting until the transaction ends: a start reads the settings first of all. The embedded
 * database has one opener at a time already.
 */
export async function refuseOtherPrograms(tx: Tx, kind: Connection['kind']): Promise<void> {
  if (kind === 'embedded') return;
  await refuseConnected(tx);
  await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT)}`.execute(tx);
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('settings') is not null as found`.execute(tx);
  if (!rows[0]?.found) return;
  await sql`lock table settings in access exclusive mode`.execute(tx);
  // One may have read them between the first look and the lock.
  await refuseConnected(tx);
}

async function refuseConnected(tx: Tx): Promise<void> {
  const { rows } = await sql<{ name: string; address: string | null }>`
    select application_name as name, host(client_addr) as address from pg_stat_activity
    where datname = current_database() and application_name like 'linekeeper%'
      and pid <> pg_backend_pid() limit 1`.execute(tx);
  const [other] = rows;
  if (!other) return;
  const from = other.address ? ` from ${other.address}` : '';
  throw new Error(
    `A panel or another command is connected to this database${from}. Stop every panel on it first`,
  );
}
