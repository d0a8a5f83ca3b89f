import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Tx } from '../transaction.ts';

const GOODBYE_MS = 2000;
const LOOK_EVERY_MS = 100;
/** Longest wait for another transaction's lock. */
const LOCK_WAIT = '10s';

/**
 * Checks that no other panel or command is connected to the database, and throws if there is one.
 * New ones wait until the transaction ends, because each begins by reading the settings, which are
 * locked here. The embedded database has only one process.
 */
export async function refuseOtherPrograms(tx: Tx, kind: 'embedded' | 'postgres'): Promise<void> {
  if (kind === 'embedded') return;
  await refuseConnected(tx);
  await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT)}`.execute(tx);
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('settings') is not null as found`.execute(tx);
  if (!rows[0]?.found) return;
  await sql`lock table settings in access exclusive mode`.execute(tx);
  // A program may have connected between the first check and the lock.
  await refuseConnected(tx);
}

async function refuseConnected(tx: Tx): Promise<void> {
  const endsAt = performance.now() + GOODBYE_MS;
  let address = await otherProgram(tx);
  // The server takes a moment to notice that a program has ended.
  while (address !== null && performance.now() < endsAt) {
    await sleep(LOOK_EVERY_MS);
    address = await otherProgram(tx);
  }
  if (address === null) return;
  throw new Error(
    `A panel or another command is connected to this database from ${address}. Stop every panel on it first`,
  );
}

/** The address of another program; null if there is none. */
async function otherProgram(tx: Tx): Promise<string | null> {
  // Within a transaction, PostgreSQL would otherwise show the same list of programs each time.
  await sql`select pg_stat_clear_snapshot()`.execute(tx);
  const { rows } = await sql<{ address: string }>`
    select coalesce(host(client_addr), 'this machine') as address from pg_stat_activity
    where datname = current_database() and application_name like 'linekeeper%'
      and pid <> pg_backend_pid() limit 1`.execute(tx);
  return rows[0]?.address ?? null;
}
