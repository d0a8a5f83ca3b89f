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

/** True if lines of the plan are on both servers, so that a move changes only which of them is the first. */
export const servesBoth = ({ serves, server_ids }: Places, one: string, other: string): boolean =>
  serves === 'all' && server_ids.includes(one) && server_ids.includes(other);

/** The other servers of a line, if its plan serves all of its servers. */
export const otherServers = ({ serves, server_ids }: Places, server_id: string): string[] =>
  serves === 'all' ? server_ids.filter((id) => id !== server_id) : [];
