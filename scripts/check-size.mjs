// How much JavaScript (gzip) a browser needs before a page shows, by Vite's manifest.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = fileURLToPath(new URL('../apps/web/dist', import.meta.url));

/** The modules that a page loads late, besides the entry and what that imports. */
const pages = [
  {
    path: '/sign-in',
    budgetKiB: 240,
    modules: ['src/locales/en/start.ts'],
  },
  {
    path: '/users/all',
    budgetKiB: 320,
    modules: [
      'src/app/signed-in.tsx',
      'src/app/guarded.tsx',
      'src/features/lines/lines-page.tsx',
      'src/locales/en/start.ts',
      'src/locales/en/lines.json',
    ],
  },
];

/** @typedef {{ file: string, isEntry?: boolean, imports?: string[] }} Chunk */

/** @type {Record<string, Chunk>} */
const manifest = readManifest();
const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
if (entries.length === 0) stop('The manifest names no entry.');

for (const page of pages) {
  const files = new Set([...entries, ...page.modules].flatMap((key) => filesOf(key, new Set())));
  const bytes = [...files].reduce((sum, file) => sum + gzipSize(file), 0);
  const verdict = `${page.path}: ${(bytes / 1024).toFixed(1)} of ${page.budgetKiB} KiB JavaScript`;
  console.log(`${verdict} (gzip, ${files.size} files)`);
  if (bytes > page.budgetKiB * 1024) {
    process.exitCode = 1;
    for (const file of files) console.log(`  ${(gzipSize(file) / 1024).toFixed(1)} KiB ${file}`);
  }
}

function readManifest() {
  const file = join(dist, '.vite', 'manifest.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return stop(`${file} cannot be read: build the web app first, with build.manifest on.`);
  }
}

/**
 * @param {string} key
 * @param {Set<string>} seen
 * @returns {string[]} the file of this chunk and of all that it imports at once
 */
function filesOf(key, seen) {
  if (seen.has(key)) return [];
  seen.add(key);
  const chunk = manifest[key];
  if (!chunk) {
    return stop(`${key} is no chunk of its own: correct the pages in scripts/check-size.mjs.`);
  }
  const imported = (chunk.imports ?? []).flatMap((next) => filesOf(next, seen));
  return chunk.file.endsWith('.js') ? [chunk.file, ...imported] : imported;
}

/** @param {string} file */
function gzipSize(file) {
  return gzipSync(readFileSync(join(dist, file))).length;
}

/**
 * @param {string} message
 * @returns {never}
 */
function stop(message) {
  console.error(message);
  process.exit(1);
}
