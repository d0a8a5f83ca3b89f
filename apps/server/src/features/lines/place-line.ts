import type { SignedIn } from '../../core/access.ts';
import { failField } from '../../core/refusal.ts';
import { chooseServer, defaultHostPort } from '../../core/servers.ts';
import type { Tx } from '../../db/transaction.ts';
import type { LockedLine } from './locked-line.ts';
import { chooseOwner } from './owner.ts';

export interface Place {
  owner_id: string;
  server_id: string;
  /** Follows the server where it named the old one's address. */
  host_port: string[];
}

/**
 * Where a line is to be after a move, which only administrators make. Throws SERVER_NOT_FOUND,
 * NO_ACTIVE_CCCAM_SERVERS and USER_NOT_FOUND.
 */
export async function placeLine(
  tx: Tx,
  actor: SignedIn,
  line: LockedLine,
  move: { owner_id?: string | undefined; server_id?: string | undefined },
): Promise<Place> {
  for (const field of ['owner_id', 'server_id'] as const) {
    if (move[field] !== undefined && !actor.is_admin) failField(field, 'ADMIN_ONLY_FIELD');
  }
  const owner_id =
    move.owner_id === undefined || move.owner_id === line.owner_id
      ? line.owner_id
      : await chooseOwner(tx, actor, move.owner_id);
  if (move.server_id === undefined || move.server_id === line.server_id) {
    return { owner_id, server_id: line.server_id, host_port: line.host_port };
  }
  const target = await chooseServer(tx, move.server_id, 'NO_ACTIVE_CCCAM_SERVERS');
  const left = await tx
    .selectFrom('cccam_servers')
    .select(['host_ip', 'port'])
    .where('id', '=', line.server_id)
    .executeTakeFirstOrThrow();
  const host_port = line.host_port.map((address) =>
    address === defaultHostPort(left) ? defaultHostPort(target) : address,
  );
  return { owner_id, server_id: target.id, host_port };
}
