import '../shared/theme/print.css';
import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useJobAddress } from '../features/jobs/use-job-address.ts';
import { LineDialogs } from '../features/lines/line-dialogs.tsx';
import { useConnection } from '../shared/browser/connection.ts';
import { ownBuild } from '../shared/browser/kept-build.ts';
import { queryClient } from '../shared/data/query-client.ts';
import { useMe } from '../shared/data/session.ts';
import { waitingDrafts } from '../shared/forms/drafts/waiting-drafts.ts';
import { useWatchedJobs } from '../shared/jobs/watched-jobs.ts';
import { Shell } from '../shared/layout/shell.tsx';
import { useLinePlace } from '../shared/lines/line-place.ts';
import { keepLists } from '../shared/offline/keep-lists.ts';
import { OutageStrip } from '../shared/servers/outages.tsx';
import { prefetchOnceUsed, useIsTimeFor } from '../shared/start/later.tsx';
import { lazyComponent } from '../shared/start/lazy-component.tsx';
import { SessionQuestion } from './session-question.tsx';

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

const LinePanel = lazyComponent(
  async () => (await import('../features/lines/line/line-panel.tsx')).LinePanel,
  { texts: 'line' },
);

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
      <Shell palette={Palette} jobs={Jobs} outages={OutageStrip} panel={LineBeside} />
      <SessionQuestion />
      <WaitingDrafts />
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

const Outbox = lazyComponent(async () => (await import('../features/tickets/outbox.tsx')).Outbox, {
  isPart: true,
  texts: 'tickets',
});
const LOOK_EVERY_MS = 20_000;

/** Sends what was submitted without a connection, as soon as there is one. */
function WaitingDrafts() {
  const { id } = useMe();
  const isOnline = useConnection() === 'online';
  const [isAnyWaiting, setAnyWaiting] = useState(false);
  useEffect(() => {
    if (!isOnline) return;
    const look = () => setAnyWaiting(waitingDrafts(id).length > 0);
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [id, isOnline]);
  return isOnline && isAnyWaiting && <Outbox accountId={id} />;
}
