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
import { LAST_RETRY_SECONDS as LAST_WEB_PUSH_RETRY_SECONDS } from './domain/web-push/web-push-loop.ts';
import { WAIT_SECONDS as JOB_WAIT_SECONDS } from './features/lines/jobs/job-loop.ts';
import { KEY_SECONDS as AGENT_KEY_SECONDS } from './features/servers/awaited/store.ts';
import { LOOK_AT_MANY_EVERY_SECONDS } from './features/sync/orphans.ts';
import { LAST_RETRY_SECONDS as LAST_WEBHOOK_RETRY_SECONDS } from './features/webhooks/webhook-loop.ts';
import { OLD_SECRET_SECONDS } from './features/webhooks/webhooks.ts';
import { secondsAgo } from './platform/clock.ts';
import { type Background, pollEvery } from './platform/jobs/poller.ts';
import { furthestLookSeconds } from './platform/jobs/scheduler.ts';
import { windowSeconds } from './platform/rate-limit.ts';
import { scheduledJobs } from './scheduled-jobs.ts';

const EVERY_MS = 60_000;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Seconds by which a moment may be ahead without a change: clocks of panels differ, and transactions last. */
const TOLERANCE_SECONDS = 60;

interface Bound {
  /**
   * The furthest time in seconds ahead of now that is ever written into the column, as a number or
   * by the value of another column; 0 for times of past events.
   */
  furthest: number | [by: string, lengths: Record<string, number>];
  /** The new value of a time that is further ahead; null deletes the row. */
  becomes: RawBuilder<unknown> | null;
  /** SQL of the moment in the column, if it is not a timestamp. */
  moment?: RawBuilder<unknown>;
}

const now = sql`now()`;
const unset = sql`null`;
const upTo = (
  furthest: Bound['furthest'],
  becomes: Bound['becomes'] = now,
  moment?: RawBuilder<unknown>,
): Bound => ({ furthest, becomes, moment });

const sessionEnd = sql`now() + make_interval(secs => ${SESSION_SECONDS})`;
const dayBegins = sql`(reminded_on::timestamp at time zone 'utc')`;
const stepBegins = sql`to_timestamp(last_step * ${sql.lit(STEP_SECONDS)})`;
const until = sql`(suspension ->> 'until')::timestamptz`;
const untilNow = sql`jsonb_set(suspension, '{until}', to_jsonb(
  to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`;

/**
 * The furthest ahead, in seconds, that each stored time can be if the clock is right. Times beyond it are from a clock
 * that was set back. A test compares the columns with the schema.
 */
