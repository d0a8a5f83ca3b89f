import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '@linekeeper/data-folder/lock.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compareVersions } from '../../platform/config/version.ts';
import { fetchFile, readRelease } from './feed.ts';
import { back, type Installation, update } from './switch-version.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** Stand-ins for the programs of Debian: each writes down its call, and keeps what it changes in files of $STATE. */
const programs: Record<string, string> = {
  dpkg: `case "$*" in
    --print-architecture) echo amd64; exit ;;
    *--install*) for file; do :; done
      version=$(cat "$file")
      [ -e "$STATE/refused-$version" ] && { echo "dpkg: error: $version is refused" >&2; exit 1; }
      echo "$version" > "$STATE/version" ;;
  esac
  echo "dpkg $*" | sed "s|/[^ ]*/||" >> "$STATE/calls"`,
  'dpkg-query': 'echo "installed $(cat "$STATE/version")"',
  'dpkg-deb': 'cat "$STATE/size"',
  systemctl: `case "$1" in
    show) version=$(cat "$STATE/version"); state=active
      [ -e "$STATE/broken-$version" ] && state=failed
      printf 'ActiveState=%s\\nNRestarts=0\\n' "$state" ;;
    list-units) cat "$STATE/others" 2>/dev/null || : ;;
    start) touch "$STATE/running"; echo "start $(cat "$STATE/version")" >> "$STATE/calls" ;;
    stop) rm -f "$STATE/running"; echo stop >> "$STATE/calls" ;;
  esac`,
  linekeeper: `echo "linekeeper $1" >> "$STATE/calls"
  case "$1" in
    backup) [ -e "$STATE/no-backup" ] && { echo 'The disk is full' >&2; exit 1; }
      [ -e "$STATE/running" ] && exit 9
      touch "$2"; echo '{}' ;;
    migrate) cat "$STATE/newer" ;;
    restore) echo "restored $2" >> "$STATE/restored"; echo '{}' ;;
  esac`,
};

let folder: string;
let feed: string;
let at: Installation;
const state = (name: string) => join(folder, 'state', name);
const calls = () => readFileSync(state('calls'), 'utf8').trim().split('\n');
const set = (name: string, text = '') => writeFileSync(state(name), text);
const record = () => JSON.parse(readFileSync(join(at.cache, 'update.json'), 'utf8'));
const offered = () => readRelease(feed, KEY);

const panel = createServer((request, response) => {
  const version = readFileSync(state('version'), 'utf8').trim();
  const isUp = existsSync(state('running')) && !existsSync(state(`broken-${version}`));
  if (!isUp) return request.destroy();
  const replies: Record<string, object> = {
    '/health': { status: 'ok', version },
    '/ready': { status: 'ok', database: 'ok', migrations: 'ok' },
  };
  return response.end(JSON.stringify(replies[request.url ?? ''] ?? {}));
});

