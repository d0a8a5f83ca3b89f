import type { Day } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import type { Services } from '../domain/context/context.ts';
import { runIfDue } from '../platform/jobs/scheduler.ts';
import { scheduledJobs } from '../scheduled-jobs.ts';

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
