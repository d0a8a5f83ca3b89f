import { timeIn } from '@linekeeper/contract/dates.ts';
import { reuseSpace } from './db/reuse-space.ts';
import { cleanUpAudit } from './domain/audit/clean-up-audit.ts';
import type { Services } from './domain/context/context.ts';
import { deleteOldJobs } from './features/lines/jobs/jobs-store.ts';
import { deadline } from './platform/clock.ts';
import { isDoneOn, markDoneOn } from './platform/jobs/done-today.ts';

export const CLEAN_UP = 'clean up';
/** Other scheduled jobs wait meanwhile; the next look goes on. */
const MAY_LAST_MS = 60_000;
const HOUR_OF_DAY = 3;

/** Removes, once a night, what is older than the settings keep. */
export async function cleanUpNightly(
  services: Services,
  stopping: AbortSignal,
  now = timeIn(services.config.time_zone),
): Promise<void> {
  const { config, connection, db } = services;
  if (now.hour < HOUR_OF_DAY || (await isDoneOn(db, CLEAN_UP, now.day))) return;
  const time = deadline(MAY_LAST_MS);
  const isStopping = () => stopping.aborted || time.isOver();
  await deleteOldJobs(db, config.job_keep_days, isStopping);
  await cleanUpAudit(services, isStopping);
  await reuseSpace(connection, ['jobs', 'job_items']);
  if (!isStopping()) await markDoneOn(db, CLEAN_UP, now.day);
}
