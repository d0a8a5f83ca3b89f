import type * as contract from '@linekeeper/contract/servers/outages.ts';
import { sql } from 'kysely';
import { lineScope, visibleTo } from '../../domain/context/access.ts';
import { isDue } from '../../domain/delivery/server-accounts.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';

interface OutageRow {
  server_id: string;
  server_name: string;
  since: Date;
  lines: number;
  waiting: number;
}

/**
 * Includes servers that only failed pushes have found away so far, so that the reason of a pending change
 * is seen.
 */
export const listOutages: Action<typeof contract.listOutages> = async ({ db, actor }) => {
  const scope = lineScope(actor);
  const { rows } = await sql<OutageRow>`
    with behind as (
      select server_accounts.server_id, count(*)::integer as waiting, min(wanted_since) as since,
          bool_or(last_finding ->> 'code' = 'PUSH_NOT_REACHED') as is_not_reached
        from server_accounts join users on users.id = (wanted ->> 'line_id')::uuid
        where ${isDue} and ${visibleTo(scope, 'users.owner_id')} group by 1),
    away as (
      select server.id, server_name, coalesce(waiting, 0) as waiting,
          coalesce(incident.began_at, error_told_at, behind.since, now()) as since
        from cccam_servers as server
          left join behind on behind.server_id = server.id
          left join server_incidents as incident
            on incident.server_id = server.id and incident.ended_at is null
        where status = 'error' or (status = 'active' and is_not_reached)),
    counted as (
      select id as server_id, server_name, since, waiting, (
          select count(*)::integer from users
            where users.server_id = away.id and ${visibleTo(scope, 'users.owner_id')}) as lines
        from away)
    select * from counted where lines > 0 order by since, server_id`.execute(db);
  return { items: rows.map((row) => ({ ...row, since: row.since.toISOString() })) };
};
