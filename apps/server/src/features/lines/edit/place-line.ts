import type { SignedIn } from '../../../core/access.ts';
import { failField } from '../../../core/refusal.ts';
import { chooseServer, defaultHostPort } from '../../../core/servers.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { ChangeableLine } from '../locked-line.ts';
import { chooseOwner } from '../sell/owner.ts';

export interface Place {
  owner_id: string;
  server_id: string;
  /** Addresses of the old server are replaced by those of the new one. */
  host_port: string[];
}

export interface Move {
  owner_id?: string | undefined;
  server_id?: string | undefined;
}

/** Throws ADMIN_ONLY_FIELD unless the actor is an administrator or nothing moves. */
export function refuseMoveByOthers(actor: SignedIn, move: Move): void {
  for (const field of ['owner_id', 'server_id'] as const) {
    if (move[field] !== undefined && !actor.is_admin) failField(field, 'ADMIN_ONLY_FIELD');
  }
}

type Address = Parameters<typeof defaultHostPort>[0];

/** The line's addresses with the old server's replaced by the target's. */
export function movedHostPort(host_port: string[], left: Address, target: Address): string[] {
  return host_port.map((address) =>
    address === defaultHostPort(left) ? defaultHostPort(target) : address,
  );
}

/**
 * Server, owner and addresses after a move, which only administrators may make. Throws
 * SERVER_NOT_FOUND, NO_ACTIVE_CCCAM_SERVERS and USER_NOT_FOUND.
 */
export async function placeLine(
  tx: Tx,
  actor: SignedIn,
  line: ChangeableLine,
  move: Move,
): Promise<Place> {
  refuseMoveByOthers(actor, move);
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
  const host_port = movedHostPort(line.host_port, left, target);
  return { owner_id, server_id: target.id, host_port };
}
