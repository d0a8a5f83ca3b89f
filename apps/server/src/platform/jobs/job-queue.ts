import type { FastifyBaseLogger } from 'fastify';
import { CompiledQuery, sql } from 'kysely';
import { type Db as BossDatabase, PgBoss, type QueueOptions, type WorkOptions } from 'pg-boss';
import type { Connection } from '../../db/connect.ts';
import { withLongStatements } from '../../db/deadline.ts';
import { isDiskFull } from '../../db/errors.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { Poller } from './poller.ts';

/** If a panel dies, another one takes over its job after this time plus one poll. */
const HEARTBEAT_SECONDS = 10;
const LOOK_SECONDS = 2;
const DAY_SECONDS = 24 * 60 * 60;
const YEAR_SECONDS = 365 * DAY_SECONDS;
const STOP_MS = 5000;

/** One kind of job. Its data is stored in plain text, so it must not contain secrets. */
export interface Queue<Data extends object> {
  name: string;
  /** Concurrent jobs in one panel. */
  at_a_time: number;
  /** Interval at which a panel looks for jobs queued by other panels, and for retries. */
  poll_seconds: number;
  retries: Required<Pick<QueueOptions, 'retryLimit' | 'retryDelay'>> &
    Pick<QueueOptions, 'retryBackoff' | 'retryDelayMax'>;
  /** Jobs with the same key are not queued twice while one of them is unfinished. */
  keyOf(data: Data): string;
}

/** Runs a job, or resumes it. An exception causes a retry. */
export type Work<Data extends object> = (
  data: Data,
  run: { stopping: AbortSignal; is_last: boolean },
) => Promise<void>;

export interface Worker {
  queue: Queue<never>;
  work: Work<never>;
}

export function worker<Data extends object>(queue: Queue<Data>, work: Work<Data>): Worker {
  return { queue, work } as Worker;
}

/** A monotonic clock, because a poll would wait for days if the computer's clock were set back. */
const steadyClock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (fn: () => void, ms: number) => setTimeout(fn, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (fn: () => void, ms: number) => setInterval(fn, ms),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
};

/**
 * Hands jobs out to any number of panels. A job may run twice, if a panel dies or is taken for
 * dead, so its work must be idempotent.
 */
export class JobQueue {
  readonly #db: Db;
  readonly #log: Pick<FastifyBaseLogger, 'error'>;
  readonly #isEmbedded: boolean;
  readonly #boss: PgBoss;
  readonly #stopping = new AbortController();
  readonly #workers = new Map<string, string[]>();
  readonly #times: Poller;

