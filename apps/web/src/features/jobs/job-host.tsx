import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isRunning, jobsQuery } from '#domain/jobs/queries.ts';
import type { KnownJob } from '#domain/jobs/use-undo.ts';
import { useWatchedJobs, watchJob } from '#domain/jobs/watched-jobs.ts';
import { useCan } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { useJobAddress } from './use-job-address.ts';

const JobResults = lazyPart(() => import('./job-results.tsx'), 'JobResults', {
  isPart: true,
  texts: 'bulk',
});
const JobDialog = lazyPart(() => import('./job-dialog.tsx'), 'JobDialog', {
  texts: 'bulk',
});
const RecentJobs = lazyPart(() => import('./recent-jobs.tsx'), 'RecentJobs', {
  texts: 'bulk',
});

export function JobHost() {
  return useCan(['view_users']) ? <OwnJobs /> : null;
}

function OwnJobs() {
  const { openId } = useJobAddress();
  const watched = useWatchedJobs();
  const { data: jobs = [] } = useQuery(jobsQuery());
  useEffect(() => {
    // A running job is watched, so that its result is shown, even after a reload.
    for (const job of jobs) if (job.id && isRunning(job)) watchJob(job.id);
  }, [jobs]);
  const shown = jobs.filter(
    (job): job is KnownJob => job.id !== null && job.id !== openId && watched.includes(job.id),
  );
  return (
    <>
      {shown.length > 0 && <JobResults jobs={shown} />}
      {openId && (openId === 'recent' ? <RecentJobs /> : <JobDialog id={openId} />)}
    </>
  );
}
