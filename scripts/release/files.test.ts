import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../prepare.mjs';
import { isPackageFile, isReleased, releasedUnit, sectionOf, sumsOf } from './files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const sources = globSync('{apps/{server,agent},packages/*}/src/**/*.{ts,json}', {
  cwd: root,
}).filter(isReleased);

function importsOf(path: string): string[] {
  const found = read(path).matchAll(
    /^(?:import|export)\s(?:[^'"=]*?\bfrom\s)?['"]([^'"]+)['"]|\bimport\('([^']+)'\)/gm,
  );
  return [...found].map(([, from, loaded]) => from ?? loaded ?? '');
}

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

describe('a release', () => {
  test('has the server with its migrations, and neither tests nor secrets', () => {
    const migrations = globSync('apps/server/src/db/migrations/*.sql', { cwd: root });
    expect(sources).toContain('apps/server/src/commands/main.ts');
    expect(migrations.length).toBeGreaterThan(0);
    for (const path of [...migrations, 'deploy/Caddyfile', 'scripts/run.mjs', 'package.json']) {
      expect(isReleased(path), path).toBe(true);
    }
    for (const path of ['.env', '.git/config', 'data/secret.key', 'e2e/support/seed.ts']) {
      expect(isReleased(path), path).toBe(false);
    }
    expect(sources.filter((path) => /\.test\.ts$|\/testing\//.test(path))).toEqual([]);
  });

  test('has every file and every package that what it holds imports', () => {
    const missing: string[] = [];
    for (const path of sources) {
      const workspace = path.split('/').slice(0, 2).join('/');
      const { dependencies = {} } = JSON.parse(read(`${workspace}/package.json`));
      for (const name of importsOf(path)) {
        const target = relative(root, join(root, dirname(path), name));
        const isThere = name.startsWith('.')
          ? isReleased(target)
          : name.startsWith('node:') || packageOf(name) in dependencies;
        if (!isThere) missing.push(`${path}: ${name}`);
      }
    }
    expect(sources.flatMap(importsOf)).toEqual(expect.arrayContaining(['fastify', 'zod']));
    expect(missing).toEqual([]);
  });
});

test('packages come without what production does not read', () => {
  const kept = [
    'pg/lib/index.js',
    'zod/package.json',
    '@electric-sql/pglite/dist/pglite.wasm',
    '@electric-sql/pglite/dist/pg_trgm.tar.gz',
    '@fastify/multipart/LICENSE',
  ];
  const dropped = [
    '.bin/pino',
    'zod/src/index.ts',
    'kysely/dist/index.js.map',
    'pino/test/basic.test.js',
    'pino/docs/api.md',
    '@electric-sql/pglite/dist/citext.tar.gz',
  ];
  expect([...kept, ...dropped].filter(isPackageFile)).toEqual(kept);
});

test('the changelog of a version is its section', () => {
  const changelog =
    '# Changelog\n\n## 1.1.0 - 2026-02-01\n\nNew.\n\n### Fixed\n\n- It.\n\n## 1.0.0 - 2026-01-01\n\nFirst.\n';
  expect(sectionOf(changelog, '1.1.0')).toEqual({
    date: '2026-02-01',
    text: 'New.\n\n### Fixed\n\n- It.',
  });
  expect(() => sectionOf(changelog, '1.2.0')).toThrow('## 1.2.0');
});

test('sums are sorted by name, as sha256sum reads them', () => {
  const sums = new Map([
    ['b.deb', 'bb'],
    ['a.tar.gz', 'aa'],
  ]);
  expect(sumsOf(sums)).toBe('aa  a.tar.gz\nbb  b.deb\n');
});

test.each([
  ['linekeeper.service', 'linekeeper', 'apps/server/src/commands/main.ts'],
  ['linekeeper-agent.service', 'linekeeper-agent', 'linekeeper-agent.mjs'],
])('%s of a package runs the program of the package', (unit, name, program) => {
  const text = releasedUnit(read(`deploy/${unit}`), `/usr/lib/${name}`);
  expect(text).toContain(
    `ExecStart=/usr/lib/${name}/bin/node --env-file=/etc/${name}.env ${program}\n`,
  );
  expect(text).not.toContain('/opt/');
});
