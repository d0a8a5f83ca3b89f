import type { FastifyBaseLogger } from 'fastify';
import { CompiledQuery, sql } from 'kysely';
import { type Db as BossDatabase, PgBoss } from 'pg-boss';
import type { Connection } from '../db/connect.ts';
import type { Db, Tx } from '../db/transaction.ts';

const QUEUE = 'bulk';
/** Jobs at a time in one panel: a small one does not wait for a large one. */
const AT_A_TIME = 3;
const POLL_SECONDS = 2;
/** A job whose panel died is taken up by another after this and one look. */
const HEARTBEAT_SECONDS = 10;
const LOOK_SECONDS = 2;
const DAY_SECONDS = 24 * 60 * 60;
const STOP_MS = 5000;

/** Does one job, or what is left of it; stops early, by throwing, when the signal says so. */
export type RunJob = (jobId: string, stopping: AbortSignal) => Promise<void>;

/**
 * Says which job is to be done next, by one panel of any number. It carries ids alone: what a job is
 * and what is left of it stands in `jobs` and `job_items`, so carrying one twice does no harm.
 */
export class JobQueue {
  readonly #db: Db;
  readonly #log: Pick<FastifyBaseLogger, 'error'>;
  readonly #isEmbedded: boolean;
  readonly #boss: PgBoss;
  readonly #stopping = new AbortController();
  readonly #workers: string[] = [];

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
      schedule: false,
      superviseIntervalSeconds: LOOK_SECONDS,
      monitorIntervalSeconds: LOOK_SECONDS,
      monitorVacuum: false,
      reindex: false,
    });
    this.#boss.on('error', (error) => log.error({ err: error }, 'job queue failed'));
  }

  async start(run: RunJob): Promise<void> {
    await this.#alone(async () => {
      await this.#boss.start();
      await this.#boss.createQueue(QUEUE, {
        policy: 'exclusive',
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: DAY_SECONDS,
        retryLimit: 10_000,
        // The next poll is early enough.
        retryDelay: 0,
        deleteAfterSeconds: DAY_SECONDS,
      });
    });
    for (let worker = 0; worker < AT_A_TIME; worker++) {
      const id = await this.#boss.work<{ id: string }>(
        QUEUE,
        { pollingIntervalSeconds: POLL_SECONDS },
        async ([job]) => {
          if (job) await this.#attempt(run, job.data.id);
        },
      );
      this.#workers.push(id);
    }
    await this.sendUnfinished();
  }

  /** Two panels that make the queue's tables at once would be in each other's way. */
  async #alone(work: () => Promise<void>): Promise<void> {
    // The embedded database has one process, and one connection.
    if (this.#isEmbedded) return work();
    await this.#db.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(hashtext('job queue'))`.execute(connection);
      try {
        await work();
      } finally {
        await sql`select pg_advisory_unlock(hashtext('job queue'))`.execute(connection);
      }
    });
  }

  /** What is thrown has the job tried again. */
  async #attempt(run: RunJob, jobId: string): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await run(jobId, signal);
    } catch (error) {
      if (!signal.aborted) this.#log.error({ err: error, job_id: jobId }, 'job could not go on');
      throw error;
    }
  }

  /** In the transaction that writes the job. */
  async send(tx: Tx, jobId: string): Promise<void> {
    await this.#boss.send(QUEUE, { id: jobId }, { singletonKey: jobId, db: inTransaction(tx) });
  }

  /** Looks at once instead of at the next poll; for after the commit. */
  wake(): void {
    for (const worker of this.#workers) this.#boss.notifyWorker(worker);
  }

  /** Jobs that nobody carries any more, as after a restore from a backup; one that is carried stays so. */
  async sendUnfinished(): Promise<void> {
    const jobs = await this.#db
      .selectFrom('jobs')
      .select('id')
      .where('state', 'in', ['queued', 'running'])
      .execute();
    for (const { id } of jobs) await this.#boss.send(QUEUE, { id }, { singletonKey: id });
  }

  /** Jobs under way stop after the row they are at; another panel, or the next start, goes on. */
  letGo(): void {
    this.#stopping.abort();
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ close: false, graceful: true, timeout: STOP_MS });
  }
}

async function query(db: Db | Tx, text: string, values: unknown[] = []) {
  const { rows } = await db.executeQuery<object>(CompiledQuery.raw(text, values));
  return { rows };
}

function inTransaction(tx: Tx): BossDatabase {
  return { executeSql: (text, values) => query(tx, text, values) };
}

function databaseOf(db: Db): BossDatabase {
  return {
    executeSql: (text, values) =>
      db.connection().execute(async (connection) => {
        try {
          return await query(connection, text, values);
        } catch (error) {
          // The text may have begun a transaction of its own: nobody else may find it open.
          await query(connection, 'rollback').catch(() => {});
          throw error;
        }
      }),
  };
}
