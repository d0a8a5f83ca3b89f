import type { Day } from '@linekeeper/contract/dates.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../db/connect.ts';
import { withLongStatements } from '../../db/deadline.ts';
import type { Db } from '../../db/transaction.ts';
import { ClaimLoop, inSeconds, LEASE_SECONDS, underLease } from './claim-loop.ts';
import type { Background } from './poller.ts';
import { lastDue, type Moments, type When } from './schedule.ts';

/** One run of a job. A job that is due at certain moments gets the last of them, to the microsecond, and its day. */
interface Run {
  stopping: AbortSignal;
  due_at: string;
  day: Day;
}

/** A recurring job that runs once for all panels together. */
export interface ScheduledJob {
  name: string;
  when: When;
  /** Runs the job. It must be idempotent, because a job may run twice. */
  run(run: Run): Promise<unknown>;
}

interface Claim {
  job: ScheduledJob;
  /** The attempts since the job last ended, including this one. */
  attempts: number;
}

const LOOK_EVERY_MS = 5000;
/** Seconds between two checks for whether an hourly or daily time has come. */
const MOMENT_LOOKS_SECONDS = 10;
/** Seconds between two checks for whether the day's work is done. */
const DAY_LOOKS_SECONDS = 300;
/** Retries after a failure, about two hours in total, because somebody may make space for a backup in the meantime. */
const RETRIES = 6;
const FIRST_RETRY_SECONDS = 60;
const LAST_RETRY_SECONDS = 3600;

