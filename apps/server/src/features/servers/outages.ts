import { type Finding, isNoAccess } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/outages.ts';
import { OVER_MINUTES } from '@linekeeper/contract/servers/outages.ts';
import { sql } from 'kysely';
import { linesOfServer } from '../../db/lines-of-server.ts';
import type { Db } from '../../db/transaction.ts';
import { ownLineScope, type Scope, visibleTo } from '../../domain/context/access.ts';
import { isDue } from '../../domain/machines/server-accounts.ts';
import { findNameOfNextSale } from '../../domain/machines/servers.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';

interface OutageRow {
  server_id: string;
  server_name: string;
  since: Date;
  /** Time when the server responded again; null while it does not respond. */
  over_since: Date | null;
  finding: Finding | null;
  lines: number;
  owners: string[];
  waiting: number;
  sent: number;
  told_at: Date | null;
}

/** SQL of the number of changes that are pending for a server, of lines that the reader sees. */
const waitingOn = (scope: Scope, server: string) => sql<number>`(
  select count(*)::integer from server_accounts
      join users on users.id = of_line
    where server_accounts.server_id = ${sql.ref(server)} and ${isDue} and wanted is not null
      and ${visibleTo(scope, 'users.owner_id')})`;

/**
 * SQL of the number of changes that were made before the server responded again, and delivered since the outage began.
 */
const sentTo = (scope: Scope, server: string) => sql<number>`(
  select count(*)::integer from line_pushes
    where line_pushes.server_id = ${sql.ref(`${server}.server_id`)} and ok
      and line_pushes.created_at > ${sql.ref(`${server}.since`)}
      and line_pushes.created_at - took_ms * interval '1 millisecond'
        < ${sql.ref(`${server}.over_since`)}
      and ${visibleTo(scope, 'line_pushes.owner_id')})`;

/**
 * Servers with lines that the reader sees: those that do not respond, the longest outage first, and
 * those that have just responded again.
 */
async function readOutages(db: Db, scope: Scope, isAdmin: boolean): Promise<OutageRow[]> {
  const { rows } = await sql<OutageRow>`
    with outage as (
      select id as server_id, server_name, coalesce(away_at, now()) as since,
          case when status = 'active' then back_at end as over_since,
          case when status = 'error' then status_finding else (
            select finding from server_incidents where server_incidents.server_id = cccam_servers.id
              order by began_at desc limit 1) end as finding
        from cccam_servers
        where status = 'error' or status = 'active' and away_at is not null
          and back_at > now() - make_interval(mins => ${OVER_MINUTES}))
    select outage.*, owned.lines, owned.owners, ${waitingOn(scope, 'outage.server_id')} as waiting,
        case when over_since is null then 0 else ${sentTo(scope, 'outage')} end as sent,
        case when ${isAdmin}::boolean then (
          select max(created_at) from messages
            where messages.server_id = outage.server_id and created_at >= since) end as told_at
      from outage, lateral (
        select count(*)::integer as lines, array_agg(distinct owner_id) as owners
          from ${linesOfServer(sql.ref('outage.server_id'))} as users where ${visibleTo(scope, 'users.owner_id')}) as owned
      where owned.lines > 0 order by over_since desc, since, server_id`.execute(db);
  return rows;
}

export const listOutages: Action<typeof contract.listOutages> = async ({ db, actor }) => {
  const outages = await readOutages(db, ownLineScope(actor), actor.is_admin);
  const away = outages.filter(({ over_since }) => over_since === null);
  const shown = ({ server_id, server_name, since, finding, waiting }: OutageRow) => ({
    ...{ server_id, server_name, waiting },
    no_access: finding !== null && isNoAccess(finding),
    since: since.toISOString(),
  });
  return {
    items: away.map((row) => ({
      ...shown(row),
      port_answers: row.finding?.data.port_answers ?? null,
      finding: actor.is_admin ? row.finding : null,
      lines: row.lines,
      accounts: row.owners.length,
      told_at: row.told_at?.toISOString() ?? null,
    })),
    accounts: new Set(away.flatMap(({ owners }) => owners)).size,
    new_sales_server: away.length > 0 ? await findNameOfNextSale(db) : null,
    over: outages.flatMap((row) =>
      row.over_since
        ? [{ ...shown(row), over_since: row.over_since.toISOString(), sent: row.sent }]
        : [],
    ),
  };
};
