import { UNDO_MINUTES } from '@linekeeper/contract/lines/bulk.ts';
import { MAX_SUSPEND_HOURS } from '@linekeeper/contract/settings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './db/schema/schema.ts';
import { LONGEST_SECONDS as LONGEST_KEY_SECONDS } from './domain/accounts/api-keys.ts';
import { validSeconds } from './domain/accounts/one-time-tokens.ts';
import { DRIFT_STEPS, STEP_SECONDS } from './domain/accounts/totp.ts';
import { COUNT_MANY_EVERY_SECONDS } from './domain/checks/lost-accounts.ts';
import { EVERY_SECONDS as CHECK_EVERY_SECONDS } from './domain/checks/server-checks.ts';
import { SESSION_SECONDS } from './domain/context/auth.ts';
import type { Services } from './domain/context/context.ts';
import { LAST_RETRY_SECONDS, LEASE_SECONDS } from './domain/delivery/push-claims.ts';
import { OVERDUE_SECONDS } from './domain/machines/card-server/agent-report.ts';
import { isDue } from './domain/machines/server-accounts.ts';
import { LAST_RETRY_SECONDS as LAST_MAIL_RETRY_SECONDS } from './domain/mail/mail-loop.ts';
import { WAIT_SECONDS as JOB_WAIT_SECONDS } from './features/lines/bulk/job-loop.ts';
import { KEY_SECONDS as AGENT_KEY_SECONDS } from './features/servers/awaited/store.ts';
import { LOOK_AT_MANY_EVERY_SECONDS } from './features/sync/orphans/look-for-orphans.ts';
import { secondsAgo } from './platform/clock.ts';
import { type Background, Poller } from './platform/jobs/poller.ts';
import { furthestLookSeconds } from './platform/jobs/scheduler.ts';
import { windowSeconds } from './platform/rate-limit.ts';
import { scheduledJobs } from './scheduled-jobs.ts';

const EVERY_MS = 60_000;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Clocks of panels differ, and transactions last: what is ahead by less than this is left as it is. */
const TOLERANCE_SECONDS = 60;

/** Seconds that depend on what another column of the row says. */
interface Lengths {
  by: string;
  of: Record<string, number>;
  otherwise: number;
}

export interface Bound {
  table: keyof Database;
  column: string;
  /** The furthest ahead that the column is ever written, in seconds; 0 for what says when something was. */
  furthest: number | Lengths;
  /** What it becomes where it lies further ahead; null deletes the row. */
  becomes: RawBuilder<unknown> | null;
  /** The moment that the column holds, where it is no timestamp. */
  moment: RawBuilder<unknown>;
}

const now = sql`now()`;
const unset = sql`null`;

const bound = (
  table: keyof Database,
  column: string,
  furthest: Bound['furthest'],
  becomes: Bound['becomes'] = now,
  moment: Bound['moment'] = sql.ref(column),
): Bound => ({ table, column, furthest, becomes, moment });

const until = sql`(suspension ->> 'until')::timestamptz`;
const untilNow = sql`jsonb_set(suspension, '{until}', to_jsonb(
  to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`;

