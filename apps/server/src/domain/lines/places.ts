import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Places } from '../machines/servers.ts';

/** The places of each plan, by id. */
export async function readPlaces(db: Db): Promise<ReadonlyMap<string, Places>> {
  const { rows } = await sql<Places & { id: string }>`
    select id, serves, (select coalesce(jsonb_agg(server_id order by position), '[]') from plan_servers
        where plan_id = plans.id) as server_ids
      from plans`.execute(db);
  return new Map(rows.map(({ id, ...places }) => [id, places]));
}

/** The other servers of a line, if its plan serves all of its servers. */
export const otherServers = ({ serves, server_ids }: Places, server_id: string): string[] =>
  serves === 'all' ? server_ids.filter((id) => id !== server_id) : [];

/** Reads the plans, and returns a function that names the servers of a line, the first one at the front. */
export async function readServersOf(db: Db) {
  const places = await readPlaces(db);
  return ({ server_id, plan_id }: Pick<Line, 'server_id' | 'plan_id'>): string[] => {
    const ofPlan = places.get(plan_id);
    return [server_id, ...(ofPlan ? otherServers(ofPlan, server_id) : [])];
  };
}
