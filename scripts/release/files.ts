import { isProduct } from '../rooms.ts';

const SOURCES =
  /^(apps\/(server|agent)\/src\/|(apps|packages)\/[^/]+\/package\.json$|packages\/[^/]+\/src\/|scripts\/[^/]+\.mjs$|bin\/|deploy\/|docs\/(how-to|reference|tutorials|explanation)\/.*\.md$|docs\/[^/]+\.md$)/;
const SINGLE = new Set([
  '.dockerignore',
  '.env.example',
  'CHANGELOG.md',
  'Dockerfile',
  'LICENSE',
  'NOTICE',
  'compose.yml',
  'package.json',
  'packages/contract/examples.json',
]);

/** True for a file of the repository that a release contains. */
export const isReleased = (path: string): boolean =>
  SINGLE.has(path) || (SOURCES.test(path) && isProduct(path));

/**
 * Files of packages that are never read in production: types, source maps, documents, tests, and PGlite's other
 * extensions.
 */
const NOT_READ = [
  /\.([cm]?ts|map|md|markdown|flow|tsbuildinfo)$/i,
  /(^|\/)(tests?|__tests__|examples?|bench|benchmarks?|coverage|docs|\.github)\//,
  /^@electric-sql\/pglite\/dist\/(?!pg_trgm|unaccent).*\.tar\.gz$/,
  /^@electric-sql\/pglite\/dist\/.*\.cjs$/,
  /^\./,
];

/** True for a file below node_modules that a release contains; the licences are in a file of their own. */
export const isPackageFile = (path: string): boolean =>
  !NOT_READ.some((pattern) => pattern.test(path));

/** The section of a version in CHANGELOG.md, without its heading. Throws if there is none. */
export function sectionOf(changelog: string, version: string): { date: string; text: string } {
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [heading = ''] = section.split('\n', 1);
    const [name, date = ''] = heading.split(' - ');
    if (name === version) return { date, text: section.slice(heading.length).trim() };
  }
  throw new Error(`CHANGELOG.md has no section "## ${version} - <date>".`);
}

/** The lines of SHA256SUMS, as `sha256sum --check` reads them. */
export const sumsOf = (sums: Map<string, string>): string =>
  [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join('');

/** A unit that runs the program of a release, instead of a clone, in a folder. */
export const releasedUnit = (text: string, folder = '/opt/linekeeper'): string =>
  text
    .replace('/node_modules/.bin/node', '/bin/node')
    .replaceAll('/opt/linekeeper', folder)
    .replace('apps/agent/src/main.ts', folder.endsWith('agent') ? 'linekeeper-agent.mjs' : '$&');
