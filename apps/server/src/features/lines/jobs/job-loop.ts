import { sql } from 'kysely';
import { withLongStatements } from '../../../db/deadline.ts';
import type { Db } from '../../../db/transaction.ts';
import type { Services } from '../../../domain/context/context.ts';
import {
  ClaimLoop,
  inSeconds,
  LEASE_SECONDS,
  underLease,
} from '../../../platform/jobs/claim-loop.ts';
import type { Background } from '../../../platform/jobs/poller.ts';
import { mayBecome } from './job-state.ts';
import { runJob } from './run-job.ts';

/** The channel on which the database notifies that a job is queued. */
const CHANNEL = 'linekeeper_jobs';
/** Jobs that one panel runs at a time: several, so that a small job does not wait for a large one. */
const AT_A_TIME = 3;
const LOOK_SECONDS = 2;
/** Seconds for which an undo that waits for card servers pauses. */
export const WAIT_SECONDS = 15;

interface Claim {
  id: string;
}

/** Claims up to `limit` unfinished jobs, other than those that this panel is running. */
async function claimJobs(db: Db, limit: number, running: readonly Claim[]): Promise<Claim[]> {
  const own = running.map(({ id }) => id);
  const { rows } = await sql<Claim>`
    update jobs set state = 'running', claimed_until = ${inSeconds(LEASE_SECONDS)}, updated_at = now()
      where id in (
        select id from jobs
          where ${mayBecome('running')} and not (id = any(${own}::uuid[]))
            and (claimed_until is null or claimed_until <= now())
          order by created_at limit ${limit} for update skip locked)
      returning id`.execute(db);
  return rows;
}

/**
 * Runs a job that is leased to this panel; it does no harm if another panel runs it, too. If the
 * job has not ended after that, it becomes due again.
 */
async function runClaimed(services: Services, { id }: Claim, stopping: AbortSignal): Promise<void> {
  const holdFor = (seconds: number) =>
    services.db
      .updateTable('jobs')
      .set({ claimed_until: inSeconds(stopping.aborted ? 0 : seconds) })
      .where('id', '=', id)
      .where(mayBecome('running'))
      .execute();
  let pause = LOOK_SECONDS;
  try {
    await underLease(
      () => holdFor(LEASE_SECONDS),
      () => runJob(services, id, stopping),
    );
    pause = WAIT_SECONDS;
  } finally {
    await holdFor(pause);
  }
}

/** Carries out bulk work, as soon as the transaction of any panel that queued it has committed. */
export function jobLoop(services: Services): Background {
  const { connection, db, log } = services;
  const loop = new ClaimLoop<Claim>(
    {
      name: 'bulk job',
      every_ms: LOOK_SECONDS * 1000,
      at_a_time: AT_A_TIME,
      claim: async (limit, running) =>
        connection.isDiskLow() ? [] : claimJobs(db, limit, running),
      work: (claim, stopping) => withLongStatements(() => runClaimed(services, claim, stopping)),
      about: ({ id }) => ({ job_id: id }),
    },
    log,
  );
  return {
    start: async () => {
      await loop.startOn(connection, CHANNEL);
      loop.lookNow();
    },
    stop: () => loop.stop(),
  };
}
