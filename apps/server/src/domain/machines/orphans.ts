import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { isSameMachine } from './same-machine.ts';
import { lockServers } from './servers.ts';

/** An account of a card server that the panel does not know, as the last search stored it. */
export interface StoredOrphan {
  id: string;
  server_id: string;
  username: string;
  expiry_date: string | null;
  can_remove: boolean;
}

/**
 * SQL condition on `server`: its orphans can be removed. The list of OSCam's web interface also has accounts of the
 * operator and of other panels.
 */
export const canBeRemoved = sql<boolean>`(server.kind <> 'oscam_webif')`;

/**
 * SQL condition: the panel does not know the name of `orphan` on the machine of `server`. None of its lines, even a
 * suspended one, has an account with that name there, and none is being removed.
 */
export const isStillUnknown = sql<SqlBool>`not exists (
  select from server_accounts account join cccam_servers entry on entry.id = account.server_id
    where account.username = orphan.username and ${isSameMachine('entry', 'server')})`;

/** The given accounts that still are orphans, ordered by server and name. */
export async function findOrphans(db: Db, ids: readonly string[]): Promise<StoredOrphan[]> {
  const { rows } = await sql<StoredOrphan>`
    select orphan.id, orphan.server_id, orphan.username, orphan.expiry_date,
        ${canBeRemoved} as can_remove
      from server_orphans orphan join cccam_servers server on server.id = orphan.server_id
      where orphan.id = any (${ids}::uuid[]) and ${isStillUnknown}
      order by orphan.server_id, orphan.username`.execute(db);
  return rows;
}

/** An orphan, with its server while that is locked. */
export type LockedOrphan = StoredOrphan & {
  server: Awaited<ReturnType<typeof lockServers>>[number];
};

/**
 * Locks the servers of the given orphans, which are accounts of card servers that the panel does not know. Returns
 * those that are still orphans under the lock, because another request may have adopted or removed one just before.
 * Throws SERVER_NOT_FOUND.
 */
export async function lockOrphans(tx: Tx, ids: readonly string[]): Promise<LockedOrphan[]> {
  const named = await findOrphans(tx, ids);
  if (named.length === 0) return [];
  const locked = await lockServers(tx, [...new Set(named.map(({ server_id }) => server_id))]);
  const servers = new Map(locked.map((server) => [server.id, server]));
  return (await findOrphans(tx, ids)).flatMap((orphan) => {
    const server = servers.get(orphan.server_id);
    return server ? [{ ...orphan, server }] : [];
  });
}

/**
 * Removes adopted or deleted orphans, and marks lists that are being read from their servers as out of
 * date.
 */
export async function forgetOrphans(tx: Tx, orphans: readonly StoredOrphan[]): Promise<void> {
  const servers = [...new Set(orphans.map(({ server_id }) => server_id))];
  const ids = orphans.map(({ id }) => id);
  await sql`update orphan_looks set revision = revision + 1
    where server_id = any (${servers}::uuid[])`.execute(tx);
  await sql`delete from server_orphans where id = any (${ids}::uuid[])`.execute(tx);
}
