import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/health.ts';
import type {
  HealthPart,
  HealthRange,
  HealthSummary,
  Incident,
} from '@linekeeper/contract/servers/health.ts';
import { type RawBuilder, sql } from 'kysely';
import { startOfDay } from '../../core/clock.ts';
import type { Ctx } from '../../core/context.ts';
import type { Action } from '../../core/use-case.ts';
import type { Db } from '../../db/transaction.ts';
import { findServer } from './store.ts';

const DAYS = 30;
const MOST_INCIDENTS = 100;
/** A few milliseconds more are not slow, however quick a server usually is. */
const LEAST_SLOW_MS = 80;
const SLOW_TIMES_USUAL = 3;

interface PartRow {
  from: Date;
  to: Date;
  checks: number;
  failed: number;
  latency_ms: number | null;
}

const figuresOfChecks = sql`count(*)::integer as checks,
  count(*) filter (where status = 'error')::integer as failed,
  percentile_disc(0.5) within group (order by latency_ms) filter (where status = 'active')
    as latency_ms`;

const halfHour = (moment: RawBuilder<unknown>) =>
  sql`date_bin('30 minutes', ${moment}, timestamptz '2000-01-01 00:00:00Z')`;

/** Whole half hours and the one that has begun: 48 of them. */
async function readHalfHours(db: Db, id: string): Promise<PartRow[]> {
  const now = halfHour(sql`now()`);
  const first = sql`${now} - interval '23 hours 30 minutes'`;
  const { rows } = await sql<PartRow>`
    select part as "from", part + interval '30 minutes' as "to",
        coalesce(checks, 0) as checks, coalesce(failed, 0) as failed, latency_ms
      from generate_series(${first}, ${now}, interval '30 minutes') as part
      left join (
        select ${halfHour(sql`checked_at`)} as part, ${figuresOfChecks}
          from server_checks where server_id = ${id} and checked_at >= ${first} group by 1
      ) as checked using (part)
      order by part`.execute(db);
  return rows;
}

/** Today and the days before it, of the panel's time zone. */
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

function uptimeOf({ checks, failed }: { checks: number; failed: number }): number | null {
  return checks === 0 ? null : (checks - failed) / checks;
}

function stateOf({ checks, failed, latency_ms }: PartRow, slow: number | null) {
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

const readParts: Record<HealthRange, (db: Db, id: string, ctx: Ctx) => Promise<PartRow[]>> = {
  '24h': readHalfHours,
  '30d': readDays,
};

export const readHealth: Action<typeof contract.serverHealth> = async (
  ctx,
  { params: { id }, query: { range } },
) => {
  const { db } = ctx;
  await findServer(db, id);
  const rows = await readParts[range](db, id, ctx);
  const latency_ms = median(rows.flatMap((row) => row.latency_ms ?? []));
  const slow = latency_ms === null ? null : Math.max(LEAST_SLOW_MS, latency_ms * SLOW_TIMES_USUAL);
  const sums = {
    checks: rows.reduce((sum, { checks }) => sum + checks, 0),
    failed: rows.reduce((sum, { failed }) => sum + failed, 0),
  };
  const parts = rows.map(
    (row): HealthPart => ({
      ...row,
      from: row.from.toISOString(),
      to: row.to.toISOString(),
      state: stateOf(row, slow),
    }),
  );
  return {
    range,
    ...sums,
    uptime: uptimeOf(sums),
    latency_ms,
    slow_from_ms: slow,
    parts,
    ...(await readIncidents(db, id, rows[0]?.from ?? new Date())),
  };
};

/** Of all servers at once: two groupings, of a day's checks and of a month's hours. */
export async function summariseHealth(db: Db): Promise<{ items: HealthSummary[] }> {
  const { rows } = await sql<{
    id: string;
    day_checks: number;
    day_failed: number;
    day_latency: number | null;
    month_checks: number;
    month_failed: number;
    month_latency: number | null;
    incident_count: number;
    down_since: Date | null;
  }>`
    with recent as (
      select server_id, checked_at > now() - interval '24 hours' as is_day, ${figuresOfChecks}
        from server_checks group by 1, 2),
    hours as (
      select server_id, sum(checks)::integer as checks, sum(failed)::integer as failed,
          percentile_disc(0.5) within group (order by latency_ms) as latency_ms
        from server_check_hours where hour > now() - make_interval(days => ${DAYS}) group by 1),
    incidents as (
      select server_id, count(*)::integer as incident_count,
          max(began_at) filter (where ended_at is null) as down_since
        from server_incidents
        where ended_at is null or ended_at > now() - make_interval(days => ${DAYS}) group by 1)
    select id, coalesce(day.checks, 0) as day_checks, coalesce(day.failed, 0) as day_failed,
        day.latency_ms as day_latency,
        coalesce(day.checks, 0) + coalesce(eve.checks, 0) + coalesce(hours.checks, 0) as month_checks,
        coalesce(day.failed, 0) + coalesce(eve.failed, 0) + coalesce(hours.failed, 0) as month_failed,
        coalesce(hours.latency_ms, day.latency_ms) as month_latency,
        coalesce(incident_count, 0) as incident_count, down_since
      from cccam_servers as server
        left join recent as day on day.server_id = server.id and day.is_day
        left join recent as eve on eve.server_id = server.id and not eve.is_day
        left join hours on hours.server_id = server.id
        left join incidents on incidents.server_id = server.id
      order by created_at desc, id desc`.execute(db);
  const items = rows.map((row): HealthSummary => {
    const day = { checks: row.day_checks, failed: row.day_failed };
    const month = { checks: row.month_checks, failed: row.month_failed };
    return {
      id: row.id,
      day: { ...day, uptime: uptimeOf(day), latency_ms: row.day_latency },
      month: {
        ...month,
        uptime: uptimeOf(month),
        latency_ms: row.month_latency,
        incident_count: row.incident_count,
      },
      down_since: row.down_since?.toISOString() ?? null,
    };
  });
  return { items };
}
