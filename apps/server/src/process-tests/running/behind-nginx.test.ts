// @module-tag thorough
import { MAX_BULK_MB } from '@linekeeper/contract/lines/import-limits.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { startTestAgent } from '../../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  openTestWorld,
  type PanelProcess,
  soldNames,
  spawnPanel,
  type TestWorld,
} from '../../testing/process/process.ts';
import { JSON_TYPE, sendRaw } from '../../testing/wire/raw.ts';
import { openEventStream } from '../../testing/wire/streams.ts';
import { findNginx, freePort, type Nginx, startNginx } from './nginx.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const program = findNginx();
const SELLERS = 6;
const READERS = 6;

if (program) describe('two panels behind deploy/nginx.conf', () => behindNginx(program));
else {
  test('nginx is not on this machine, and NGINX_PATH names none: deploy/nginx.conf is only read', () => {
    expect(findNginx()).toBeNull();
  });
}

function behindNginx(nginxProgram: string): void {
  let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let nginx: Nginx;
  let ports: number[];
  let env: Record<string, string>;
  let panels: PanelProcess[];
  let world: TestWorld;
  const start = (port: number) => spawnPanel({ ...env, PORT: String(port) });

  beforeAll(async () => {
    database = await makeMigratedDatabase('postgres');
    agent = await startTestAgent();
    const port = await freePort();
    ports = [await freePort(), await freePort()];
    const PUBLIC_URL = `http://127.0.0.1:${port}`;
    env = { ...database.env, ...FIRST_START, PUBLIC_URL, TRUST_PROXY: '127.0.0.1' };
    panels = await Promise.all(ports.map(start));
    nginx = await startNginx(nginxProgram, port, ports);
    world = await openTestWorld(nginx.url, agent.url, 1_000_000);
  });
  afterAll(async () => {
    await nginx?.stop();
    await endPanels();
    await agent?.close();
    await database?.remove();
  });

  test('both logs have the client’s own address, whatever the client says of itself', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const path = '/api/me?token=canary';
    await sendRaw(nginx.url, { path, headers, localAddress: '127.0.0.7' });
    await eventually(() => {
      expect(nginx.log()).toContainEqual(
        expect.objectContaining({ ip: '127.0.0.7', path: '/api/me', status: 401 }),
      );
      expect(panels.map((panel) => panel.stdout()).join('')).toContain('"ip":"127.0.0.7"');
    });
    const all = panels.map((panel) => panel.stdout()).join('') + JSON.stringify(nginx.log());
    expect(all).not.toMatch(/203\.0\.113\.9|canary/);
  });

  test('an import and an attachment of the largest size get the panel’s answer', async () => {
    const { cookie } = world.reseller.client;
    const send = async (path: string, bytes: number, type: object) => {
      const body = Buffer.alloc(bytes, 'x');
      const { text } = await sendRaw(nginx.url, {
        method: 'POST',
        path,
        headers: { ...type, cookie },
        body,
      });
      return JSON.parse(text);
    };
    const json = await send('/api/lines/bulk', MAX_BULK_MB * 1024 * 1024, JSON_TYPE);
    expect(json).toMatchObject({ code: expect.any(String) });
    const form = { 'content-type': 'multipart/form-data; boundary=none' };
    const file = await send('/api/attachments', 10 * 1024 * 1024 + 2000, form);
    expect(file).toMatchObject({ code: expect.any(String) });
  });

  test('the state of the panels is nobody’s business', async () => {
    for (const path of ['/health', '/ready', '/metrics']) {
      expect((await fetch(nginx.url + path)).status).toBe(404);
    }
  });

  test('events come through as they happen', async () => {
    const stream = await openEventStream(world.reseller.client);
    const { body } = await world.reseller.client.patch('/api/me', { full_name: 'Told at once' });
    await stream.hears({ table: 'auth_users', id: body.id });
    stream.close();
  });

  test('a rolling restart under load loses nothing, and nothing is done twice', async () => {
    const { client } = world.reseller;
    const failed: unknown[] = [];
    const sold: string[] = [];
    let isOver = false;
    const sell = async (_: unknown, seller: number) => {
      for (let number = 0; !isOver; number += 1) {
        const name = `sold-${seller}-${number}`;
        const { status, body } = await client.post('/api/lines', newLine(name));
        if (status === 201) sold.push(name);
        else failed.push({ status, body });
      }
    };
    let read = 0;
    const reading = async () => {
      while (!isOver) {
        const { status, body } = await client.get('/api/me');
        if (status === 200) read += 1;
        else failed.push({ status, body });
      }
    };
    const load = [
      ...Array.from({ length: SELLERS }, sell),
      ...Array.from({ length: READERS }, reading),
    ];
    for (const [at, port] of ports.entries()) {
      const seen = sold.length + read;
      // There is traffic between any two restarts.
      await eventually(() => expect(sold.length + read).toBeGreaterThan(seen + 50));
      panels[at]?.child.kill('SIGTERM');
      expect(await panels[at]?.ended).toMatchObject({ code: 0 });
      panels[at] = await start(port);
    }
    isOver = true;
    await Promise.all(load);
    expect(failed).toEqual([]);
    expect(sold.length).toBeGreaterThan(0);
    const first = sold.toSorted().slice(0, 100);
    expect(await soldNames(world.admin)).toEqual(first);
    const { body } = await world.admin.get('/api/lines?limit=1');
    expect(body.total).toBe(sold.length);
  });
}
