import type { LineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { addressesAt, readReached } from '../../../domain/lines/changed-addresses.ts';
import { otherServers, readPlaces } from '../../../domain/lines/places.ts';
import { checkSentNames, refuseName } from '../../../domain/lines/sent-names.ts';
import {
  chooseServer,
  isPlace,
  lineProtocol,
  lockFreeCapacity,
  type Reached,
} from '../../../domain/machines/servers.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import type { ChangeableLine, LineUpdate } from './locked-line.ts';
import { type Plan, planChange } from './plan.ts';

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

/** The new owner and server of a line. */
type Move = Pick<LineChanges, 'owner_id' | 'server_id'>;

/** Checks that only administrators move lines to another server or owner. Throws ADMIN_ONLY_FIELD. */
export function refuseMoveByOthers(actor: SignedIn, move: Move): void {
  for (const field of ['owner_id', 'server_id'] as const) {
    if (move[field] !== undefined && !actor.is_admin) failField(field, 'ADMIN_ONLY_FIELD');
  }
}

/** The addresses and protocol of the line after a move: those of the old server are replaced by the target's. */
export function reachedAt({ host_port, protocol }: ChangeableLine, left: Reached, target: Reached) {
  return {
    host_port: addressesAt(host_port, left, target),
    protocol: protocol === lineProtocol(left) ? lineProtocol(target) : protocol,
  };
}

/**
 * Prepares a move, which only administrators may make: the changes of each line, and the servers with which its
 * addresses are compared. The target is looked up once, if any of the lines needs a place there. Throws
 * ADMIN_ONLY_FIELD, USER_NOT_FOUND, SERVER_NOT_FOUND, NO_ACTIVE_CCCAM_SERVERS, SERVER_CLOSED and SERVER_FULL;
 * `changesOf` throws SERVER_NOT_OF_PLAN, and SERVER_FULL beyond the last place.
 */
export async function prepareMove(
  tx: Tx,
  actor: SignedIn,
  { owner_id, server_id, host_port }: Move & Pick<LineChanges, 'host_port'>,
  lines: readonly ChangeableLine[],
) {
  refuseMoveByOthers(actor, { owner_id, server_id });
  if (owner_id !== undefined) await chooseOwner(tx, actor, owner_id);
  const isMoved = server_id !== undefined && lines.some((line) => line.server_id !== server_id);
  const target = isMoved ? await chooseServer(tx, server_id, 'NO_ACTIVE_CCCAM_SERVERS') : undefined;
  const servers = target || host_port ? await readReached(tx) : undefined;
  const places = target ? await readPlaces(tx) : undefined;
  let capacity = target ? await lockFreeCapacity(tx, target) : 0;
  const owner = owner_id === undefined ? {} : { owner_id };
  // True if the line already is on both servers by its plan, so that its customer has both
  // addresses and changes nothing.
  const isThere = ({ plan_id, server_id: from }: ChangeableLine) => {
    const ofPlan = places?.get(plan_id);
    return !!target && !!ofPlan && otherServers(ofPlan, from).includes(target.id);
  };
  const serversFor = (line: ChangeableLine) =>
    host_port === undefined && isThere(line) ? undefined : servers;
  const changesOf = (line: ChangeableLine): LineUpdate => {
    const left = servers?.get(line.server_id);
    if (!target || !left || target.id === line.server_id) return owner;
    const ofPlan = places?.get(line.plan_id);
    if (ofPlan && !isPlace(ofPlan, target.id)) failField('server_id', 'SERVER_NOT_OF_PLAN');
    if (!isThere(line)) {
      if (capacity <= 0) failField('server_id', 'SERVER_FULL', { left: 0 });
      capacity--;
    }
    return { ...owner, server_id: target.id, ...reachedAt(line, left, target) };
  };
  return { serversFor, changesOf };
}

/**
 * Returns a function that plans the move of each of the lines; while a preview has no target yet,
 * the plan keeps the line's server. Throws the errors of `prepareMove`; a line whose name cannot be
 * used on the target takes no place there.
 */
export async function movePlanner(
  tx: Tx,
  actor: SignedIn,
  move: Move,
  lines: readonly ChangeableLine[],
): Promise<(line: ChangeableLine) => Plan | Promise<Plan>> {
  if (move.owner_id === undefined && move.server_id === undefined) {
    return ({ server_id, host_port }) => ({
      before: { server_id, host_port },
      after: null,
      cost: 0,
    });
  }
  const { serversFor, changesOf } = await prepareMove(tx, actor, move, lines);
  return async (line) => {
    const { id: line_id, username, server_id: from_server_id } = line;
    const { server_id = from_server_id } = move;
    const given = [{ server_id, username, line_id, from_server_id }];
    refuseName(await checkSentNames(tx, given), 'server_id');
    return planChange(line, changesOf(line), serversFor(line));
  };
}
