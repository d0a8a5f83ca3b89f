import type { AnyRouter } from '@tanstack/react-router';
import { ownBuild } from '../shared/browser/kept-build.ts';

/**
 * Loads the page anew, once, where a screen is opened whose files a new version of the panel has
 * replaced. Where it is a dialog or menu, the page stays, because something may be typed into it.
 */
export function followDeployments(router: AnyRouter): () => void {
  const reloadOnce = () => {
    const build = String(ownBuild());
    if (router.state.status !== 'pending' || sessionStorage.reloadedFrom === build) return;
    sessionStorage.reloadedFrom = build;
    location.reload();
  };
  window.addEventListener('vite:preloadError', reloadOnce);
  return () => window.removeEventListener('vite:preloadError', reloadOnce);
}
