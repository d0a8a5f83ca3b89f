import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useCan } from '../../shared/data/session.ts';
import { isOneRenewal, isRunning, jobsQuery } from '../../shared/jobs/queries.ts';
import { useWatchedJobs, watchJob } from '../../shared/jobs/watched-jobs.ts';
import { lazyComponent } from '../../shared/start/lazy-component.tsx';
import { useJobAddress } from './use-job-address.ts';

const JobPanels = lazyComponent(async () => (await import('./job-panels.tsx')).JobPanels, {
  isPart: true,
  texts: 'bulk',
});
const JobDialog = lazyComponent(async () => (await import('./job-dialog.tsx')).JobDialog, {
  texts: 'bulk',
});
const RecentJobs = lazyComponent(async () => (await import('./recent-jobs.tsx')).RecentJobs, {
  texts: 'bulk',
});

export function JobHost() {
  return useCan(['view_users']) ? <OwnJobs /> : null;
}

/** A single renewal is told for its Undo: without one there is nothing to be done about it. */
function isPast(job: Job): boolean {
  return isOneRenewal(job) && !job.can_undo && job.not_synced === 0;
}

function OwnJobs() {
  const { openId } = useJobAddress();
  const watched = useWatchedJobs();
  const { data: jobs = [] } = useQuery(jobsQuery());
  useEffect(() => {
    // Watching a running job makes sure that its result is shown, even after a reload.
    for (const job of jobs) if (job.id && isRunning(job)) watchJob(job.id);
  }, [jobs]);
  const shown = jobs.filter(
    (job) => job.id && job.id !== openId && watched.includes(job.id) && !isPast(job),
  );
  return (
    <>
      {shown.length > 0 && <JobPanels jobs={shown} />}
      {openId && (openId === 'recent' ? <RecentJobs /> : <JobDialog id={openId} />)}
    </>
  );
}