  constructor(
    { db, kind }: Pick<Connection, 'db' | 'kind'>,
    log: Pick<FastifyBaseLogger, 'error'>,
  ) {
    this.#db = db;
    this.#log = log;
    this.#isEmbedded = kind === 'embedded';
    this.#boss = new PgBoss({
      db: databaseOf(db),
      backend: this.#isEmbedded ? 'pglite' : 'postgres',
      clock: steadyClock,
      schedule: false,
      superviseIntervalSeconds: LOOK_SECONDS,
      monitorIntervalSeconds: LOOK_SECONDS,
      monitorVacuum: false,
      reindex: false,
    });
    // A full disk is logged once elsewhere, not at every poll.
    this.#boss.on('error', (error) => {
      if (!isDiskFull(error)) log.error({ err: error }, 'job queue failed');
    });
    this.#times = new Poller(
      LOOK_SECONDS * 1000,
      () => this.#correctTimes(),
      (error) => log.error({ err: error }, 'job queue failed'),
    );
  }

  async start(workers: readonly Worker[]): Promise<void> {
    await this.#alone(async () => {
      await this.#boss.start();
      for (const { queue } of workers) await this.#prepare(queue);
    });
    this.#times.start();
    for (const { queue, work } of workers) await this.#begin(queue, work);
  }

  async #prepare({ name, retries }: Queue<never>): Promise<void> {
    const options = {
      ...retries,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: DAY_SECONDS,
      // Jobs expire by their number of attempts, because the clock may jump past any time limit.
      retentionSeconds: YEAR_SECONDS,
      deleteAfterSeconds: DAY_SECONDS,
    };
    await this.#boss.createQueue(name, { policy: 'exclusive', ...options });
    // The queue may have been created by an earlier version with other options.
    await this.#boss.updateQueue(name, options);
  }

  async #begin({ name, at_a_time, poll_seconds }: Queue<never>, work: Work<never>): Promise<void> {
    const ids: string[] = [];
    for (let number = 0; number < at_a_time; number++) {
      const id = await this.#boss.work<never, void, WorkOptions & { includeMetadata: true }>(
        name,
        { pollingIntervalSeconds: poll_seconds, includeMetadata: true },
        async ([job]) => {
          if (!job) return;
          const is_last = job.retryCount >= job.retryLimit;
          await this.#logFailureOf(name, () =>
            work(job.data, { stopping: this.#stopping.signal, is_last }),
          );
        },
      );
      ids.push(id);
    }
    this.#workers.set(name, ids);
  }

  /** Prevents two panels from creating pg-boss's tables at the same time. */
  async #alone(work: () => Promise<void>): Promise<void> {
    // The embedded database has a single process with a single connection.
    if (this.#isEmbedded) return work();
    await this.#db.connection().execute(async (connection) => {
      const lock = sql`select pg_advisory_lock(hashtext('job queue'))`;
      await withLongStatements(() => lock.execute(connection));
      try {
        await work();
      } finally {
        await sql`select pg_advisory_unlock(hashtext('job queue'))`.execute(connection);
      }
    });
  }

  async #correctTimes(): Promise<void> {
    if (!this.#stopping.signal.aborted) await correctQueueTimes(this.#db);
  }

  async #logFailureOf(queue: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { aborted } = this.#stopping.signal;
      if (!aborted) this.#log.error({ err: error, queue }, 'job could not go on');
      throw error;
    }
  }

  /** Queues a job in the transaction that causes it; false if an unfinished job has the same key. */
  async send<Data extends object>(db: Db | Tx, queue: Queue<Data>, data: Data): Promise<boolean> {
    const id = await this.#boss.send(queue.name, data, {
      singletonKey: queue.keyOf(data),
      db: { executeSql: (text, values) => query(db, text, values) },
    });
    return id !== null;
  }

  /** Polls immediately; call it after the commit. */
  wake({ name }: Pick<Queue<never>, 'name'>): void {
    for (const id of this.#workers.get(name) ?? []) this.#boss.notifyWorker(id);
  }

  /** Running jobs stop at their next safe point; another panel or the next start resumes them. */
  stopTakingJobs(): void {
    this.#stopping.abort();
  }

  async stop(): Promise<void> {
    await this.#times.stop();
    await this.#boss.stop({ close: false, graceful: true, timeout: STOP_MS });
  }
}

async function query(db: Db | Tx, text: string, values: unknown[] = []) {
  const { rows } = await db.executeQuery<object>(CompiledQuery.raw(text, values));
  return { rows };
}

function databaseOf(db: Db): BossDatabase {
  return {
    executeSql: (text, values) =>
      db.connection().execute(async (connection) => {
        try {
          return await query(connection, text, values);
        } catch (error) {
          // The SQL may have begun a transaction, which must not leak to other users of the
          // connection.
          await query(connection, 'rollback').catch(() => {});
          throw error;
        }
      }),
  };
}

/**
 * pg-boss compares its stored times with the database's clock. If the clock is set back, jobs would
 * wait until it has caught up, and a dead panel's job would count as running. This moves pg-boss's
 * own rows back to the present; for our tables see `healClock`.
 */
async function correctQueueTimes(db: Db): Promise<void> {
  await sql`
    with looks as (
      update pgboss.queue
        set monitor_claim_on = least(monitor_claim_on, now()),
          monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now())
        where greatest(monitor_claim_on, monitor_on, maintain_on) > clock_timestamp()),
    upkeep as (
      update pgboss.version
        set bam_on = least(bam_on, now()), flow_on = least(flow_on, now())
        where greatest(bam_on, flow_on) > clock_timestamp())
    update pgboss.job
      set start_after = least(start_after, now()), started_on = least(started_on, now()),
        heartbeat_on = least(heartbeat_on, now())
      where state < 'completed' and (
        start_after > clock_timestamp() + make_interval(
          secs => case state when 'created' then 0 else coalesce(retry_delay_max, retry_delay) end)
        or greatest(started_on, heartbeat_on) > clock_timestamp())`.execute(db);
}