/** Makes a release of one version; its package holds the version alone. */
function offer(version: string): void {
  const files: Record<string, string> = {
    'release.json': JSON.stringify({ version, date: '2026-11-30', changelog: '' }),
    [`linekeeper_${version}_amd64.deb`]: version,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(feed, name), text);
  const sums = Object.entries(files)
    .map(([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`)
    .join('');
  writeFileSync(join(feed, 'SHA256SUMS'), sums);
  writeFileSync(join(feed, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), privateKey));
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linekeeper-update-'));
  for (const name of ['state', 'bin', 'cache', 'backups', 'feed']) mkdirSync(join(folder, name));
  feed = join(folder, 'feed');
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`);
  vi.stubEnv('STATE', join(folder, 'state'));
  panel.listen(0, '127.0.0.1');
  await once(panel, 'listening');
  const url = `http://127.0.0.1:${(panel.address() as AddressInfo).port}`;
  const [cache, backups] = ['cache', 'backups'].map((name) => join(folder, name));
  at = { root: folder, cache: cache ?? '', backups: backups ?? '', url, patience: 200 };
  set('version', '1.0.0');
  set('size', '1');
  set('calls');
  set('running');
  set('newer', '{"newer":[]}');
  writeFileSync(join(at.cache, 'linekeeper_1.0.0_amd64.deb'), '1.0.0');
  offer('1.1.0');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  panel.closeAllConnections();
  panel.close();
  rmSync(folder, { recursive: true });
});

test('installs a newer version after a backup of the stopped panel, and keeps both packages', async () => {
  const { from, to, backup } = await update(at, await offered());
  expect([from, to]).toEqual(['1.0.0', '1.1.0']);
  expect(readdirSync(at.backups)).toEqual([expect.stringMatching(/^before-1\.1\.0-\d{14}/)]);
  expect(backup).toContain(at.backups);
  expect(calls()).toEqual([
    'stop',
    'linekeeper backup',
    'dpkg --force-confold --force-confdef --install linekeeper_1.1.0_amd64.deb',
    'start 1.1.0',
  ]);
  expect(record()).toMatchObject({ from: '1.0.0', to: '1.1.0', state: 'done' });
  offer('1.2.0');
  await update(at, await offered());
  const packages = readdirSync(at.cache).filter((name) => name.endsWith('.deb'));
  expect(packages.sort()).toEqual(['linekeeper_1.1.0_amd64.deb', 'linekeeper_1.2.0_amd64.deb']);
});

test('does nothing with the same version, and refuses an older one', async () => {
  offer('1.0.0');
  expect(await update(at, await offered())).toEqual({ from: '1.0.0', to: '1.0.0', backup: null });
  offer('0.9.0');
  await expect(update(at, await offered())).rejects.toThrow('older than 1.0.0');
  expect(calls()).toEqual(['']);
  const sorted = ['1.10.0', '1.2.0', '1.2.10'].sort(compareVersions);
  expect(sorted).toEqual(['1.2.0', '1.2.10', '1.10.0']);
});

test.each([
  ['a changed package', 'linekeeper_1.1.0_amd64.deb', 'checksum'],
  ['changed sums', 'SHA256SUMS', 'signature'],
  ['a signature of somebody else', 'SHA256SUMS.sig', 'signature'],
  ['a changed version', 'release.json', 'checksum'],
])('refuses %s, and the panel goes on', async (_, name, problem) => {
  appendFileSync(join(feed, name), ' ');
  const attempt = async () => update(at, await offered());
  await expect(attempt()).rejects.toThrow(problem);
  expect(calls()).toEqual(['']);
  expect(readdirSync(at.cache).filter((name) => name.startsWith('linekeeper'))).toHaveLength(1);
});

test('leaves nothing of a download that was cut off, and takes a whole one', async () => {
  const content = readFileSync(join(feed, 'linekeeper_1.1.0_amd64.deb'));
  let isCut = true;
  const web = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': content.length });
    if (!isCut) return response.end(content);
    response.write(content.subarray(0, 2));
    return setImmediate(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  const { port } = web.address() as AddressInfo;
  const release = { ...(await offered()), feed: `http://127.0.0.1:${port}/` };
  const fetched = () => fetchFile(release, 'linekeeper_1.1.0_amd64.deb', at.cache);
  await expect(fetched()).rejects.toThrow(`was not fetched into ${at.cache}`);
  expect(readdirSync(at.cache)).toEqual(['linekeeper_1.0.0_amd64.deb']);
  isCut = false;
  expect(readFileSync(await fetched())).toEqual(content);
  web.close();
});

test('changes nothing while several panels run, without a package to go back to, or without space', async () => {
  set('others', 'linekeeper@8080.service loaded active running Linekeeper panel on port 8080');
  await expect(update(at, await offered())).rejects.toThrow("systemctl stop 'linekeeper@*'");
  rmSync(state('others'));
  set('size', `${10 ** 12}`);
  await expect(update(at, await offered())).rejects.toThrow('MB are needed. Nothing was changed');
  rmSync(join(at.cache, 'linekeeper_1.0.0_amd64.deb'));
  await expect(update(at, await offered())).rejects.toThrow('Copy the package of version 1.0.0');
  expect(calls()).toEqual(['']);
});

test('starts the panel again if the backup fails', async () => {
  set('no-backup');
  const problem = 'The disk is full. Nothing was changed, and 1.0.0 runs again';
  await expect(update(at, await offered())).rejects.toThrow(problem);
  expect(calls()).toEqual(['stop', 'linekeeper backup', 'start 1.0.0']);
});

test.each([
  ['keeps the database if its schema is the same', '{"newer":[]}', false],
  ['restores the backup if the schema moved', '{"newer":["0200_x"]}', true],
])('goes back from a version that does not start, and %s', async (_, newer, isRestored) => {
  set('broken-1.1.0');
  set('newer', newer);
  const attempt = update(at, await offered());
  await expect(attempt).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('1.0.0 runs again'),
  });
  expect(readFileSync(state('version'), 'utf8')).toBe('1.0.0\n');
  expect(existsSync(state('restored'))).toBe(isRestored);
  expect(calls().at(-1)).toBe('start 1.0.0');
  expect(record().state).toBe('gone_back');
  await expect(back(at, false)).rejects.toThrow('no update to go back from');
});

test('runs the version before again if the package is refused', async () => {
  set('refused-1.1.0');
  await expect(update(at, await offered())).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('1.1.0 is refused'),
  });
  expect(calls()).not.toContainEqual(expect.stringContaining('dpkg'));
  expect(calls().at(-1)).toBe('start 1.0.0');
});

test('names packages and backup if going back fails, too', async () => {
  set('broken-1.1.0');
  set('broken-1.0.0');
  await expect(update(at, await offered())).rejects.toThrow(
    `The packages are in ${at.cache}, and the backup is ${at.backups}`,
  );
});

test.each([
  ['completes', '1.1.0', ['dpkg --configure -a', 'start 1.1.0']],
  ['begins again', '1.0.0', ['dpkg --configure -a', 'stop', 'linekeeper backup']],
])('%s an update that was killed', async (_, installed, begins) => {
  const begun = { from: '1.0.0', to: '1.1.0', backup: join(at.backups, 'b'), state: 'begun' };
  writeFileSync(join(at.cache, 'update.json'), JSON.stringify(begun));
  writeFileSync(join(at.cache, 'linekeeper_1.1.0_amd64.deb.part'), 'half');
  set('version', installed);
  rmSync(state('running'));
  expect(await update(at, await offered())).toMatchObject({ to: '1.1.0' });
  expect(calls().slice(0, begins.length)).toEqual(begins);
  expect(record().state).toBe('done');
});

test('refuses a second update at the same time', async () => {
  const lock = lockFolder(at.cache);
  await expect(update(at, await offered())).rejects.toThrow('Another update is running');
  lock.release();
  await update(at, await offered());
});

test('goes back on request, with the data of now or of then', async () => {
  const { backup } = await update(at, await offered());
  expect(await back(at, false)).toMatchObject({ from: '1.1.0', to: '1.0.0' });
  expect(existsSync(state('restored'))).toBe(false);
  const forward = await update(at, await offered());
  expect(await back(at, true)).toMatchObject({ to: '1.0.0' });
  expect(backup).not.toBeNull();
  expect(readFileSync(state('restored'), 'utf8')).toBe(`restored ${forward.backup}\n`);
  expect(calls().at(-1)).toBe('start 1.0.0');
});
