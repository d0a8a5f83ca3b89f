import type { Day } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Services } from '../../domain/context/context.ts';
import { runIfDue } from '../../platform/jobs/scheduler.ts';
import { scheduledJobs } from '../../scheduled-jobs.ts';

/** Runs a job of the panel's schedule if it is due, now or at an hour of a day. Returns what it returned. */
export async function runScheduled(
  services: Services,
  name: string,
  at?: { day: Day; hour: number },
  stopping = new AbortController().signal,
): Promise<unknown> {
  const job = scheduledJobs(services).find((one) => one.name === name);
  if (!job) throw new Error(`no job ${name}`);
  const zone = services.config.time_zone;
  const now =
    at && sql<Date>`((${at.day}::date + make_interval(hours => ${at.hour})) at time zone ${zone})`;
  return runIfDue(services, job, { stopping }, now);
}

/** Moves the run of this hour into the past when it has ended, so that the next look finds one that is due. */
export async function makeBackupDue(db: Db): Promise<bigint | undefined> {
  const { numAffectedRows } = await sql`
    with done as (update schedules set done_at = null
      where name = 'backup' and done_at > now() - interval '2 hours' returning name)
    update backup_runs set due_at = due_at - interval '1 day' * (1 + 1000 * random())
      where due_at > now() - interval '2 hours' and state = 'made' and exists (select from done)`.execute(
    db,
  );
  return numAffectedRows;
}
