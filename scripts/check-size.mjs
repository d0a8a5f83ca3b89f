// Checks the gzipped JavaScript that a browser loads before a page shows, by Vite's manifest.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = fileURLToPath(new URL('../apps/web/dist', import.meta.url));

/** Modules that a page loads dynamically, in addition to the entry and its imports. */
const pages = [
  {
    path: '/sign-in',
    budgetKiB: 180,
    modules: ['src/app/main.tsx', 'src/features/auth/sign-in-page.tsx', 'src/locales/en/start.ts'],
  },
  {
    path: '/users/all',
    budgetKiB: 250,
    modules: [
      'src/app/frame.tsx',
      'src/app/main.tsx',
      'src/features/lines/list/lines-page.tsx',
      'src/locales/en/start.ts',
      'src/locales/en/frame.json',
      'src/locales/en/lines.json',
    ],
  },
];

/** @typedef {{ file: string, name?: string, imports?: string[] }} Chunk */

/** @type {Record<string, Chunk>} */
const manifest = readManifest();
const entries = Object.keys(manifest).filter((key) => manifest[key]?.name === 'entry');
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
 * @returns {string[]} the files of this chunk and of its static imports
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
