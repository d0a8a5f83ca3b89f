import { isDeepStrictEqual } from 'node:util';
import {
  type PlanServer,
  type ServeWay,
  STANDARD_PLAN,
} from '@linekeeper/contract/credits/plans.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import type { Ctx } from '../context/context.ts';
import { isSameMachine } from '../machines/same-machine.ts';
import { isFormer } from '../machines/server-accounts.ts';
import { type NewJob, queueJob } from './jobs.ts';
import { checkSentNames, mayBeSharedColumn, refuseNames } from './sent-names.ts';

/** The servers of a plan's lines, and their rights on each server. */
interface PlanPlaces {
  serves: ServeWay;
  servers: readonly PlanServer[];
}

/** The servers of a plan. Throws PLAN_NOT_FOUND. */
async function findPlaces(tx: Tx, plan_id: string): Promise<PlanPlaces> {
  const { rows } = await sql<PlanPlaces>`
    select serves, (select coalesce(jsonb_agg(jsonb_build_object('server_id', server_id) || coalesce(rights, '{}')
        order by position), '[]') from plan_servers where plan_id = plans.id) as servers
      from plans where id = ${plan_id}`.execute(tx);
  return rows[0] ?? fail('PLAN_NOT_FOUND');
}

/** Throws PLAN_SERVER_HAS_LINES if lines of the plan would no longer be on a server of it. */
async function refuseLeftOut(
  tx: Tx,
  plan_id: string,
  servers: readonly PlanServer[],
): Promise<void> {
  if (servers.length === 0) return;
  const ids = servers.map(({ server_id }) => server_id);
  const { rows } = await sql<{ server_name: string; count: number }>`
    select server_name, count(*)::integer as count
      from users join cccam_servers server on server.id = users.server_id
      where plan_id = ${plan_id} and server_id <> all(${ids}::uuid[])
      group by server.id order by server_name limit 1`.execute(tx);
  const [left] = rows;
  if (left) fail('PLAN_SERVER_HAS_LINES', { ...left });
}

const isSame = (one: PlanServer | undefined, other: PlanServer | undefined): boolean =>
  isDeepStrictEqual({ ...one, server_id: '' }, { ...other, server_id: '' });

/** The servers that a change adds or removes, or on which the rights of lines change. */
function changedServers(before: PlanPlaces, after: PlanPlaces): string[] {
  const placeIn = ({ servers }: PlanPlaces, id: string) =>
    servers.find(({ server_id }) => server_id === id);
  const ids = [...new Set([...before.servers, ...after.servers].map(({ server_id }) => server_id))];
  const isMoved =
    before.serves !== after.serves && (before.serves === 'all' || after.serves === 'all');
  return ids.filter((id) => {
    const [one, other] = [placeIn(before, id), placeIn(after, id)];
    return isMoved || !isSame(one, other) || (after.serves === 'all' && !one !== !other);
  });
}

/** SQL condition on lines of a plan: their servers change, or their rights there. */
const isConcerned = (servers: readonly string[], before: PlanPlaces, after: PlanPlaces) =>
  before.serves === 'all' || after.serves === 'all'
    ? sql`${servers.length > 0}::boolean`
    : sql`server_id = any(${servers}::uuid[])`;

async function storePlaces(
  tx: Tx,
  plan_id: string,
  { serves, servers }: PlanPlaces,
): Promise<void> {
  await tx.updateTable('plans').set({ serves }).where('id', '=', plan_id).execute();
  await tx.deleteFrom('plan_servers').where('plan_id', '=', plan_id).execute();
  if (servers.length === 0) return;
  const rows = servers.map(({ server_id, ...rights }, position) => {
    const isSaid = Object.keys(rights).length > 0;
    return { plan_id, server_id, position, rights: isSaid ? JSON.stringify(rights) : null };
  });
  await tx.insertInto('plan_servers').values(rows).execute();
}

/** Locks the servers of a plan against deletion. Throws SERVER_NOT_FOUND at the field of the first that is missing. */
async function lockPlaces(tx: Tx, servers: readonly PlanServer[]): Promise<void> {
  const ids = servers.map(({ server_id }) => server_id);
  const found = await tx
    .selectFrom('cccam_servers')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  for (const [index, id] of ids.entries()) {
    if (!found.some((one) => one.id === id))
      failField(`servers.${index}.server_id`, 'SERVER_NOT_FOUND');
  }
}

/**
 * Checks that no line of the plan has the name under which another line still works on one of these servers, because
 * its new name was not delivered. Throws USERNAME_STILL_USED.
 */
async function refuseUsedNames(
  tx: Tx,
  plan_id: string,
  servers: readonly PlanServer[],
): Promise<void> {
  const ids = servers.map(({ server_id }) => server_id);
  const { rows } = await sql<{ username: string; server_name: string }>`
    select line.username, server.server_name
      from server_accounts former
        join cccam_servers entry on entry.id = former.server_id
        join cccam_servers server on server.id = any(${ids}::uuid[]) and ${isSameMachine('entry', 'server')}
        join users line on line.username = former.username and line.plan_id = ${plan_id}
      where ${isFormer('former')} and former.of_line is distinct from line.id
      limit 1`.execute(tx);
  const [used] = rows;
  if (used) failField('servers', 'USERNAME_STILL_USED', { ...used });
}