export function bounds(services: Services): Partial<Record<keyof Database, Record<string, Bound>>> {
  const looks = scheduledJobs(services).map((job) => [job.name, furthestLookSeconds(job)]);
  return {
    api_keys: { expires_at: upTo(LONGEST_KEY_SECONDS), last_used_at: upTo(0) },
    attachments: { created_at: upTo(0) },
    auth_sessions: {
      expires_at: upTo(SESSION_SECONDS, sessionEnd),
      updated_at: upTo(0),
      last_used_at: upTo(0),
    },
    awaited_servers: { expires_at: upTo(AGENT_KEY_SECONDS) },
    backup_runs: { finished_at: upTo(0), failed_at: upTo(0) },
    cccam_servers: {
      next_check_at: upTo(CHECK_EVERY_SECONDS),
      next_count_at: upTo(COUNT_MANY_EVERY_SECONDS),
      reload_look_at: upTo(OVERDUE_SECONDS),
      repaired_at: upTo(0, unset),
      away_at: upTo(0),
      back_at: upTo(0),
    },
    idempotency_keys: { created_at: upTo(0) },
    // If a job's end is in the future, its undo is refused, because the panel cannot know how long ago it ended.
    jobs: {
      claimed_until: upTo(JOB_WAIT_SECONDS),
      finished_at: upTo(0, secondsAgo(UNDO_MINUTES * 60)),
    },
    line_usage_hours: { hour: upTo(0, null) },
    mails: { next_try_at: upTo(LAST_MAIL_RETRY_SECONDS) },
    one_time_tokens: { expires_at: upTo(['purpose', validSeconds]) },
    orphan_looks: { next_look_at: upTo(LOOK_AT_MANY_EVERY_SECONDS) },
    rate_limits: { window_ends_at: upTo(['scope', windowSeconds]) },
    // The day of another panel may have begun already, so a date up to a day ahead is accepted.
    reminded_owners: { reminded_on: upTo(DAY_SECONDS, unset, dayBegins) },
    schedules: { next_at: upTo(['name', Object.fromEntries(looks)]), done_at: upTo(0, unset) },
    server_accounts: {
      claimed_until: upTo(LEASE_SECONDS),
      next_try_at: upTo(LAST_RETRY_SECONDS),
      wanted_since: upTo(0),
    },
    server_presence: { read_at: upTo(0) },
    server_presence_hours: { hour: upTo(0, null) },
    trials_made: { made_at: upTo(0) },
    two_factor: { last_step: upTo(DRIFT_STEPS * STEP_SECONDS, sql`0`, stepBegins) },
    webhooks: { old_secret_until: upTo(OLD_SECRET_SECONDS) },
    webhook_deliveries: {
      next_try_at: upTo(LAST_WEBHOOK_RETRY_SECONDS),
      created_at: upTo(0),
    },
    users: { suspension: upTo(MAX_SUSPEND_HOURS * HOUR_SECONDS, untilNow, until) },
    web_pushes: { next_try_at: upTo(LAST_WEB_PUSH_RETRY_SECONDS) },
  };
}

/** Conditions of the indexes through which large tables are read. */
const onlyWhere: Record<string, RawBuilder<unknown>> = {
  attachments: sql`ticket_id is null`,
  server_accounts: isDue,
  users: sql`suspension ->> 'until' is not null`,
};

function liesAhead([column, { moment, furthest }]: [string, Bound]): RawBuilder<boolean> {
  const seconds = Array.isArray(furthest)
    ? sql`coalesce((${JSON.stringify(furthest[1])}::jsonb ->> ${sql.ref(furthest[0])})::integer, ${DAY_SECONDS})`
    : sql`${furthest}::integer`;
  return sql`${moment ?? sql.ref(column)} > now() + make_interval(secs => ${seconds} + ${TOLERANCE_SECONDS})`;
}

const healed = ([column, bound]: [string, Bound]) =>
  sql`${sql.ref(column)} = case when ${liesAhead([column, bound])} then ${bound.becomes}
    else ${sql.ref(column)} end`;

/**
 * Corrects stored times that are further ahead than any that are ever written. They were written
 * before the clock was set back, and leases, retries and lockouts would last until the clock has
 * caught up. Comparisons of times need no such care then: new code would forget it.
 */
export async function healClock(services: Services): Promise<void> {
  const { db, connection } = services;
  if (connection.isDiskLow()) return;
  for (const [table, declared] of Object.entries(bounds(services))) {
    const columns = Object.entries(declared);
    const isAhead = sql`${onlyWhere[table] ?? sql`true`} and (${sql.join(columns.map(liesAhead), sql` or `)})`;
    const isRemoved = columns.some(([, { becomes }]) => becomes === null);
    const change = isRemoved
      ? sql`delete from ${sql.table(table)}`
      : sql`update ${sql.table(table)} set ${sql.join(columns.map(healed))}`;
    await sql`${change} where ${isAhead}`.execute(db);
  }
}

/** Runs `healClock` at the start and each minute; a failure is tried again at the next run. */
export function clockHealer(services: Services): Background {
  const poller = pollEvery(
    EVERY_MS,
    () => healClock(services),
    (err) => services.log.error({ err }, 'moments ahead of the clock could not be moved'),
  );
  const start = () => {
    poller.start();
    poller.lookNow();
  };
  return { ...poller, start };
}