interface SchedulerServices {
  config: { time_zone: string };
  connection: Pick<Connection, 'isDiskLow'>;
  db: Db;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * Runs each scheduled job when it is due. `schedules.next_at` is the time of the next look for each
 * job and, during its work, the end of the lease of the panel that runs it.
 */
export function scheduleLoop(
  services: SchedulerServices,
  jobs: readonly ScheduledJob[],
): Background {
  const { connection, db, log } = services;
  let isKnown = false;
  const loop = new ClaimLoop<Claim>(
    {
      name: 'scheduled job',
      every_ms: LOOK_EVERY_MS,
      at_a_time: Number.POSITIVE_INFINITY,
      claim: async (_, running) => {
        if (connection.isDiskLow()) return [];
        if (!isKnown) await makeKnown(db, jobs);
        isKnown = true;
        return claimDue(
          db,
          jobs.filter((job) => !running.some((claim) => claim.job === job)),
        );
      },
      work: (claim, stopping) => withLongStatements(() => runClaimed(services, claim, stopping)),
      about: ({ job }) => ({ job: job.name }),
    },
    log,
  );
  const start = () => {
    loop.start();
    loop.lookNow();
  };
  return { start, stop: () => loop.stop() };
}

const makesUp = (when: When) => when.kind === 'hourly' || (when.kind === 'daily' && when.makes_up);

function secondsToNextLook(when: When): number {
  if (when.kind === 'every') return when.seconds;
  return makesUp(when) ? MOMENT_LOOKS_SECONDS : DAY_LOOKS_SECONDS;
}

/** The longest pause after a failure in seconds: recurring work does not wait for longer than its interval. */
const longestRetrySeconds = (when: When) =>
  makesUp(when) ? LAST_RETRY_SECONDS : secondsToNextLook(when);

/** The furthest ahead, in seconds, that the next look at a job is ever scheduled. */
export const furthestLookSeconds = ({ when }: ScheduledJob) =>
  Math.max(secondsToNextLook(when), longestRetrySeconds(when));

/** Stores new jobs. The first look is after one interval; for a backup, immediately. */
async function makeKnown(db: Db, jobs: readonly ScheduledJob[]): Promise<void> {
  for (const { name, when } of jobs) {
    await db
      .insertInto('schedules')
      .values({ name, next_at: inSeconds(makesUp(when) ? 0 : secondsToNextLook(when)) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Claims the jobs that are due, for this panel. */
export async function claimDue(db: Db, jobs: readonly ScheduledJob[]): Promise<Claim[]> {
  if (jobs.length === 0) return [];
  const names = jobs.map(({ name }) => name);
  const { rows } = await sql<{ name: string; attempts: number }>`
    update schedules set next_at = ${inSeconds(LEASE_SECONDS)}, attempts = attempts + 1
      where name in (
        select name from schedules where name = any(${names}::text[]) and next_at <= now() for update skip locked)
      returning name, attempts`.execute(db);
  return rows.flatMap(({ name, attempts }) => {
    const job = jobs.find((one) => one.name === name);
    return job ? [{ job, attempts }] : [];
  });
}

async function runClaimed(
  services: SchedulerServices,
  { job, attempts }: Claim,
  stopping: AbortSignal,
): Promise<void> {
  const { name, when } = job;
  const lookIn = (seconds: number, tried: number) =>
    services.db
      .updateTable('schedules')
      .set({ next_at: inSeconds(stopping.aborted ? 0 : seconds), attempts: tried })
      .where('name', '=', name)
      .execute();
  const is_last = attempts > RETRIES;
  try {
    await underLease(
      () => lookIn(LEASE_SECONDS, attempts),
      () => runIfDue(services, job, { stopping, is_last }),
    );
  } catch (error) {
    const pause = Math.min(longestRetrySeconds(when), FIRST_RETRY_SECONDS * 2 ** (attempts - 1));
    await (is_last ? lookIn(secondsToNextLook(when), 0) : lookIn(pause, attempts));
    throw error;
  }
  await lookIn(secondsToNextLook(when), 0);
}

/**
 * The last time at which the job was due; null if its work was done since. A done time in the
 * future comes from a wrong clock, and is ignored.
 */
async function findDue(
  db: Db,
  name: string,
  when: Moments,
  timeZone: string,
  now: RawBuilder<Date> = sql`now()`,
): Promise<{ due_at: string; day: Day } | null> {
  const set = when.kind === 'hourly' ? null : when.at;
  const at = typeof set === 'function' ? await set(db) : set;
  const today = sql`(${now} at time zone ${timeZone})::date`;
  // Daily work is done once a day, even if its time is changed in the meantime.
  const since = makesUp(when) ? sql`due_at` : sql`(${today}::timestamp at time zone ${timeZone})`;
  const { rows } = await sql<{ due_at: string; day: Day }>`
    select due_at::text, ${today}::text as day
      from (select ${lastDue(at, timeZone, now)} as due_at) as last
      where due_at >= ${since} and not exists (
        select from schedules where name = ${name} and done_at between ${since} and ${now})`.execute(
    db,
  );
  return rows[0] ?? null;
}

/**
 * Runs a job unless its time is done. A time is done when its work has ended, and, for work that is
 * made up, also after its last attempt; daily work is tried until its day ends. Returns the job's
 * result.
 * @param now another time than the present, for tests.
 */
export async function runIfDue(
  { config, db }: Pick<SchedulerServices, 'config' | 'db'>,
  job: ScheduledJob,
  { stopping, is_last = false }: { stopping: AbortSignal; is_last?: boolean },
  now?: RawBuilder<Date>,
): Promise<unknown> {
  const { name, when } = job;
  if (when.kind === 'every') return job.run({ stopping, due_at: '', day: '' });
  const due = await findDue(db, name, when, config.time_zone, now);
  if (!due) return undefined;
  try {
    const ended = await job.run({ stopping, ...due });
    if (!stopping.aborted) await markDone(db, name, due.due_at);
    return ended;
  } catch (error) {
    if (is_last && !stopping.aborted && makesUp(when)) await markDone(db, name, due.due_at);
    throw error;
  }
}

async function markDone(db: Db, name: string, done_at: string): Promise<void> {
  await db.updateTable('schedules').set({ done_at }).where('name', '=', name).execute();
}
