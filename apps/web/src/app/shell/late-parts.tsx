import { useEffect, useState } from 'react';
import { useWatchedJobs } from '#domain/jobs/watched-jobs.ts';
import { useLinePlace } from '#domain/lines/line-place.ts';
import { useJobAddress } from '#features/jobs/use-job-address.ts';
import { prefetchOnceUsed, useIsTimeFor } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';

const JobHost = lazyPart(() => import('#features/jobs/job-host.tsx'), 'JobHost', {
  isPart: true,
});

const LinePanel = lazyPart(() => import('#features/lines/line/line-panel.tsx'), 'LinePanel', {
  texts: 'line',
});

/** The side panel with the line that the address names. */
export function LineBeside() {
  const { openId } = useLinePlace();
  useEffect(() => prefetchOnceUsed([LinePanel.fetch]), []);
  return openId && <LinePanel />;
}

/**
 * The host of dialogs about jobs. It is loaded after the screen itself, or immediately if a job is
 * watched or named by the address.
 */
export function Jobs() {
  const { openId } = useJobAddress();
  const isWatched = useWatchedJobs().length > 0;
  const isTime = useIsTimeFor('jobs');
  const [isShown, setShown] = useState(false);
  const isWanted = isTime || isWatched || openId !== undefined;
  if (isWanted && !isShown) setShown(true);
  return isShown && <JobHost />;
}
