import { globSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { isProduct } from './rooms.ts';

/**
 * Finds the tests that a change concerns. Most tests start a whole panel, so by imports alone every test would need
 * every file. Therefore imports of their helpers, and of the list of every feature, do not count.
 */

/** The folders of `e2e` whose tests concern a folder with another name. */
export const BROWSER_TESTS: Record<string, readonly string[]> = {
  account: ['api-keys', 'auth', 'preferences', 'profile'],
  accounts: ['activity', 'audit', 'credits', 'groups', 'redeem-codes', 'top-ups'],
  articles: [],
  contact: ['geo', 'settings', 'system'],
  credits: ['prices'],
  dashboard: [],
  lines: ['activation-codes', 'jobs'],
  lists: ['list'],
  messages: ['notices', 'notifications'],
  offline: ['app', 'start'],
  samples: [],
  servers: ['checks', 'delivery', 'machines', 'presence', 'sync'],
  shell: ['app', 'forms', 'overlays', 'page', 'palette', 'screens', 'theme', 'ui'],
  tickets: ['attachments'],
};

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
/** True for files that build the whole panel, such as app.ts and services.ts. */
const isWhole = (path: string) => /^apps\/server\/src\/[^/]+\.ts$/.test(path);
const SOURCES = /^(apps|packages|scripts)\//;

/** The unit tests, among all of them, that a change of these files concerns. */
export function concernedTests(
  changed: readonly string[],
  tests: readonly string[],
  imports: readonly (readonly [from: string, to: string])[],
): string[] {
  const importers = Map.groupBy(imports, ([, to]) => to);
  const importersOf = (path: string) => (importers.get(path) ?? []).map(([from]) => from);
  const isHelper = (path: string) => isWhole(path) || (!isProduct(path) && !isTest(path));

  const reached = new Set(changed);
  // Iterating over a set includes elements that are added in the meantime.
  for (const path of reached) {
    for (const importer of importersOf(path)) {
      if (isHelper(path) || !isHelper(importer)) reached.add(importer);
    }
  }
  const neighbours = [...changed, ...changed.flatMap(importersOf)];
  const folders = new Set(neighbours.flatMap((path) => folderWithTests(path, tests) ?? []));
  return tests.filter((test) => reached.has(test) || folders.has(posix.dirname(test)));
}

/**
 * The folder of a file, or the nearest one above it, that has tests; for guides and settings it is
 * `scripts`, whose tests read them.
 */
function folderWithTests(path: string, tests: readonly string[]): string | null {
  if (path.startsWith('e2e/')) return null;
  if (!SOURCES.test(path)) return 'scripts/guides';
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
    if (tests.some((test) => posix.dirname(test) === folder)) return folder;
  }
  return null;
}

/** The folders of browser tests that concern these files, and the changed files of browser tests in other folders. */
export function concernedBrowserTests(changed: readonly string[]): string[] {
  const found = changed.flatMap((path) => {
    if (/^e2e\/.*\.spec\.ts$/.test(path)) return path;
    const folders = path.split('/').slice(0, -1);
    return Object.entries(BROWSER_TESTS)
      .filter(([name, others]) => [name, ...others].some((folder) => folders.includes(folder)))
      .map(([name]) => `e2e/${name}/`);
  });
  return [...new Set(found)].filter(
    (path) => path.endsWith('/') || !found.includes(`${posix.dirname(path)}/`),
  );
}

/** Every file of unit tests in the folder of the repository. */
export function allTests(root: string): string[] {
  const exclude = (path: string) => /(^|[\\/])(node_modules|dist)$/.test(path);
  return globSync('{apps,packages,scripts}/**/*.test.{ts,tsx}', { cwd: root, exclude }).map(
    (path) => path.replaceAll(sep, '/'),
  );
}
