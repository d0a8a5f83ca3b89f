import type * as contract from '@linekeeper/contract/servers/health.ts';
import type { HealthSummary } from '@linekeeper/contract/servers/health.ts';
import type { ServerStatus } from '@linekeeper/contract/servers/servers.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import {
  type Checked,
  DAYS,
  figuresOf,
  figuresOfChecks,
  firstHalfHour,
  halfHour,
  stateOf,
  uptimeOf,
} from './health.ts';

const HALF_HOUR_MS = 30 * 60_000;
const PARTS = 48;
const unchecked: Checked = { checks: 0, failed: 0, latency_ms: null };

interface PartOfServer extends Checked {
  server_id: string;
  from: Date;
}

/** Half hours of all servers, as far back as single checks are kept; those without a check lack. */
async function readParts(db: Db): Promise<Map<string, PartOfServer[]>> {
  const { rows } = await sql<PartOfServer>`
    select server_id, ${halfHour(sql`checked_at`)} as "from", ${figuresOfChecks}
      from server_checks group by 1, 2`.execute(db);
  return Map.groupBy(rows, ({ server_id }) => server_id);
}

interface MonthRow extends Checked {
  id: string;
  server_name: string;
  status: ServerStatus;
  incident_count: number;
  down_since: Date | null;
}

/** Every server with its checks of a month that are kept by the hour. */
async function readMonths(db: Db): Promise<MonthRow[]> {
  const { rows } = await sql<MonthRow>`
    with hours as (
      select server_id, sum(checks)::integer as checks, sum(failed)::integer as failed,
          percentile_disc(0.5) within group (order by latency_ms) as latency_ms
        from server_check_hours where hour > now() - make_interval(days => ${DAYS}) group by 1),
    incidents as (
      select server_id, count(*)::integer as incident_count,
          max(began_at) filter (where ended_at is null) as down_since
        from server_incidents
        where ended_at is null or ended_at > now() - make_interval(days => ${DAYS}) group by 1)
    select id, server_name, status, coalesce(checks, 0) as checks, coalesce(failed, 0) as failed,
        hours.latency_ms, coalesce(incident_count, 0) as incident_count, down_since
      from cccam_servers as server
        left join hours on hours.server_id = server.id
        left join incidents on incidents.server_id = server.id
      order by (down_since is not null or status = 'error') desc, created_at desc, id desc`.execute(
    db,
  );
  return rows;
}

async function readDayFrom(db: Db): Promise<Date> {
  const { rows } = await sql<{ from: Date }>`select ${firstHalfHour} as "from"`.execute(db);
  return rows[0]?.from ?? new Date();
}

function summarise(row: MonthRow, parts: readonly PartOfServer[], dayFrom: Date): HealthSummary {
  const checkedOf = (part: number) => {
    const from = dayFrom.getTime() + part * HALF_HOUR_MS;
    return parts.find((one) => one.from.getTime() === from) ?? unchecked;
  };
  const ofDay = Array.from({ length: PARTS }, (_, part) => checkedOf(part));
  const { slow_from_ms, ...day } = figuresOf(ofDay);
  // Single checks from before this day are not condensed yet, and count for the month.
  const recent = figuresOf(parts);
  const month = { checks: row.checks + recent.checks, failed: row.failed + recent.failed };
  return {
    id: row.id,
    server_name: row.server_name,
    status: row.status,
    day: { ...day, parts: ofDay.map((part) => stateOf(part, slow_from_ms)) },
    month: {
      ...month,
      uptime: uptimeOf(month),
      latency_ms: row.latency_ms ?? day.latency_ms,
      incident_count: row.incident_count,
    },
    down_since: row.down_since?.toISOString() ?? null,
  };
}

export const summariseHealth: Action<typeof contract.serversHealth> = async ({ db }) => {
  const [months, parts, dayFrom] = [
    await readMonths(db),
    await readParts(db),
    await readDayFrom(db),
  ];
  return {
    day_from: dayFrom.toISOString(),
    items: months.map((row) => summarise(row, parts.get(row.id) ?? [], dayFrom)),
  };
};
