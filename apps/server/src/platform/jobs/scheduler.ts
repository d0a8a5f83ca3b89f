import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Connection } from '../../db/connect.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { isReached } from '../clock.ts';
import type { JobQueue, Queue } from './job-queue.ts';
import { Poller } from './poller.ts';

/** A recurring job that runs once for all panels together. */
export interface ScheduledJob {
  name: string;
  every_seconds: number;
  /** Must be idempotent, because a job may run twice. */
  work(stopping: AbortSignal): Promise<void>;
}

const LOOK_EVERY_MS = 5000;

export const scheduleQueue: Queue<{ name: string }> = {
  name: 'schedule',
  at_a_time: 1,
  poll_seconds: 5,
  retries: { retryLimit: 3, retryDelay: 60 },
  keyOf: ({ name }) => name,
};

type SchedulerServices = {
  connection: Pick<Connection, 'isDiskLow'>;
  db: Db;
  jobQueue: JobQueue;
  log: Pick<FastifyBaseLogger, 'error'>;
};

/**
 * Queues each scheduled job when it is due. Any number of panels may run this; one of them sets the
 * next time and queues the job in one transaction. See `isReached` for clocks that jump.
 */
export class Scheduler {
  readonly #services: SchedulerServices;
  readonly #jobs: readonly ScheduledJob[];
  readonly #poller: Poller;
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

  start(): void {
    this.#poller.start();
    this.#poller.lookNow();
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
  }

  /** Runs a job from the queue; ignores one that only an older version knows. */
  async run(name: string, stopping: AbortSignal): Promise<void> {
    if (this.#services.connection.isDiskLow()) return;
    await this.#jobs.find((job) => job.name === name)?.work(stopping);
  }

  async #look(): Promise<void> {
    const { connection, db, jobQueue } = this.#services;
    if (connection.isDiskLow()) return;
    if (!this.#isKnown) await makeKnown(db, this.#jobs);
    this.#isKnown = true;
    await sendDueJobs(db, jobQueue, this.#jobs);
  }
}

/** A newly added job is first due after one interval. */
async function makeKnown(db: Db, jobs: readonly ScheduledJob[]): Promise<void> {
  for (const { name, every_seconds } of jobs) {
    await db
      .insertInto('schedules')
      .values({ name, next_at: sql<Date>`now() + make_interval(secs => ${every_seconds})` })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Queues the jobs that are due; returns their names. */
export async function sendDueJobs(
  db: Db,
  jobQueue: JobQueue,
  jobs: readonly ScheduledJob[],
): Promise<string[]> {
  const due = await findDueJobs(db, jobs);
  if (due.length === 0) return [];
  const sent = await transact(db, async (tx) => {
    const taken: string[] = [];
    for (const job of due) {
      if (!(await moveOn(tx, job))) continue;
      await jobQueue.send(tx, scheduleQueue, { name: job.name });
      taken.push(job.name);
    }
    return taken;
  });
  if (sent.length > 0) jobQueue.wake(scheduleQueue);
  return sent;
}

async function findDueJobs(db: Db, jobs: readonly ScheduledJob[]): Promise<ScheduledJob[]> {
  const rows = await db
    .selectFrom('schedules')
    .select('name')
    .where((where) =>
      where.or(
        jobs.map(({ name, every_seconds }) =>
          where.and([where('name', '=', name), isReached(sql.ref('next_at'), every_seconds)]),
        ),
      ),
    )
    .execute();
  const names = new Set(rows.map(({ name }) => name));
  return jobs.filter(({ name }) => names.has(name));
}

/** False if another panel was faster. */
async function moveOn(tx: Tx, { name, every_seconds }: ScheduledJob): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('schedules')
    .set({ next_at: sql`now() + make_interval(secs => ${every_seconds})` })
    .where('name', '=', name)
    .where(isReached(sql.ref('next_at'), every_seconds))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
