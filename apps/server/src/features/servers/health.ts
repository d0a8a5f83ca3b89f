import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/health.ts';
import type {
  HealthPart,
  HealthState,
  HealthSummary,
  Incident,
} from '@linekeeper/contract/servers/health.ts';
import type { ServerStatus } from '@linekeeper/contract/servers/servers.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { startOfDay } from '../../platform/clock.ts';
import { findServer } from './store.ts';

const DAYS = 30;
const MOST_INCIDENTS = 100;
/** Milliseconds below which no response counts as slow, even for a server that is usually faster. */
const LEAST_SLOW_MS = 80;
const SLOW_TIMES_USUAL = 3;

/** Sums of the checks of a server in a period. */
interface Checked {
  checks: number;
  failed: number;
  latency_ms: number | null;
}

type PartRow = Checked & { from: Date; to: Date };

const figuresOfChecks = sql`count(*)::integer as checks,
  count(*) filter (where status = 'error')::integer as failed,
  percentile_disc(0.5) within group (order by latency_ms) filter (where status = 'active')
    as latency_ms`;

const HALF_HOUR_MS = 30 * 60_000;
const PARTS = 48;

type PartOfServer = Checked & { server_id: string; from: Date };

/** Figures of servers by half hour, as far back as single checks are kept; half hours without a check are left out. */
async function readParts(db: Db, which: RawBuilder<unknown> = sql`true`): Promise<PartOfServer[]> {
  const { rows } = await sql<PartOfServer>`
    select server_id, date_bin('30 minutes', checked_at, 'epoch'::timestamptz) as "from",
        ${figuresOfChecks}
      from server_checks where ${which} group by 1, 2`.execute(db);
  return rows;
}

/** The beginning of the last 24 hours, in whole half hours with the present one. */
function dayBegins(now = Date.now()): number {
  return now - (now % HALF_HOUR_MS) - (PARTS - 1) * HALF_HOUR_MS;
}

function halfHoursOf(parts: readonly PartOfServer[], begin: number): PartRow[] {
  return Array.from({ length: PARTS }, (_, part) => {
    const from = new Date(begin + part * HALF_HOUR_MS);
    const to = new Date(from.getTime() + HALF_HOUR_MS);
    const found = parts.find((one) => one.from.getTime() === from.getTime());
    const { checks, failed, latency_ms } = found ?? { checks: 0, failed: 0, latency_ms: null };
    return { from, to, checks, failed, latency_ms };
  });
}

/** Figures of today and the days before it, in the panel's time zone. */
async function readDays(db: Db, id: string, ctx: Ctx): Promise<PartRow[]> {
  const { time_zone } = ctx.config;
  const first = startOfDay(ctx.today(), time_zone, 1 - DAYS);
  const { rows } = await sql<PartRow>`
    with hours as (
      select hour, checks, failed, latency_ms from server_check_hours
        where server_id = ${id} and hour >= ${first}
      union all
      select date_trunc('hour', checked_at), ${figuresOfChecks} from server_checks
        where server_id = ${id} and checked_at >= ${first} group by 1),
    days as (
      select (hour at time zone ${time_zone})::date as day, sum(checks)::integer as checks,
          sum(failed)::integer as failed,
          percentile_disc(0.5) within group (order by latency_ms) as latency_ms
        from hours group by 1)
    select day::timestamp at time zone ${time_zone} as "from",
        (day + 1)::timestamp at time zone ${time_zone} as "to",
        coalesce(checks, 0) as checks, coalesce(failed, 0) as failed, latency_ms
      from (select ${ctx.today()}::date - back as day from generate_series(0, ${DAYS - 1}) as back)
        as shown
      left join days using (day)
      order by day`.execute(db);
  return rows;
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Sums of the parts of a range, and the median from which one of them counts as slow. */
function figuresOf(parts: readonly Checked[]) {
  const latency_ms = median(parts.flatMap((part) => part.latency_ms ?? []));
  const checks = parts.reduce((sum, part) => sum + part.checks, 0);
  const failed = parts.reduce((sum, part) => sum + part.failed, 0);
  const slow_from_ms =
    latency_ms === null ? null : Math.max(LEAST_SLOW_MS, latency_ms * SLOW_TIMES_USUAL);
  return { checks, failed, uptime: uptimeOf({ checks, failed }), latency_ms, slow_from_ms };
}

function uptimeOf({ checks, failed }: Omit<Checked, 'latency_ms'>): number | null {
  return checks === 0 ? null : (checks - failed) / checks;
}

function stateOf({ checks, failed, latency_ms }: Checked, slow: number | null): HealthState {
  if (checks === 0) return 'unknown';
  if (failed > 0) return 'down';
  return slow !== null && latency_ms !== null && latency_ms >= slow ? 'slow' : 'up';
}

async function readIncidents(db: Db, id: string, since: Date) {
  const rows = await db
    .selectFrom('server_incidents')
    .select(['id', 'began_at', 'ended_at', 'failed', 'finding'])
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('server_id', '=', id)
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>=', since)]))
    .orderBy('began_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_INCIDENTS)
    .execute();
  const incidents = rows.map(
    ({ total: _, finding, began_at, ended_at, ...incident }): Incident => ({
      ...incident,
      ...findingWithMessage(finding),
      began_at: began_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
    }),
  );
  return { incidents, incident_count: Number(rows[0]?.total ?? 0) };
}

/** The uptime, latency and incidents of a server in the last 24 hours or 30 days. Throws SERVER_NOT_FOUND. */
export const readHealth: Action<typeof contract.serverHealth> = async (
  ctx,
  { params: { id }, query: { range } },
) => {
  const { db } = ctx;
  await findServer(db, id);
  const rows =
    range === '24h'
      ? halfHoursOf(await readParts(db, sql`server_id = ${id}`), dayBegins())
      : await readDays(db, id, ctx);
  const figures = figuresOf(rows);
  const parts = rows.map(
    (row): HealthPart => ({
      ...row,
      from: row.from.toISOString(),
      to: row.to.toISOString(),
      state: stateOf(row, figures.slow_from_ms),
    }),
  );
  return {
    range,
    ...figures,
    parts,
    ...(await readIncidents(db, id, rows[0]?.from ?? new Date())),
  };
};

interface MonthRow extends Checked {
  id: string;
  server_name: string;
  status: ServerStatus;
  incident_count: number;
  down_since: Date | null;
}

/** Figures of every server for a month, from the checks that are kept by the hour. */
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

function summarise(row: MonthRow, parts: readonly PartOfServer[], begin: number): HealthSummary {
  const ofDay = halfHoursOf(parts, begin);
  const { slow_from_ms, ...day } = figuresOf(ofDay);
  // Single checks from before this day are not condensed yet, so they are added to the month.
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
  const months = await readMonths(db);
  const parts = Map.groupBy(await readParts(db), ({ server_id }) => server_id);
  const begin = dayBegins();
  return {
    day_from: new Date(begin).toISOString(),
    items: months.map((row) => summarise(row, parts.get(row.id) ?? [], begin)),
  };
};