/** Every stored moment that something waits for or counts from. A new one is added here, see the test. */
export function bounds(services: Services): Bound[] {
  const jobs = scheduledJobs(services);
  const lookSeconds = Object.fromEntries(jobs.map((job) => [job.name, furthestLookSeconds(job)]));
  return [
    bound('api_keys', 'expires_at', LONGEST_KEY_SECONDS),
    bound('api_keys', 'last_used_at', 0),
    bound('attachments', 'created_at', 0),
    bound(
      'auth_sessions',
      'expires_at',
      SESSION_SECONDS,
      sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
    ),
    bound('auth_sessions', 'updated_at', 0),
    bound('auth_sessions', 'last_used_at', 0),
    bound('awaited_servers', 'expires_at', AGENT_KEY_SECONDS),
    bound('backup_runs', 'finished_at', 0),
    bound('backup_runs', 'failed_at', 0),
    bound('cccam_servers', 'next_check_at', CHECK_EVERY_SECONDS),
    bound('cccam_servers', 'next_count_at', COUNT_MANY_EVERY_SECONDS),
    bound('cccam_servers', 'reload_look_at', OVERDUE_SECONDS),
    bound('cccam_servers', 'repaired_at', 0, unset),
    bound('cccam_servers', 'away_at', 0),
    bound('cccam_servers', 'back_at', 0),
    bound('idempotency_keys', 'created_at', 0),
    // Too long ago to be undone: whether it was is unknown.
    bound('jobs', 'claimed_until', JOB_WAIT_SECONDS),
    bound('jobs', 'finished_at', 0, secondsAgo(UNDO_MINUTES * 60)),
    bound('line_usage_hours', 'hour', 0, null),
    bound('mails', 'next_try_at', LAST_MAIL_RETRY_SECONDS),
    bound('one_time_tokens', 'expires_at', { by: 'purpose', of: validSeconds, otherwise: HOUR }),
    bound('orphan_looks', 'next_look_at', LOOK_AT_MANY_EVERY_SECONDS),
    bound('rate_limits', 'window_ends_at', { by: 'scope', of: windowSeconds, otherwise: DAY }),
    // Another panel's day may have begun.
    bound(
      'reminded_owners',
      'reminded_on',
      DAY,
      unset,
      sql`(reminded_on::timestamp at time zone 'utc')`,
    ),
    bound('schedules', 'next_at', { by: 'name', of: lookSeconds, otherwise: DAY }),
    bound('schedules', 'done_at', 0, unset),
    bound('server_accounts', 'claimed_until', LEASE_SECONDS),
    bound('server_accounts', 'next_try_at', LAST_RETRY_SECONDS),
    bound('server_accounts', 'wanted_since', 0),
    bound('server_presence', 'read_at', 0),
    bound('server_presence_hours', 'hour', 0, null),
    bound('trials_made', 'made_at', 0),
    bound(
      'two_factor',
      'last_step',
      DRIFT_STEPS * STEP_SECONDS,
      sql`0`,
      sql`to_timestamp(last_step * ${sql.lit(STEP_SECONDS)})`,
    ),
    bound('users', 'suspension', MAX_SUSPEND_HOURS * HOUR, untilNow, until),
  ];
}

/** Conditions of the indexes by which large tables are read. */
const onlyWhere: Partial<Record<keyof Database, RawBuilder<unknown>>> = {
  attachments: sql`ticket_id is null`,
  server_accounts: isDue,
  users: sql`suspension ->> 'until' is not null`,
};

function secondsOf(furthest: Bound['furthest']): RawBuilder<number> {
  if (typeof furthest === 'number') return sql`${furthest}::integer`;
  const { by, of, otherwise } = furthest;
  return sql`coalesce((${JSON.stringify(of)}::jsonb ->> ${sql.ref(by)})::integer, ${otherwise})`;
}

const liesAhead = ({ moment, furthest }: Bound) =>
  sql`${moment} > now() + make_interval(secs => ${secondsOf(furthest)} + ${TOLERANCE_SECONDS})`;

const healed = (one: Bound) =>
  sql`${sql.ref(one.column)} = case when ${liesAhead(one)} then ${one.becomes} else ${sql.ref(one.column)} end`;

/**
 * Moves stored moments that lie further ahead than they are ever written back to where they do no harm. They
 * were written before the clock was set back, and would be waited for until it has come so far again: leases,
 * retries, lock-outs. Everything else compares with the present alone.
 */
export async function healClock(services: Services): Promise<void> {
  const { db, connection } = services;
  if (connection.isDiskLow()) return;
  for (const [table, columns] of Map.groupBy(bounds(services), (one) => one.table)) {
    const isMeant = sql`${onlyWhere[table] ?? sql`true`} and (${sql.join(columns.map(liesAhead), sql` or `)})`;
    const isRemoved = columns.some(({ becomes }) => becomes === null);
    await (isRemoved
      ? sql`delete from ${sql.table(table)} where ${isMeant}`
      : sql`update ${sql.table(table)} set ${sql.join(columns.map(healed))} where ${isMeant}`
    ).execute(db);
  }
}

/** Heals at the start and each minute; what fails is tried again by the next look. */
export function clockHealer(services: Services): Background {
  const report = (error: unknown) =>
    services.log.error({ err: error }, 'moments ahead of the clock could not be moved');
  const poller = new Poller(EVERY_MS, () => healClock(services), report);
  return {
    start: async () => {
      await healClock(services).catch(report);
      poller.start();
    },
    stop: () => poller.stop(),
  };
}
