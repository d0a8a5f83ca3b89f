/** The key in local storage for the build that the service worker can open offline. */
export const keptBuildKey = `linekeeper:${location.host}:kept-build`;

/** The build with which this page was opened: the name of its first script, which depends on its content. */
export function ownBuild(): string | null | undefined {
  return document.querySelector('script[src]')?.getAttribute('src');
}

/**
 * True if further code can be loaded while the panel cannot be reached, because the service worker has this page's
 * build. A page that is just being opened comes from the service worker itself.
 */
export function isBuildKept(): boolean {
  return (
    !!navigator.serviceWorker?.controller &&
    (!document.querySelector('#root > *') || localStorage.getItem(keptBuildKey) === ownBuild())
  );
}
