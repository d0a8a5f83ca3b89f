// Checks the size of the gzipped JavaScript that a browser loads before a page is shown, by Vite's manifest.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = join(import.meta.dirname, '../apps/web/dist');

/** Modules that a page loads dynamically, in addition to the entry and its imports. */
const pages = [
  {
    path: '/sign-in',
    budgetKiB: 178,
    modules: ['src/app/main.tsx', 'src/features/auth/sign-in-page.tsx', 'src/locales/en/start.ts'],
  },
  {
    path: '/users/all',
    budgetKiB: 243,
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

/** @type {Record<string, { file: string, name?: string, imports?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
const entries = Object.keys(manifest).filter((key) => manifest[key]?.name === 'entry');
if (entries.length === 0) throw new Error('The manifest names no entry.');

/** @param {string} file */
const gzipSize = (file) => gzipSync(readFileSync(join(dist, file))).length;

for (const { path, budgetKiB, modules } of pages) {
  const chunks = new Set([...entries, ...modules]);
  /** @type {Set<string>} */
  const files = new Set();
  // Iterating over a set includes elements that are added in the meantime.
  for (const key of chunks) {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`${key} is no chunk of its own: correct the pages in this script.`);
    if (chunk.file.endsWith('.js')) files.add(chunk.file);
    for (const imported of chunk.imports ?? []) chunks.add(imported);
  }
  const bytes = [...files].reduce((sum, file) => sum + gzipSize(file), 0);
  const verdict = `${path}: ${(bytes / 1024).toFixed(1)} of ${budgetKiB} KiB JavaScript`;
  console.log(`${verdict} (gzip, ${files.size} files)`);
  if (bytes <= budgetKiB * 1024) continue;
  process.exitCode = 1;
  for (const file of files) console.log(`  ${(gzipSize(file) / 1024).toFixed(1)} KiB ${file}`);
}
