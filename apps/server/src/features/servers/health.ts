import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/health.ts';
import type {
  HealthPart,
  HealthRange,
  HealthState,
  Incident,
} from '@linekeeper/contract/servers/health.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { startOfDay } from '../../platform/clock.ts';
import { findServer } from './store.ts';

export const DAYS = 30;
const MOST_INCIDENTS = 100;
/** A few milliseconds more are not slow, however quick a server usually is. */
const LEAST_SLOW_MS = 80;
const SLOW_TIMES_USUAL = 3;

/** What the checks of some time came to. */
export interface Checked {
  checks: number;
  failed: number;
  latency_ms: number | null;
}

interface PartRow extends Checked {
  from: Date;
  to: Date;
}

export const figuresOfChecks = sql`count(*)::integer as checks,
  count(*) filter (where status = 'error')::integer as failed,
  percentile_disc(0.5) within group (order by latency_ms) filter (where status = 'active')
    as latency_ms`;

export const halfHour = (moment: RawBuilder<unknown>) =>
  sql`date_bin('30 minutes', ${moment}, timestamptz '2000-01-01 00:00:00Z')`;

export const firstHalfHour = sql`${halfHour(sql`now()`)} - interval '23 hours 30 minutes'`;

/** Whole half hours and the one that has begun: 48 of them. */
async function readHalfHours(db: Db, id: string): Promise<PartRow[]> {
  const [first, now] = [firstHalfHour, halfHour(sql`now()`)];
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

/** Sums of the parts of a range, and from which median on one of them is slow. */
export function figuresOf(parts: readonly Checked[]) {
  const latency_ms = median(parts.flatMap((part) => part.latency_ms ?? []));
  const checks = parts.reduce((sum, part) => sum + part.checks, 0);
  const failed = parts.reduce((sum, part) => sum + part.failed, 0);
  const slow_from_ms =
    latency_ms === null ? null : Math.max(LEAST_SLOW_MS, latency_ms * SLOW_TIMES_USUAL);
  return { checks, failed, uptime: uptimeOf({ checks, failed }), latency_ms, slow_from_ms };
}

export function uptimeOf({ checks, failed }: Omit<Checked, 'latency_ms'>): number | null {
  return checks === 0 ? null : (checks - failed) / checks;
}

export function stateOf({ checks, failed, latency_ms }: Checked, slow: number | null): HealthState {
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
