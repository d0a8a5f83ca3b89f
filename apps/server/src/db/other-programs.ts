import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Connection } from './connect.ts';
import type { Tx } from './transaction.ts';

const GOODBYE_MS = 2000;
const LOOK_EVERY_MS = 100;
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
  const endsAt = Date.now() + GOODBYE_MS;
  let address = await otherProgram(tx);
  // The server takes a moment to notice that a program has ended.
  while (address !== null && Date.now() < endsAt) {
    await sleep(LOOK_EVERY_MS);
    address = await otherProgram(tx);
  }
  if (address === null) return;
  throw new Error(
    `A panel or another command is connected to this database from ${address}. Stop every panel on it first`,
  );
}

/** Where one is connected from; null where none is. */
async function otherProgram(tx: Tx): Promise<string | null> {
  // Within a transaction the server would show the same picture again and again.
  await sql`select pg_stat_clear_snapshot()`.execute(tx);
  const { rows } = await sql<{ address: string }>`
    select coalesce(host(client_addr), 'this machine') as address from pg_stat_activity
    where datname = current_database() and application_name like 'linekeeper%'
      and pid <> pg_backend_pid() limit 1`.execute(tx);
  return rows[0]?.address ?? null;
}