/**
 * Checks that lines which are added to servers of their plan have names that can be used there.
 * Throws NAMES_NOT_FOR_CCCAM and USERNAME_STILL_USED.
 */
async function refuseUnfitNames(
  tx: Tx,
  plan_id: string,
  before: PlanPlaces,
  { serves, servers }: PlanPlaces,
): Promise<void> {
  if (serves !== 'all') return;
  const lines = await tx
    .selectFrom('users')
    .select(['id', 'username', 'server_id'])
    .where('plan_id', '=', plan_id)
    .where(mayBeSharedColumn('username'))
    .execute();
  const isThere = (line_server: string, id: string) =>
    id === line_server ||
    (before.serves === 'all' && before.servers.some(({ server_id }) => server_id === id));
  const given = lines.flatMap(({ id: line_id, username, server_id: first }) =>
    servers
      .filter(({ server_id }) => !isThere(first, server_id))
      .map(({ server_id }) => ({ server_id, username, line_id })),
  );
  refuseNames(await checkSentNames(tx, given), 'servers');
  await refuseUsedNames(tx, plan_id, servers);
}

/**
 * The number of lines and servers that a change of a plan's servers concerns, and the job that
 * delivers the lines; null without any.
 */
export interface SavedPlaces {
  lines: number;
  servers: number;
  job_id: string | null;
}

/**
 * Changes the servers of a plan's lines and their rights there, and queues a job that delivers the lines concerned. Its
 * undo stores the former state. A preview, which the caller rolls back, counts the lines. Throws PLAN_NOT_FOUND,
 * STANDARD_ON_ONE, PLAN_NEEDS_SERVERS, SERVER_NOT_FOUND, PLAN_SERVER_HAS_LINES, NAMES_NOT_FOR_CCCAM and
 * USERNAME_STILL_USED.
 */
export async function savePlaces(
  tx: Tx,
  ctx: Ctx,
  plan_id: string,
  given: { serves?: ServeWay | undefined; servers?: readonly PlanServer[] | undefined },
  job: Pick<NewJob, 'action' | 'undo_of'> | 'preview' = { action: 'edit_plan' },
): Promise<SavedPlaces> {
  const before = await findPlaces(tx, plan_id);
  const { serves = before.serves, servers = before.servers } = given;
  const after = { serves, servers };
  // Most lines have the plan Standard, so it must not need a look-up of its servers for each line.
  if (plan_id === STANDARD_PLAN && serves === 'all') failField('serves', 'STANDARD_ON_ONE');
  if (serves === 'all' && servers.length === 0) failField('servers', 'PLAN_NEEDS_SERVERS');
  await lockPlaces(tx, servers);
  await refuseLeftOut(tx, plan_id, after.servers);
  await refuseUnfitNames(tx, plan_id, before, after);
  await storePlaces(tx, plan_id, after);
  const changed = changedServers(before, after);
  const isTheirs: RawBuilder<unknown> = sql`plan_id = ${plan_id} and ${isConcerned(changed, before, after)}`;
  if (job === 'preview') {
    // A preview only counts the lines, because sales of the plan wait until it is rolled back.
    const { rows } = await sql<{ lines: number }>`
      select count(*)::integer as lines from users where ${isTheirs}`.execute(tx);
    const lines = rows[0]?.lines ?? 0;
    return { lines, servers: lines === 0 ? 0 : changed.length, job_id: null };
  }
  const about = { plan_id, before, after, ...(job.undo_of && { undone: 'edit_plan' }) };
  const { job_id, total } = await queueJob(tx, ctx, { ...job, arguments: about }, isTheirs);
  return { lines: total, servers: job_id === null ? 0 : changed.length, job_id };
}

/**
 * Stores the places from before a job. Throws the errors of `savePlaces`, and PLAN_CHANGED_SINCE if the plan no longer
 * has the places that the job stored.
 */
export async function restorePlaces(
  tx: Tx,
  ctx: Ctx,
  { id: undo_of, arguments: about }: { id: string; arguments: Record<string, unknown> },
): Promise<string> {
  const { plan_id, before, after } = about as {
    plan_id: string;
    before: PlanPlaces;
    after: PlanPlaces;
  };
  await tx.selectFrom('plans').select('id').where('id', '=', plan_id).forUpdate().execute();
  const now = await findPlaces(tx, plan_id);
  if (changedServers(after, now).length > 0 || after.serves !== now.serves)
    fail('PLAN_CHANGED_SINCE');
  const { job_id } = await savePlaces(tx, ctx, plan_id, before, { action: 'undo', undo_of });
  return job_id ?? fail('CANNOT_UNDO');
}
