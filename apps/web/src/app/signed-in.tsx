import '../shared/theme/print.css';
import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useJobAddress } from '../features/jobs/use-job-address.ts';
import { LineDialogs } from '../features/lines/line-dialogs.tsx';
import { ownBuild } from '../shared/browser/kept-build.ts';
import { useWatchedJobs } from '../shared/jobs/watched-jobs.ts';
import { Shell } from '../shared/layout/shell.tsx';
import { useLinePlace } from '../shared/lines/line-place.ts';
import { OutageStrip } from '../shared/servers/outages.tsx';
import { prefetchOnceUsed, useIsTimeFor } from '../shared/start/later.tsx';
import { lazyPart } from '../shared/start/lazy-part.tsx';
import { SessionQuestion } from './session-question.tsx';

const Palette = lazyPart(() => import('../features/palette/palette.tsx'), 'Palette', {
  texts: 'palette',
});

const JobHost = lazyPart(() => import('../features/jobs/job-host.tsx'), 'JobHost', {
  isPart: true,
});

const LinePanel = lazyPart(() => import('../features/lines/line/line-panel.tsx'), 'LinePanel', {
  texts: 'line',
});

/** The line that the address names, beside any page. */
function LineBeside() {
  const { openId } = useLinePlace();
  useEffect(() => prefetchOnceUsed([LinePanel.fetch]), []);
  return openId && <LinePanel />;
}

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

async function prepareForOffline(): Promise<void> {
  (await import('./keep-build.ts')).prepareForOffline();
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
      <Shell palette={Palette} jobs={Jobs} outages={OutageStrip} panel={LineBeside} />
      <SessionQuestion />
    </LineDialogs>
  );
}

/**
 * Loads the page anew, once, where a screen is opened whose files a new version of the panel has
 * replaced. Where it is a dialog or menu, the page stays, because something may be typed into it.
 */
function followDeployments(router: AnyRouter): () => void {
  const reloadOnce = () => {
    const build = String(ownBuild());
    if (router.state.status !== 'pending' || sessionStorage.reloadedFrom === build) return;
    sessionStorage.reloadedFrom = build;
    location.reload();
  };
  window.addEventListener('vite:preloadError', reloadOnce);
  return () => window.removeEventListener('vite:preloadError', reloadOnce);
}
