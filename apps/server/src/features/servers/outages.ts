import { type Finding, isNoAccess } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/outages.ts';
import { OVER_MINUTES } from '@linekeeper/contract/servers/outages.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { ownLineScope, type Scope, visibleTo } from '../../domain/context/access.ts';
import { isDue } from '../../domain/machines/server-accounts.ts';
import { findNameOfNextSale } from '../../domain/machines/servers.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';

interface Counted {
  server_id: string;
  server_name: string;
  since: Date;
  waiting: number;
}

interface OutageRow extends Counted {
  lines: number;
  owners: string[];
  finding: Finding | null;
  told_at: Date | null;
}

interface PastOutageRow extends Counted {
  over_since: Date;
  finding: Finding | null;
  sent: number;
}

/** Number of changes that are pending for a server, of lines that the reader sees. */
const waitingOn = (scope: Scope, server: string) => sql<number>`(
  select count(*)::integer from server_accounts
      join users on users.id = (wanted ->> 'line_id')::uuid
    where server_accounts.server_id = ${sql.ref(server)} and ${isDue}
      and ${visibleTo(scope, 'users.owner_id')})`;

/** Number of changes that were made before it responded again, and delivered since it did not. */
const sentTo = (scope: Scope, server: string) => sql<number>`(
  select count(*)::integer from line_pushes
    where line_pushes.server_id = ${sql.ref(`${server}.server_id`)} and ok
      and line_pushes.created_at > ${sql.ref(`${server}.since`)}
      and line_pushes.created_at - took_ms * interval '1 millisecond'
        < ${sql.ref(`${server}.over_since`)}
      and ${visibleTo(scope, 'line_pushes.owner_id')})`;

async function readAway(db: Db, scope: Scope, isAdmin: boolean): Promise<OutageRow[]> {
  const { rows } = await sql<OutageRow>`
    with away as (
      select id as server_id, server_name, coalesce(away_at, now()) as since,
          status_finding as finding
        from cccam_servers where status = 'error')
    select away.*, owned.lines, owned.owners,
        ${waitingOn(scope, 'away.server_id')} as waiting,
        case when ${isAdmin}::boolean then (
          select max(created_at) from messages
            where messages.server_id = away.server_id and created_at >= since) end as told_at
      from away, lateral (
        select count(*)::integer as lines, array_agg(distinct owner_id) as owners
          from users where users.server_id = away.server_id
            and ${visibleTo(scope, 'users.owner_id')}) as owned
      where owned.lines > 0 order by since, server_id`.execute(db);
  return rows;
}

async function readOver(db: Db, scope: Scope): Promise<PastOutageRow[]> {
  const { rows } = await sql<PastOutageRow>`
    with back as (
      select id as server_id, server_name, away_at as since, back_at as over_since,
          (select finding from server_incidents where server_incidents.server_id = cccam_servers.id
            order by began_at desc limit 1) as finding
        from cccam_servers
        where status = 'active' and away_at is not null
          and back_at > now() - make_interval(mins => ${OVER_MINUTES})
          and exists (select from users where users.server_id = cccam_servers.id
            and ${visibleTo(scope, 'users.owner_id')}))
    select back.*, ${waitingOn(scope, 'back.server_id')} as waiting, ${sentTo(scope, 'back')} as sent
      from back order by over_since desc, server_id`.execute(db);
  return rows;
}

export const listOutages: Action<typeof contract.listOutages> = async ({ db, actor }) => {
  const scope = ownLineScope(actor);
  const away = await readAway(db, scope, actor.is_admin);
  const over = await readOver(db, scope);
  return {
    items: away.map(({ owners, since, told_at, finding, ...row }) => ({
      ...row,
      no_access: finding !== null && isNoAccess(finding),
      port_answers: finding?.data.port_answers ?? null,
      finding: actor.is_admin ? finding : null,
      accounts: owners.length,
      since: since.toISOString(),
      told_at: told_at?.toISOString() ?? null,
    })),
    accounts: new Set(away.flatMap(({ owners }) => owners)).size,
    new_sales_server: away.length > 0 ? await findNameOfNextSale(db) : null,
    over: over.map(({ since, over_since, finding, ...row }) => ({
      ...row,
      no_access: finding !== null && isNoAccess(finding),
      since: since.toISOString(),
      over_since: over_since.toISOString(),
    })),
  };
};
