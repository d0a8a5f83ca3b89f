import type { Day } from '@linekeeper/contract/dates.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../db/connect.ts';
import { withLongStatements } from '../../db/deadline.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { type JobQueue, type Queue, type Worker, worker } from './job-queue.ts';
import { type Background, Poller } from './poller.ts';
import { lastDue, type Moments, type When } from './schedule.ts';

/** One run of a job. A job that is due at moments gets the last of them, to the microsecond, and its day. */
interface Run {
  stopping: AbortSignal;
  due_at: string;
  day: Day;
}

/** A recurring job that runs once for all panels together. */
export interface ScheduledJob {
  name: string;
  when: When;
  /** A queue of its own, so that other jobs do not wait for this one. */
  queue?: JobsQueue;
  /**
   * Must be idempotent, because a job may run twice. `false` says that work is left: the moment is not
   * done, and the job goes on at the next look.
   */
  run(run: Run): Promise<unknown>;
}

/** The moment is for panels of 1.1.0, which may take the job of a backup. */
type JobsQueue = Queue<{ name: string; due_at?: string }>;

const LOOK_EVERY_MS = 5000;
/** Time between two looks whether a moment has come. */
const MOMENT_LOOKS_SECONDS = 10;
/** Time between two looks whether the day's work is done; a look goes on with what is left. */
const DAY_LOOKS_SECONDS = 300;

const scheduleQueue: JobsQueue = {
  name: 'schedule',
  at_a_time: 1,
  poll_seconds: 5,
  retries: { retryLimit: 3, retryDelay: 60 },
  keyOf: ({ name }) => name,
};

interface SchedulerServices {
  config: { time_zone: string };
  connection: Pick<Connection, 'isDiskLow'>;
  db: Db;
  jobQueue: JobQueue;
  log: Pick<FastifyBaseLogger, 'error'>;
}
type QueueServices = Pick<SchedulerServices, 'config' | 'db' | 'jobQueue'>;

/**
 * Queues each scheduled job when it is due. Any number of panels may run this; one of them sets the
 * time of the next look and queues the job in one transaction.
 */
export class Scheduler implements Background {
  readonly #services: SchedulerServices;
  readonly #jobs: readonly ScheduledJob[];
  readonly #poller: Poller;
  readonly #running = new Map<string, Promise<unknown>>();
  #isKnown = false;

