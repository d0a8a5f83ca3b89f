import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { memorySettings } from '../memory.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readJson = (path: string) => JSON.parse(read(path));

const instructions = read('Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line));
const lastStage = instructions.slice(
  instructions.findLastIndex((line) => line.startsWith('FROM ')),
);

/** Paths of the repository that COPY instructions copy. */
function copied(from: string[]): string[] {
  return from
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
}

const ignoreRules = read('.dockerignore')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'));

/** True if Docker ignores the path: the last rule in .dockerignore that matches it, or a folder above it, decides. */
function isIgnored(path: string): boolean {
  const parts = path.split('/');
  const levels = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return ignoreRules.reduce((ignored, rule) => {
    const pattern = rule.replace(/^!/, '');
    return levels.some((level) => matchesGlob(level, pattern)) ? !rule.startsWith('!') : ignored;
  }, false);
}

/** Sources contained in the image. */
const sources = copied(lastStage)
  .flatMap((folder) => globSync(`${folder}/src/**/*.{ts,json}`, { cwd: root }))
  .filter((path) => !isIgnored(path));

function importsOf(path: string): string[] {
  const found = read(path).matchAll(
    /^(?:import|export)\s(?:[^'"=]*?\bfrom\s)?['"]([^'"]+)['"]|\bimport\('([^']+)'\)/gm,
  );
  return [...found].map(([, from, loaded]) => from ?? loaded ?? '');
}

/** True for a package.json in a folder that the image copies. */
const isManifest = (path: string) =>
  copied(lastStage).some((folder) => path === `${folder}/package.json`) && !isIgnored(path);

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

describe('the image', () => {
  test('is made of files that are there', () => {
    const paths = copied(instructions);
    expect(paths).toContain('package-lock.json');
    expect(paths.filter((path) => !existsSync(join(root, path)) || isIgnored(path))).toEqual([]);
  });

  test('is installed with the package.json of every workspace', () => {
    const manifests = readJson('package.json').workspaces.map(
      (one: string) => `${one}/package.json`,
    );
    expect(copied(instructions)).toEqual(expect.arrayContaining(manifests));
  });

  test('holds the server with its migrations, and neither tests nor secrets', () => {
    const migrations = globSync('apps/server/src/db/migrations/*.sql', { cwd: root });
    expect(sources).toContain('apps/server/src/commands/main.ts');
    expect(migrations.length).toBeGreaterThan(0);
    expect(migrations.filter(isIgnored)).toEqual([]);
    expect(sources.filter((path) => /\.test\.ts$|\/testing\//.test(path))).toEqual([]);
    for (const path of ['.env', '.git/config', 'data/secret.key'])
      expect(isIgnored(path)).toBe(true);
  });

  test('has every file and every package that what it holds imports', () => {
    const missing: string[] = [];
    for (const path of sources) {
      const workspace = path.split('/').slice(0, 2).join('/');
      const { dependencies } = readJson(`${workspace}/package.json`);
      for (const name of importsOf(path)) {
        const target = relative(root, join(root, dirname(path), name));
        const isThere = name.startsWith('node:')
          ? true
          : name.startsWith('.')
            ? sources.includes(target) || isManifest(target)
            : packageOf(name) in dependencies;
        if (!isThere) missing.push(`${path}: ${name}`);
      }
    }
    expect(sources.flatMap(importsOf)).toEqual(expect.arrayContaining(['fastify', 'zod']));
    expect(missing).toEqual([]);
  });

  test('keeps memory small as `npm start` does, and so does compose.yml, which runs it', () => {
    const set = lastStage.filter((line) => line.startsWith('ENV ')).join(' ');
    for (const [name, value] of Object.entries(memorySettings)) {
      expect(set.replaceAll('"', '')).toContain(`${name}=${value}`);
      expect(read('compose.yml')).not.toContain(name);
    }
  });

  test('runs one program, not a shell, as an unprivileged user', () => {
    const last = (name: string) => lastStage.findLast((line) => line.startsWith(`${name} `));
    const program = JSON.parse(last('CMD')?.slice('CMD '.length) ?? '');
    expect(program[0]).toBe('node');
    expect(sources).toContain(program[1]);
    expect(last('USER')).toBe('USER node');
    expect(last('STOPSIGNAL')).toBe('STOPSIGNAL SIGTERM');
    expect(last('HEALTHCHECK')).toMatch(/CMD \["node", .*\/health/);
  });
});
