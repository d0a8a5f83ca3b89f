// @module-tag thorough
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../testing/panel.ts';
import { ZONE } from '../testing/zone.ts';

const root = join(import.meta.dirname, '../../../..');

let panel: TestPanel;
beforeAll(async () => {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'apps/agent'),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  expect(built.status, String(built.stderr)).toBe(0);
  panel = await startTestPanel();
});
afterAll(() => panel?.stop());

let machine: string;
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'linekeeper-machine-'));
  return () => rmSync(machine, { recursive: true, force: true });
});

const at = (path: string) => join(machine, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

/**
 * Runs the panel's script as the command does, with a folder as the machine's root. The script is
 * killed as soon as the file `cutOffAt` exists.
 */
async function runUntil(
  cutOffAt: string | undefined,
  env: Record<string, string>,
  ...args: string[]
) {
  const script = await (await fetch(`${panel.url}/agent.sh`)).text();
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  // The panel runs in this process, so the test must not block while the script runs.
  const ran = spawn('sh', ['-s', '--', ...args], {
    env: { PATH, DESTDIR: machine, ...env },
    detached: true,
  });
  let said = '';
  const look = setInterval(() => {
    if (cutOffAt && existsSync(at(cutOffAt)) && ran.pid) process.kill(-ran.pid, 'SIGKILL');
  }, 5);
  for (const stream of [ran.stdout, ran.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  ran.stdin.end(script);
  const [code] = await once(ran, 'close');
  clearInterval(look);
  return { code: code as number, said };
}

const run = (env: Record<string, string> = {}, ...args: string[]) =>
  runUntil(undefined, env, ...args);

async function newKey(of: object = {}): Promise<{ id: string; KEY: string }> {
  const { body } = await panel.admin.post('/api/servers/awaited', of);
  return { id: body.awaited.id, KEY: /KEY=(\S+)/.exec(body.command)?.[1] ?? '' };
}

test('a machine without Node gets the one of the panel, packed', async () => {
  const script = await (await fetch(`${panel.url}/agent.sh`)).text();
  const packed = await fetch(`${panel.url}/agent/node.gz`);
  const hash = createHash('sha256').update(gunzipSync(await packed.bytes()));
  expect(script).toContain(`NODE_SHA256='${hash.digest('hex')}'`);
});

const oscamConf =
  '[cccam]\nport = 12001\n[webif]\nhttpport = 8888\nhttpuser = adm\nhttppwd = a#b\n';

test('the agent is installed beside OSCam and CCcam, updated, and removed', async () => {
  write('etc/oscam/oscam.conf', oscamConf);
  write('etc/oscam/oscam.user', '[account]\nuser = old\n');
  write('etc/CCcam.cfg', 'F: me pw\n');
  const { id, KEY } = await newKey();
  const installed = await run({ KEY });
  expect(installed).toMatchObject({ code: 0 });
  expect(installed.said).toContain('OSCam: accounts in /etc/oscam/oscam.user');

  const { body } = await panel.admin.get(`/api/servers/awaited/${id}`);
  expect(body.called).toMatchObject({ port: 12_001, protocol: 'CCcam' });
  const settings = parseEnv(read('etc/linekeeper-agent.env'));
  expect(settings).toMatchObject({
    AGENT_USERNAME: 'linekeeper',
    AGENT_HOST: '127.0.0.1',
    AGENT_PORT: String(body.called.api_port),
    OSCAM_WEBIF_URL: 'http://127.0.0.1:8888',
    OSCAM_WEBIF_PASSWORD: 'a#b',
    TIME_ZONE: ZONE,
  });
  expect(readlinkSync(at('var/lib/linekeeper-agent/oscam.user'))).toBe(at('etc/oscam/oscam.user'));
  expect(readlinkSync(at('etc/CCcam.cfg'))).toBe(at('var/lib/linekeeper-agent/CCcam.cfg'));
  expect(read('etc/systemd/system/linekeeper-agent.service')).toContain('ReadWritePaths=');

  write('etc/linekeeper-agent.env', `${read('etc/linekeeper-agent.env')}OSCAM_GROUP=2\n`);
  expect(await run()).toMatchObject({ code: 0 });
  expect(parseEnv(read('etc/linekeeper-agent.env'))).toEqual({ ...settings, OSCAM_GROUP: '2' });

  // With a key from the server's page, the agent gets another password, and everything else stays as it was.
  const { body: added } = await panel.admin.post(`/api/servers/awaited/${id}/server`, {
    server_name: 'Installed again',
    public_host: 'fra1.lines.example',
    port: 12_001,
  });
  const again = await newKey({ server_id: added.server.id });
  expect(again.id).toBe(id);
  expect(await run({ KEY: again.KEY })).toMatchObject({ code: 0 });
  const { AGENT_PASSWORD, ...kept } = settings;
  const now = parseEnv(read('etc/linekeeper-agent.env'));
  expect(now).toMatchObject({ ...kept, OSCAM_GROUP: '2' });
  expect(now.AGENT_PASSWORD).not.toBe(AGENT_PASSWORD);

  expect(await run({}, '--remove')).toMatchObject({ code: 0 });
  expect(existsSync(at('opt/linekeeper-agent'))).toBe(false);
  expect(existsSync(at('etc/linekeeper-agent.env'))).toBe(false);
  expect(read('etc/CCcam.cfg')).toBe('F: me pw\n');
  expect(read('etc/oscam/oscam.user')).toBe('[account]\nuser = old\n');
});

test('a key that was used leaves nothing behind', async () => {
  write('etc/CCcam.cfg', 'F: me pw\n');
  const { id, KEY } = await newKey();
  const call = { key: KEY, api_port: 3000, agent_version: '1.0.0' };
  await panel.anonymous().post('/api/servers/awaited/call', call);
  const { called } = (await panel.admin.get(`/api/servers/awaited/${id}`)).body;
  await panel.services.db
    .updateTable('awaited_servers')
    .set({ call: JSON.stringify({ ...called, host: '203.0.113.7' }) })
    .where('id', '=', id)
    .execute();
  const { code, said } = await run({ KEY });
  expect(code).toBe(1);
  expect(said).toContain('This key has already been used');
  expect(said).toContain('All changes were undone.');
  expect(read('etc/CCcam.cfg')).toBe('F: me pw\n');
  for (const path of [
    'opt/linekeeper-agent',
    'var/lib/linekeeper-agent',
    'etc/linekeeper-agent.env',
  ])
    expect(existsSync(at(path)), path).toBe(false);
});

test('the key of an installation that failed after its first call works for the next one', async () => {
  write('etc/CCcam.cfg', 'F: me pw\n');
  write('opt', 'in the way of the folder');
  const { id, KEY } = await newKey();
  const failed = await run({ KEY });
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.said).toContain('All changes were undone.');
  expect((await panel.admin.get(`/api/servers/awaited/${id}`)).body.called).not.toBeNull();
  rmSync(at('opt'));
  expect(await run({ KEY })).toMatchObject({ code: 0 });
});

test('several places are named, and none is guessed', async () => {
  for (const folder of ['etc/oscam', 'usr/local/etc']) write(`${folder}/oscam.conf`, oscamConf);
  const { KEY } = await newKey();
  const { code, said } = await run({ KEY });
  expect(code).toBe(1);
  expect(said).toContain('OSCam was found in several places: /etc/oscam /usr/local/etc');
  expect(await run({ KEY, OSCAM_DIR: '/usr/local/etc' })).toMatchObject({ code: 0 });
  const link = readlinkSync(at('var/lib/linekeeper-agent/oscam.user'));
  expect(link).toBe(at('usr/local/etc/oscam.user'));
});

test('an installation that was cut off is finished by the next one, and removed whole', async () => {
  write('etc/oscam/oscam.conf', oscamConf);
  write('etc/CCcam.cfg', 'F: me pw\n');
  const first = await newKey();
  const { code } = await runUntil('etc/linekeeper-agent.env', { KEY: first.KEY });
  expect(code).toBe(null);
  expect(existsSync(at('opt/linekeeper-agent'))).toBe(false);
  expect(await run({ KEY: (await newKey()).KEY })).toMatchObject({ code: 0 });
  expect(await run({}, '--remove')).toMatchObject({ code: 0 });
  expect(readdirSync(at('etc'), { recursive: true }).sort()).toEqual([
    'CCcam.cfg',
    'oscam',
    'oscam/oscam.conf',
    'oscam/oscam.user',
    'systemd',
    'systemd/system',
  ]);
  expect(lstatSync(at('etc/CCcam.cfg')).isFile()).toBe(true);
  expect(read('etc/CCcam.cfg')).toBe('F: me pw\n');
});

test('what was cut off is put back without finishing it', async () => {
  write('etc/CCcam.cfg', 'F: me pw\n');
  await runUntil('etc/linekeeper-agent.env', { KEY: (await newKey()).KEY });
  expect(await run({}, '--remove')).toMatchObject({ code: 0 });
  expect(readdirSync(at('etc'))).toEqual(['CCcam.cfg']);
  expect(lstatSync(at('etc/CCcam.cfg')).isFile()).toBe(true);
});

test.each([
  ['a quote', "/etc/os'; touch opened; 'cam"],
  ['a line break', '/etc/oscam\n/x'],
  ['a way up', '/etc/../oscam'],
  ['no root', 'etc/oscam'],
])('a folder with %s in its name is refused before anything is done', async (_, folder) => {
  mkdirSync(join(machine, folder), { recursive: true });
  const { code, said } = await run({ KEY: (await newKey()).KEY, OSCAM_DIR: folder });
  expect(code).toBe(1);
  expect(said).toContain('OSCAM_DIR: only absolute paths of letters, digits');
  expect(existsSync(at('var'))).toBe(false);
});

test('a CCcam.cfg that is a link leads to the file that CCcam reads', async () => {
  write('var/etc/real.cfg', 'F: me pw\n');
  mkdirSync(at('etc'));
  symlinkSync(at('var/etc/real.cfg'), at('etc/CCcam.cfg'));
  const { code, said } = await run({ KEY: (await newKey()).KEY });
  expect({ code, said }).toMatchObject({ code: 0 });
  expect(said).toContain('CCcam: /var/etc/real.cfg becomes a link');
  expect(realpathSync(at('etc/CCcam.cfg'))).toBe(
    realpathSync(at('var/lib/linekeeper-agent/CCcam.cfg')),
  );
  expect(await run()).toMatchObject({ code: 0 });
  expect(await run({}, '--remove')).toMatchObject({ code: 0 });
  expect(read('var/etc/real.cfg')).toBe('F: me pw\n');
  expect(realpathSync(at('etc/CCcam.cfg'))).toBe(realpathSync(at('var/etc/real.cfg')));
});

test('a link in the place of a file is not followed', async () => {
  write('etc/oscam/oscam.conf', oscamConf);
  symlinkSync(at('etc/cron'), at('etc/oscam/oscam.user'));
  const { code, said } = await run({ KEY: (await newKey()).KEY });
  expect(code).toBe(1);
  expect(said).toContain('/etc/oscam/oscam.user is a link');
  expect(existsSync(at('etc/cron'))).toBe(false);
  expect(existsSync(at('var/lib/linekeeper-agent'))).toBe(false);
});

test('without a key and without an agent there is nothing to do', async () => {
  const { code, said } = await run();
  expect(code).toBe(1);
  expect(said).toContain('The key is missing');
});
