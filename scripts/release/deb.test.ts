import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDeb, controlOf, panelPackage } from './deb.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deb-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a version before a release is older than the release', () => {
  expect(controlOf(panelPackage, '2.0.0-rc.1', 'x64', 9)).toContain('Version: 2.0.0~rc.1\n');
});

/** Builds the panel's package around one file, whose time and mode say nothing about its content. */
function build(name: string, time: number, mode: number): string {
  const tree = join(folder, name);
  const file = `${tree}.deb`;
  mkdirSync(join(tree, 'usr/lib/linekeeper'), { recursive: true });
  const program = join(tree, 'usr/lib/linekeeper/program');
  writeFileSync(program, 'program\n', { mode });
  utimesSync(program, time, time);
  const about = { version: '1.0.0', architecture: 'arm64', seconds: 1_000_000_000 } as const;
  buildDeb(panelPackage, { ...about, tree, file });
  return file;
}

const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0;

test.runIf(hasDpkg)('equal files make equal packages', () => {
  const files = [build('one', 1, 0o600), build('two', 2_000, 0o666)];
  const [one, two] = files.map((file) => readFileSync(file));
  expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true);

  const [file = ''] = files;
  const field = (name: string) =>
    execFileSync('dpkg-deb', ['--field', file, name], { encoding: 'utf8' }).trim();
  expect(field('Architecture')).toBe('arm64');
  const listed = execFileSync('dpkg-deb', ['--contents', file], { encoding: 'utf8' });
  expect(listed).toMatch(/^-rw-r----- root\/root .* \.\/etc\/linekeeper\.env$/m);
  expect(listed).toMatch(/^-rw-r--r-- root\/root .* \.\/usr\/lib\/linekeeper\/program$/m);
  expect(listed).toContain('./usr/lib/systemd/system/linekeeper@.service');
  expect(listed).not.toContain('/var/');
});

test.each(['postinst', 'prerm', 'postrm'])('%s is a shell script', (name) => {
  const script = join(import.meta.dirname, 'debian', name);
  expect(spawnSync('sh', ['-n', script], { encoding: 'utf8' }).stderr).toBe('');
});
