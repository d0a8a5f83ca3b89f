import { sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import type { StoredReload } from '../../db/schema/server-schema.ts';
import type { Db } from '../../db/transaction.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Services } from '../context/context.ts';
import {
  type AgentReport,
  dayFinding,
  OVERDUE_SECONDS,
  reportOf,
} from './card-server/agent-report.ts';
import { call, hasSuccessStatus, secretsOf } from './card-server/client.ts';
import { isAt } from './same-machine.ts';
import { withPassword } from './servers.ts';

const soon = sql<Date>`now() + make_interval(secs => ${sql.lit(OVERDUE_SECONDS)})`;

type Asked = Pick<ServerRow, 'id' | 'host_ip' | 'api_port'>;

/** True while the agent has not finished reloading: it is then asked again in a few seconds, otherwise each minute. */
function isUnderWay(reload: StoredReload | null): boolean {
  if (!reload || reload.waiting === 0) return false;
  return reload.finding === null || reload.finding.data.cause === 'NOT_READ_YET';
}

/** Stores an agent's report, unless its server has another address in the meantime. */
export async function noteReport(
  db: Db,
  asked: Asked & Pick<ServerRow, 'reload'>,
  { reload, obstacle, agent_version, zone, names_by_hand, ...days }: AgentReport,
  { time_zone }: Pick<Config, 'time_zone'>,
): Promise<void> {
  const { server_day } = days;
  const day_finding = dayFinding({ zone, ...days }, time_zone);
  // An earlier finding stays until the new sale has waited long enough to cause one itself.
  const finding = reload?.finding ?? (asked.reload?.finding ? obstacle : null);
  await db
    .updateTable('cccam_servers')
    .set({
      ...columnsOf(reload && { ...reload, finding }),
      agent_version,
      zone,
      server_day,
      // An unchanged list is not written again, because it may be long.
      names_by_hand: sql`case when names_by_hand is distinct from ${names_by_hand}::text[]
        then ${names_by_hand}::text[] else names_by_hand end`,
      day_finding: day_finding && JSON.stringify(day_finding),
    })
    .where(isAt(asked))
    .execute();
}

/** Stores the state of a reload from the response to a call, and nothing else of the response. */
export async function noteReload(db: Db, asked: Asked, reload: StoredReload): Promise<void> {
  await db.updateTable('cccam_servers').set(columnsOf(reload)).where(isAt(asked)).execute();
}

function columnsOf(reload: StoredReload | null) {
  return {
    reload: reload && JSON.stringify(reload),
    ...(isUnderWay(reload) && { reload_look_at: soon }),
  };
}

/** Schedules another call to the agent in a few seconds, because its card server may not have loaded a change yet. */
export async function lookSoon(db: Db, serverId: string): Promise<void> {
  await sql`update cccam_servers set reload_look_at = ${soon}
    where id = ${serverId} and reload_look_at is null`.execute(db);
}

/** Claims up to `limit` servers whose agent is due to be asked again. */
export async function claimLooks(db: Db, limit: number): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`
    update cccam_servers set reload_look_at = null
      where id in (
        select id from cccam_servers
          where status <> 'inactive' and reload_look_at <= now()
          order by reload_look_at limit ${limit} for no key update skip locked)
      returning *`.execute(db);
  return rows;
}

/**
 * Asks an agent whether its card server has loaded the changes that were still missing, and stores the result. Does
 * nothing if the agent does not respond, because the check of each minute reports that.
 */
export async function lookAgain(
  { db, secrets, outbound, stopping, config }: Services,
  row: ServerRow,
  deadlineMs = outbound.deadlineMs,
): Promise<void> {
  // OSCam's web interface confirms a change immediately, so there is nothing to ask.
  if (row.kind !== 'api') return;
  const server = withPassword(secrets, row);
  const called = { outbound: { ...outbound, deadlineMs }, server, signal: stopping.signal };
  const root = await call(called, 'auth');
  if (root.kind === 'unreachable' || !hasSuccessStatus(root)) return;
  await noteReport(db, row, reportOf(root, secretsOf(server)), config);
}

/**
 * Number of changes that each server has not loaded, by its last report; the numbers of servers
 * with the same name are added.
 */
export async function countNotTaken(db: Db): Promise<{ server_name: string; waiting: number }[]> {
  const { rows } = await sql<{ server_name: string; waiting: number }>`
    select server_name, sum((reload ->> 'waiting')::integer)::integer as waiting
      from cccam_servers where reload is not null and status <> 'inactive'
      group by server_name`.execute(db);
  return rows;
}