  constructor(services: SchedulerServices, jobs: readonly ScheduledJob[]) {
    this.#services = services;
    this.#jobs = jobs;
    this.#poller = new Poller(
      LOOK_EVERY_MS,
      () => this.#look(),
      (error) => services.log.error({ err: error }, 'schedules could not be read'),
    );
  }

  /** For the job queue. A job that only an older version knows is ignored. */
  workers(): Worker[] {
    const queues = new Set([scheduleQueue, ...this.#jobs.flatMap(({ queue }) => queue ?? [])]);
    return [...queues].map((queue) =>
      worker(queue, async ({ name }, { stopping, is_last }) => {
        const job = this.#jobs.find((one) => (one.queue ? one.queue === queue : one.name === name));
        if (!job || this.#services.connection.isDiskLow()) return;
        await this.#once(job, () =>
          withLongStatements(() => runIfDue(this.#services, job, { stopping, is_last })),
        );
      }),
    );
  }

  start(): void {
    this.#poller.start();
    this.#poller.lookNow();
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
  }

  /** A long transaction on the embedded database makes the queue take its own job for dead. */
  async #once({ name }: ScheduledJob, run: () => Promise<unknown>): Promise<void> {
    const running = this.#running.get(name) ?? run().finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    await running;
  }

  async #look(): Promise<void> {
    const { connection, db } = this.#services;
    if (connection.isDiskLow()) return;
    if (!this.#isKnown) await makeKnown(db, this.#jobs);
    this.#isKnown = true;
    await sendDueJobs(this.#services, this.#jobs);
  }
}

const isAtMoments = (when: When): when is Moments => typeof when.every !== 'number';
const isOfThatDay = (when: When) => 'is_of_that_day' in when;

/** The seconds after which a job is looked at again. */
export function secondsToNextLook({ when }: ScheduledJob): number {
  if (!isAtMoments(when)) return when.every;
  return isOfThatDay(when) ? DAY_LOOKS_SECONDS : MOMENT_LOOKS_SECONDS;
}

/** A newly added job is looked at first after one interval, a backup at once. */
async function makeKnown(db: Db, jobs: readonly ScheduledJob[]): Promise<void> {
  for (const job of jobs) {
    const isMadeUpFor = isAtMoments(job.when) && !isOfThatDay(job.when);
    const seconds = isMadeUpFor ? 0 : secondsToNextLook(job);
    await db
      .insertInto('schedules')
      .values({ name: job.name, next_at: sql<Date>`now() + make_interval(secs => ${seconds})` })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Queues the jobs that are due; returns their names. */
export async function sendDueJobs(
  services: QueueServices,
  jobs: readonly ScheduledJob[],
): Promise<string[]> {
  const { config, db, jobQueue } = services;
  const reached = await findReached(db, jobs);
  if (reached.length === 0) return [];
  const sent = await transact(db, async (tx) => {
    const taken: ScheduledJob[] = [];
    for (const job of reached) {
      if (!(await moveOn(tx, job))) continue;
      const due = isAtMoments(job.when)
        ? await findDue(tx, job.name, job.when, config.time_zone)
        : undefined;
      if (due === null) continue;
      const queued = { name: job.name, ...(due && { due_at: due.due_at }) };
      // A backup that is still tried is not sent again.
      await jobQueue.send(tx, job.queue ?? scheduleQueue, queued);
      taken.push(job);
    }
    return taken;
  });
  for (const queue of new Set(sent.map((job) => job.queue ?? scheduleQueue))) jobQueue.wake(queue);
  return sent.map(({ name }) => name);
}

async function findReached(db: Db, jobs: readonly ScheduledJob[]): Promise<ScheduledJob[]> {
  const rows = await db
    .selectFrom('schedules')
    .select('name')
    .where('next_at', '<=', sql<Date>`now()`)
    .execute();
  const names = new Set(rows.map(({ name }) => name));
  return jobs.filter(({ name }) => names.has(name));
}

/** False if another panel was faster. */
async function moveOn(tx: Tx, job: ScheduledJob): Promise<boolean> {
  const seconds = secondsToNextLook(job);
  const { numUpdatedRows } = await tx
    .updateTable('schedules')
    .set({ next_at: sql`now() + make_interval(secs => ${seconds})` })
    .where('name', '=', job.name)
    .where('next_at', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The last moment at which the job was due; null if its work was done since. */
async function findDue(
  db: Db,
  name: string,
  when: Moments,
  timeZone: string,
  now: RawBuilder<Date> = sql`now()`,
): Promise<{ due_at: string; day: Day } | null> {
  const schedule =
    when.every === 'hour'
      ? when
      : { every: when.every, at: typeof when.at === 'string' ? when.at : await when.at(db) };
  const today = sql`(${now} at time zone ${timeZone})::date`;
  // Work of one day is done once in it, also if its time is changed meanwhile.
  const since = isOfThatDay(when)
    ? sql`(${today}::timestamp at time zone ${timeZone})`
    : sql`due_at`;
  const { rows } = await sql<{ due_at: string; day: Day }>`
    select due_at::text, ${today}::text as day
      from (select ${lastDue(schedule, timeZone, now)} as due_at) as last
      where due_at >= ${since} and not exists (
        select from schedules where name = ${name} and done_at >= ${since})`.execute(db);
  return rows[0] ?? null;
}

/**
 * Runs a job unless its moment is done. A moment is done when its work has ended, or if its queue gives it
 * up; work of one day is tried until its day ends. Returns what the job returned.
 *
 * @param now another moment than the present, for tests.
 */
export async function runIfDue(
  { config, db }: Pick<SchedulerServices, 'config' | 'db'>,
  job: ScheduledJob,
  { stopping, is_last = false }: { stopping: AbortSignal; is_last?: boolean },
  now?: RawBuilder<Date>,
): Promise<unknown> {
  const { name, when } = job;
  if (!isAtMoments(when)) return job.run({ stopping, due_at: '', day: '' });
  const due = await findDue(db, name, when, config.time_zone, now);
  if (!due) return undefined;
  try {
    const ended = await job.run({ stopping, ...due });
    if (ended !== false && !stopping.aborted) await markDone(db, name, due.due_at);
    return ended;
  } catch (error) {
    if (is_last && !stopping.aborted && !isOfThatDay(when)) await markDone(db, name, due.due_at);
    throw error;
  }
}

async function markDone(db: Db, name: string, done_at: string): Promise<void> {
  await db.updateTable('schedules').set({ done_at }).where('name', '=', name).execute();
}
