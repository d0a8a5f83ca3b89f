/** Says which build the service worker can open without the panel. */
export const keptBuildKey = `linekeeper:${location.host}:kept-build`;

/** The build that this page was opened with: its first script, which is named by its content. */
export function ownBuild(): string | null | undefined {
  return document.querySelector('script[src]')?.getAttribute('src');
}

/**
 * Whether code can be imported while the panel cannot be reached. A page that is being opened is
 * opened by the worker then, so what it begins with is there.
 */
export function isBuildKept(): boolean {
  return (
    !!navigator.serviceWorker?.controller &&
    (!document.querySelector('#root > *') || localStorage.getItem(keptBuildKey) === ownBuild())
  );
}
