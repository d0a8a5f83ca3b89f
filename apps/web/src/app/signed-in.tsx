import '#kit/theme/print.css';
import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LineDialogs } from '#features/lines/line-dialogs.tsx';
import { ownBuild } from '#platform/browser/kept-build.ts';
import { useIsTimeFor } from '#platform/start/later.ts';
import { SessionQuestion } from './session-question.tsx';
import { Shell } from './shell/shell.tsx';

async function prepareForOffline(): Promise<void> {
  (await import('./keep-build.ts')).prepareForOffline();
}

export function SignedIn() {
  const router = useRouter();
  const isTimeForOffline = useIsTimeFor('offline');
  useEffect(() => followDeployments(router), [router]);
  useEffect(() => {
    if (isTimeForOffline) prepareForOffline().catch(() => undefined);
  }, [isTimeForOffline]);
  return (
    <LineDialogs>
      <Shell />
      <SessionQuestion />
    </LineDialogs>
  );
}

/**
 * Reloads the page, once, if a screen's files were replaced by a new version of the panel. For a
 * dialog or menu the page stays, because it may have unsaved input.
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
