import { keptBuildKey, ownBuild } from '#platform/browser/kept-build.ts';

const PREFIX = 'linekeeper-build:';
/** Builds whose files are kept: the present one, and the previous one for pages that are still open. */
const BUILDS_KEPT = 2;

interface BuildFiles {
  build: string;
  files: string[];
}

/** The files of this page's build; null if the panel has a newer build already. */
async function filesOfOwnBuild(): Promise<string[] | null> {
  const reply = await fetch('/files.json', { cache: 'no-cache' });
  if (!reply.ok) return null;
  const { build, files } = (await reply.json()) as BuildFiles;
  return build === ownBuild() ? files : null;
}

function savesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData: boolean }).saveData;
}

function whenIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve);
    else setTimeout(resolve, 50);
  });
}

function fetchedAlready(): Set<string> {
  const entries = performance.getEntriesByType('resource');
  return new Set(entries.map(({ name }) => new URL(name).pathname));
}

/**
 * Files are fetched one after the other, so that they do not delay other requests. Files in the
 * cache are not requested.
 */
async function keepFiles(cache: Cache, files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (await cache.match(file, { ignoreVary: true })) continue;
    await whenIdle();
    await cache.add(file);
  }
}

async function keepFirstPage(cache: Cache, build: string): Promise<void> {
  const page = await fetch('/', { cache: 'no-cache' });
  if (!page.ok || !(await page.clone().text()).includes(`"${build}"`)) return;
  await cache.put('/', page);
}

async function dropOldBuilds(): Promise<void> {
  const builds = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(builds.slice(0, -BUILDS_KEPT).map((name) => caches.delete(name)));
}

/**
 * Stores the files of this build for the service worker: first those that this page has used, then
 * all others, unless the user has turned on the data saver.
 */
async function keepBuild(): Promise<void> {
  const build = ownBuild();
  if (!build || localStorage.getItem(keptBuildKey) === build) return;
  const files = await filesOfOwnBuild();
  if (!files) return;
  const cache = await caches.open(PREFIX + build);
  const used = fetchedAlready();
  await keepFiles(
    cache,
    files.filter((file) => used.has(file)),
  );
  if (savesData()) return keepFirstPage(cache, build);
  await keepFiles(cache, files);
  await keepFirstPage(cache, build);
  if (!(await cache.match('/'))) return;
  localStorage.setItem(keptBuildKey, build);
  await dropOldBuilds();
}

/**
 * Registers the service worker that opens the panel without a connection. It does nothing without https, which service
 * workers need, or if storage is blocked or full.
 */
export async function prepareForOffline(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    await navigator.serviceWorker.ready;
    await keepBuild();
  } catch {
    // After a failure, the next page tries again.
  }
}
