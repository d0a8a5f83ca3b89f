import '../shared/theme/print.css';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useJobAddress } from '../features/jobs/use-job-address.ts';
import { LineDialogs } from '../features/lines/line-dialogs.tsx';
import { queryClient } from '../shared/data/query-client.ts';
import { useWatchedJobs } from '../shared/jobs/watched-jobs.ts';
import { Shell } from '../shared/layout/shell.tsx';
import { keepLists } from '../shared/offline/keep-lists.ts';
import { prefetchOnceUsed, useIsTimeFor } from '../shared/start/later.tsx';
import { lazyComponent } from '../shared/start/lazy-component.tsx';
import { followDeployments } from './follow-deployments.ts';
import { SessionQuestion } from './session-question.tsx';
import { WaitingDrafts } from './waiting-drafts.tsx';

const Palette = lazyComponent(
  async () => (await import('../features/palette/palette.tsx')).Palette,
  {
    isOpen: ({ open }) => open,
    texts: 'palette',
  },
);

const JobHost = lazyComponent(async () => (await import('../features/jobs/job-host.tsx')).JobHost, {
  isPart: true,
});

/** Once the screen itself is there, or at once where a job is known to be looked at. */
function Jobs() {
  const { openId } = useJobAddress();
  const isWatched = useWatchedJobs().length > 0;
  const isTime = useIsTimeFor('jobs');
  const [isShown, setShown] = useState(false);
  const isWanted = isTime || isWatched || openId !== undefined;
  if (isWanted && !isShown) setShown(true);
  return isShown && <JobHost />;
}

keepLists(queryClient);

async function prepareForOffline(): Promise<void> {
  (await import('../shared/offline/keep-build.ts')).prepareForOffline();
}

/** Hands the shell the features it shows, since `shared` may not import features. */
export function SignedIn() {
  const router = useRouter();
  const isTimeForOffline = useIsTimeFor('offline');
  useEffect(() => followDeployments(router), [router]);
  useEffect(() => prefetchOnceUsed([Palette.fetch]), []);
  useEffect(() => {
    if (isTimeForOffline) prepareForOffline().catch(() => undefined);
  }, [isTimeForOffline]);
  return (
    <LineDialogs>
      <Shell palette={Palette} jobs={Jobs} />
      <SessionQuestion />
      <WaitingDrafts />
    </LineDialogs>
  );
}
