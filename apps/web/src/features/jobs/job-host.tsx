import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { isRunning, jobsQuery } from '../../shared/jobs/queries.ts';
import { useWatchedJobs, watchJob } from '../../shared/jobs/watched-jobs.ts';
import { useCan } from '../../shared/session.ts';

const JobPanels = lazy(async () => ({ default: (await import('./job-panels.tsx')).JobPanels }));
const JobDialog = lazy(async () => ({ default: (await import('./job-dialog.tsx')).JobDialog }));
const RecentJobs = lazy(async () => ({ default: (await import('./recent-jobs.tsx')).RecentJobs }));

/** In the shell: how far the own jobs are, on whatever page. */
export function JobHost() {
  return useCan(['view_users']) ? <OwnJobs /> : null;
}

function OwnJobs() {
  const { job: openId }: { job?: string } = useSearch({ strict: false });
  const watched = useWatchedJobs();
  const { data: jobs = [] } = useQuery(jobsQuery());
  useEffect(() => {
    // What is seen running will be told when it has ended, also after a reload.
    for (const job of jobs) if (job.id && isRunning(job)) watchJob(job.id);
  }, [jobs]);
  const shown = jobs.filter((job) => job.id && job.id !== openId && watched.includes(job.id));
  return (
    <Suspense>
      {shown.length > 0 && <JobPanels jobs={shown} />}
      {openId && (openId === 'recent' ? <RecentJobs jobs={jobs} /> : <JobDialog id={openId} />)}
    </Suspense>
  );
}
