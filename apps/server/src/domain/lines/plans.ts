import type { PlanServer, ServeWay } from '@linekeeper/contract/credits/plans.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import type { Ctx } from '../context/context.ts';
import type { Places } from '../machines/servers.ts';
import { type NewJob, queueJob } from './jobs.ts';

/** Where lines of a plan are, and what they may do on each server. */
export interface PlanPlaces {
  serves: ServeWay;
  servers: readonly PlanServer[];
}

/** The places of each plan, by id. */
export async function readPlaces(db: Db): Promise<ReadonlyMap<string, Places>> {
  const { rows } = await sql<Places & { id: string }>`
    select id, serves, (select coalesce(jsonb_agg(server_id order by position), '[]') from plan_servers
        where plan_id = plans.id) as server_ids
      from plans`.execute(db);
  return new Map(rows.map(({ id, ...places }) => [id, places]));
}

/** Throws PLAN_NOT_FOUND. */
async function findPlaces(tx: Tx, plan_id: string): Promise<PlanPlaces> {
  const { rows } = await sql<PlanPlaces>`
    select serves, (select coalesce(jsonb_agg(jsonb_build_object('server_id', server_id) || coalesce(rights, '{}')
        order by position), '[]') from plan_servers where plan_id = plans.id) as servers
      from plans where id = ${plan_id}`.execute(tx);
  return rows[0] ?? fail('PLAN_NOT_FOUND');
}

/** True if lines of the plan are on both servers, so that a move changes only which of them is the first. */
export const servesBoth = ({ serves, server_ids }: Places, one: string, other: string): boolean =>
  serves === 'all' && server_ids.includes(one) && server_ids.includes(other);

/** The other servers of lines of a plan that serves all. */
export const otherServers = ({ serves, server_ids }: Places, server_id: string): string[] =>
  serves === 'all' ? server_ids.filter((id) => id !== server_id) : [];

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

const rightsOf = (place: PlanServer | undefined) => {
  const { server_id: _, ...rights } = place ?? { server_id: '' };
  return JSON.stringify(rights);
};

/** Servers on which the change concerns lines: where they come or go, or may do something else. */
function changedServers(before: PlanPlaces, after: PlanPlaces): string[] {
  const placeIn = ({ servers }: PlanPlaces, id: string) =>
    servers.find(({ server_id }) => server_id === id);
  const ids = [...new Set([...before.servers, ...after.servers].map(({ server_id }) => server_id))];
  const isMoved =
    before.serves !== after.serves && 'all' in { [before.serves]: 0, [after.serves]: 0 };
  return ids.filter((id) => {
    const [one, other] = [placeIn(before, id), placeIn(after, id)];
    return (
      isMoved || rightsOf(one) !== rightsOf(other) || (after.serves === 'all' && !one !== !other)
    );
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

/** What a change of a plan's places concerns, and the job that delivers the lines; null without any. */
export interface SavedPlaces {
  lines: number;
  servers: number;
  job_id: string | null;
}

/**
 * Stores where lines of a plan are and what they may do there, and queues a job that delivers those which it concerns. Its
 * undo stores the former places. Throws PLAN_NOT_FOUND and PLAN_SERVER_HAS_LINES.
 */
export async function savePlaces(
  tx: Tx,
  ctx: Ctx,
  plan_id: string,
  after: PlanPlaces,
  job: Pick<NewJob, 'action' | 'undo_of'> = { action: 'edit_plan' },
): Promise<SavedPlaces> {
  const before = await findPlaces(tx, plan_id);
  await refuseLeftOut(tx, plan_id, after.servers);
  await storePlaces(tx, plan_id, after);
  const changed = changedServers(before, after);
  const isTheirs: RawBuilder<unknown> = sql`plan_id = ${plan_id} and ${isConcerned(changed, before, after)}`;
  const about = { plan_id, before, after, ...(job.undo_of && { undone: 'edit_plan' }) };
  const { job_id, total } = await queueJob(tx, ctx, { ...job, arguments: about }, isTheirs);
  return { lines: total, servers: job_id === null ? 0 : changed.length, job_id };
}

/** Stores the places from before a job. Throws PLAN_CHANGED_SINCE if they are no longer those that it stored. */
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
