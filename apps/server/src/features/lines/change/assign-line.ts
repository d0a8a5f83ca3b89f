import type { Tx } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import {
  addressesAt,
  readReached,
  type ServersById,
} from '../../../domain/lines/changed-addresses.ts';
import {
  chooseServer,
  lineProtocol,
  lockFreeCapacity,
  type Reached,
} from '../../../domain/machines/servers.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import type { ChangeableLine, LineUpdate } from './locked-line.ts';

/**
 * The owner of a new or moved line: the actor, or any account for an administrator. Throws
 * ADMIN_ONLY_FIELD and USER_NOT_FOUND.
 */
export async function chooseOwner(tx: Tx, actor: SignedIn, ownerId = actor.id): Promise<string> {
  if (ownerId === actor.id) return ownerId;
  if (!actor.is_admin) failField('owner_id', 'ADMIN_ONLY_FIELD');
  const owner = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', ownerId)
    .executeTakeFirst();
  return owner ? owner.id : fail('USER_NOT_FOUND');
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

/** How the line is reached, with what it had of the old server replaced by what the target has. */
function reachedAt({ host_port, protocol }: ChangeableLine, left: Reached, target: Reached) {
  return {
    host_port: addressesAt(host_port, left, target),
    protocol: protocol === lineProtocol(left) ? lineProtocol(target) : protocol,
  };
}

/**
 * What a move, which only administrators may make, changes of each line, and the servers by which that is told. The target is
 * looked up once, if any of the lines needs a place there. Throws ADMIN_ONLY_FIELD, USER_NOT_FOUND, SERVER_NOT_FOUND,
 * NO_ACTIVE_CCCAM_SERVERS, SERVER_CLOSED and SERVER_FULL; `changesOf` throws SERVER_FULL beyond the last place.
 */
export async function planMove(
  tx: Tx,
  actor: SignedIn,
  { owner_id, server_id }: Move,
  lines: readonly ChangeableLine[],
): Promise<{ servers: ServersById; changesOf(line: ChangeableLine): LineUpdate }> {
  refuseMoveByOthers(actor, { owner_id, server_id });
  if (owner_id !== undefined) await chooseOwner(tx, actor, owner_id);
  const isMoved = server_id !== undefined && lines.some((line) => line.server_id !== server_id);
  const target = isMoved ? await chooseServer(tx, server_id, 'NO_ACTIVE_CCCAM_SERVERS') : undefined;
  const servers = target ? await readReached(tx) : new Map();
  let capacity = target ? await lockFreeCapacity(tx, target) : 0;
  const owner = owner_id === undefined ? {} : { owner_id };
  return {
    servers,
    changesOf: (line) => {
      const left = servers.get(line.server_id);
      if (!target || !left || target.id === line.server_id) return owner;
      if (capacity <= 0) failField('server_id', 'SERVER_FULL', { left: 0 });
      capacity--;
      return { ...owner, server_id: target.id, ...reachedAt(line, left, target) };
    },
  };
}
