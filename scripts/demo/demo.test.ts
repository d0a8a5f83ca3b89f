// @module-tag thorough
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { ENVIRONMENT } from '../../apps/server/src/testing/process/command.ts';
import { readLine, tryLogin } from '../../packages/oscam/src/cccam-login.ts';
import { people } from './furnish.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));
let demo: ChildProcess | undefined;
afterEach(() => demo?.kill('SIGKILL'));

function start(env: Record<string, string>) {
  const { HOME = '' } = process.env;
  demo = spawn(process.execPath, [program], { env: { ...ENVIRONMENT, HOME, PORT: '0', ...env } });
  let said = '';
  for (const stream of [demo.stdout, demo.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return { ended: once(demo, 'exit'), said: () => said };
}

test('the demo signs everybody in, has lines and customers on both servers, and leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
  const { ended, said } = start({ TMPDIR: folder });
  await expect.poll(said, { timeout: 120_000 }).toMatch(/Ctrl-C/);
  const url = /The demo is at (\S+)/.exec(said())?.[1] ?? '';
  for (const { email, password } of Object.values(people)) {
    expect(said()).toContain(password);
    const reply = await fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(reply.status, email).toBe(200);
    if (email !== people.admin.email) continue;
    const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const list = await fetch(`${url}/api/lines?sync_state=synced&limit=100`, {
      headers: { cookie },
    });
    const { items } = (await list.json()) as { items: { server_id: string }[] };
    const servers = new Set(items.map((line) => line.server_id));
    expect(servers.size).toBe(2);
    const read = async (path: string) => (await fetch(url + path, { headers: { cookie } })).json();
    // Every server can be chosen for a line, and its customers are online once it was read.
    const choices = (await read('/api/servers/choices')) as { takes_no_lines: string | null }[];
    expect(choices.map(({ takes_no_lines }) => takes_no_lines)).toEqual([null, null]);
    // A line that a visitor sells logs in, at the address that the demo prints.
    const line = { username: 'first-line', password: 'amber-heron-7' };
    const sold = await fetch(`${url}/api/lines`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': 'sale' },
      body: JSON.stringify({ ...line, subscription_months: 1 }),
    });
    expect(sold.status).toBe(201);
    const [, address = ''] = /"(C: [\d. ]+) username password"/.exec(said()) ?? [];
    const tried = readLine(`${address} ${line.username} ${line.password}`);
    expect(tried && (await tryLogin(tried)).outcome).toBe('accepted');
    type Online = { online: { servers: { online: number }[] } | null };
    const online = async () =>
      ((await read('/api/dashboard')) as Online).online?.servers.map((one) => one.online) ?? [];
    await expect
      .poll(online, { timeout: 120_000, interval: 2000 })
      .toEqual([expect.any(Number), expect.any(Number)]);
    await expect
      .poll(async () => Math.min(...(await online())), { timeout: 90_000 })
      .toBeGreaterThan(0);
  }
  demo?.kill('SIGINT');
  await ended;
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
}, 400_000);

test.each(['DATA_DIR', 'DATABASE_URL'])('the demo refuses to start with %s', async (name) => {
  const value = join(tmpdir(), 'a-database-of-ones-own');
  const { ended, said } = start({ [name]: value });
  const [code] = await ended;
  expect(code).toBe(1);
  expect(said()).toContain(`unset ${name}`);
  expect(existsSync(value)).toBe(false);
});
