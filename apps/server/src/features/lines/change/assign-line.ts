import type { Tx } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { addressesAt } from '../../../domain/lines/changed-addresses.ts';
import {
  chooseServer,
  lineProtocol,
  type Reached,
  reachedColumns,
} from '../../../domain/machines/servers.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import type { ChangeableLine } from './locked-line.ts';

/**
 * The owner of a new or moved line: the actor, or any account for an administrator. Throws
 * USER_NOT_FOUND.
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

export interface Assignment {
  owner_id: string;
  server_id: string;
  /** Addresses of the old server are replaced by those of the new one. */
  host_port: string[];
  protocol: string;
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
export function reachedAt(
  { host_port, protocol }: Pick<ChangeableLine, 'host_port' | 'protocol'>,
  left: Reached,
  target: Reached,
): Pick<Assignment, 'host_port' | 'protocol'> {
  return {
    host_port: addressesAt(host_port, left, target),
    protocol: protocol === lineProtocol(left) ? lineProtocol(target) : protocol,
  };
}

/**
 * Server, owner and addresses after a move, which only administrators may make. Throws
 * SERVER_NOT_FOUND, NO_ACTIVE_CCCAM_SERVERS and USER_NOT_FOUND.
 */
export async function assignLine(
  tx: Tx,
  actor: SignedIn,
  line: ChangeableLine,
  move: Move,
): Promise<Assignment> {
  refuseMoveByOthers(actor, move);
  const owner_id =
    move.owner_id === undefined || move.owner_id === line.owner_id
      ? line.owner_id
      : await chooseOwner(tx, actor, move.owner_id);
  if (move.server_id === undefined || move.server_id === line.server_id) {
    const { server_id, host_port, protocol } = line;
    return { owner_id, server_id, host_port, protocol };
  }
  const target = await chooseServer(tx, move.server_id, 'NO_ACTIVE_CCCAM_SERVERS');
  const left = await tx
    .selectFrom('cccam_servers')
    .select(reachedColumns)
    .where('id', '=', line.server_id)
    .executeTakeFirstOrThrow();
  return { owner_id, server_id: target.id, ...reachedAt(line, left, target) };
}
