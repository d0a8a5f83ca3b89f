// @module-tag thorough
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const site = mkdtempSync(join(tmpdir(), 'linekeeper-site-'));
const read = (file: string) => readFileSync(join(site, file), 'utf8');
const filesOf = (pattern: string) => globSync(pattern, { cwd: site }).toSorted();
const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

beforeAll(async () => {
  const vitepress = 'node_modules/vitepress/bin/vitepress.js';
  await promisify(execFile)(process.execPath, [vitepress, 'build', 'docs', '--outDir', site], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}, 900_000);
afterAll(() => rmSync(site, { recursive: true }));

test('the site has every page, and its sidebar leads to each', () => {
  const sources = '{*,bench/*,docs/{*,tutorials/*,how-to/*,reference/*,explanation/*}}.md';
  const pages = globSync([sources, 'docs/{decisions,screenshots}/*.md'], { cwd: root });
  const built = filesOf('**/*.html').filter((file) => file !== '404.html');
  expect(built.length).toBeGreaterThan(80);
  expect(built.length).toBe(pages.length);
  const linked = new Set(all(read('index.html'), /href="\/([^"#]*)"/g));
  const address = (file: string) => file.replace(/(?<=^|\/)index\.html$/, '');
  expect(built.filter((file) => !linked.has(address(file)))).toEqual([]);
});

test('links lead to a page or file of the site, and to a heading of it', () => {
  const pages = new Map(filesOf('**/*.html').map((file) => [file, read(file)]));
  const files = new Set(filesOf('**/*.*'));
  const links = [...pages].flatMap(([page, html]) =>
    all(html, /<a [^>]*?href="([^"]*)"/g)
      .filter((href) => !/^[a-z]+:/.test(href))
      .map((href) => ({ page, href })),
  );
  expect(links.length).toBeGreaterThan(5_000);
  const dead = links.filter(({ page, href }) => {
    const [path = '', heading] = href.split('#');
    const from = path.startsWith('/') ? '' : posix.dirname(page);
    const file = path ? posix.join(from, path.replace(/\/$/, '/index.html')) : page;
    const name = file.replace(/^\//, '');
    if (!files.has(name)) return true;
    return heading && !pages.get(name)?.includes(` id="${decodeURI(heading)}"`);
  });
  expect(dead).toEqual([]);
});

test('a page loads nothing from another site', () => {
  const loaded = [
    ...filesOf('**/*.html').flatMap((file) =>
      all(read(file), /<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"/g),
    ),
    ...filesOf('**/*.{html,css}').flatMap((file) =>
      all(read(file), /(?:\burl\(|@import )["']?([^"')]*)/g),
    ),
  ];
  expect(loaded.length).toBeGreaterThan(500);
  expect([...new Set(loaded)].filter((address) => /^(?!data:)[a-z]*:|^\/\//.test(address))).toEqual(
    [],
  );
});

test('diagrams are pictures, and the search has the words of the pages', () => {
  const sources = globSync('docs/**/*.md', { cwd: root });
  const diagrams = sources.flatMap((file) =>
    all(readFileSync(join(root, file), 'utf8'), /^(```mermaid)$/gm),
  );
  const pictures = filesOf('**/*.html').flatMap((file) =>
    all(read(file), /(<div class="diagram"[^>]*><svg )/g),
  );
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.length).toBe(diagrams.length);
  const [index = ''] = filesOf('assets/chunks/@localSearchIndexroot.*.js');
  expect(read(index)).toMatch(/oscam/i);
});
