import type { Db } from '../../db/transaction.ts';
import { RowFault } from './outcome.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The account with this email or id; a username anybody may choose for himself, and with it what an import
 * brings. Throws a RowFault.
 */
export async function findOwner(db: Db, text: string): Promise<string> {
  const named = text.trim();
  const found = await db
    .selectFrom('auth_users')
    .select('id')
    .where(UUID.test(named) ? 'id' : 'email', '=', named.toLowerCase())
    .executeTakeFirst();
  if (!found) {
    throw new RowFault('owner', `There is no account ${named}: name it by email or id`);
  }
  return found.id;
}

/** The active server with this name or id. Throws a RowFault. */
export async function findActiveServer(db: Db, text: string): Promise<string> {
  const named = text.trim().toLowerCase();
  const servers = await db
    .selectFrom('cccam_servers')
    .select(['id', 'server_name', 'status'])
    .execute();
  const found = servers.filter(
    ({ id, server_name }) => id === named || server_name.toLowerCase() === named,
  );
  const active = found.filter(({ status }) => status === 'active');
  if (found.length === 0) throw new RowFault('server', `There is no server ${text.trim()}`);
  if (active.length === 0) throw new RowFault('server', `The server ${text.trim()} is not active`);
  if (active.length > 1) {
    throw new RowFault('server', `Several servers are called ${text.trim()}: give its id`);
  }
  return active[0]?.id ?? '';
}
