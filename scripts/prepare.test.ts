import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/**
 * A script in place of npm that counts its runs, and installs all packages but the optional one, as
 * npm does if that package cannot be fetched.
 */
const NPM = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('runs', 'x');
  mkdirSync('node_modules', { recursive: true });
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));`;

function makeClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-prepare-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'scripts'));
  for (const path of globSync(join(import.meta.dirname, '*.mjs')))
    cpSync(path, join(folder, 'scripts', basename(path)));
  writeFileSync(join(folder, 'npm-cli.js'), NPM);
  return folder;
}

test('packages are installed once for each lock file, even if npm cannot fetch an optional one', () => {
  const folder = makeClone();
  const lock = (version: string) => {
    const optional = { version, optional: true, os: [process.platform], cpu: [process.arch] };
    const packages = { '': {}, 'node_modules/optional': optional };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  };
  const start = () => {
    const program =
      "import('./scripts/prepare.mjs').then(({ ensureInstalled }) => ensureInstalled())";
    const npm = { npm_execpath: join(folder, 'npm-cli.js'), npm_node_execpath: process.execPath };
    execFileSync(process.execPath, ['-e', program], {
      cwd: folder,
      env: { ...process.env, ...npm },
    });
    return readFileSync(join(folder, 'runs'), 'utf8').length;
  };
  lock('1.0.0');
  expect([start(), start()]).toEqual([1, 1]);
  lock('1.0.1');
  expect([start(), start()]).toEqual([2, 2]);
});
