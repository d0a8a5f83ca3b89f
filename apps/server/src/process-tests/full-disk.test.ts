// @module-tag thorough
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type Panel, startPanel } from '../commands/panel.ts';
import { connectEmbedded } from '../db/connect.ts';
import { TestClient } from '../testing/client.ts';
import { copyEmbeddedTemplate } from '../testing/database/embedded-template.ts';
import { eventually } from '../testing/eventually.ts';
import { ADMIN, startTestAgent } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  movedTo,
  openTestWorld,
  soldNames,
  spawnPanel,
  type TestWorld,
} from '../testing/process/process.ts';
import { metricsOf } from '../testing/wire/metrics.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SMALL_DISK_MB = 200;
const CONNECT = new URL('../db/connect.ts', import.meta.url).href;

/** A small disk that can be filled completely; null if mounting is not permitted. */
function mountSmallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${SMALL_DISK_MB}m`, 'tmpfs', folder];
    execFileSync('mount', options, { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

let agent: Awaited<ReturnType<typeof startTestAgent>>;
// The folder of the disk, mounted when the tests run, and not if they are only listed.
let disk: string | null = null;
beforeAll(async () => {
  disk = mountSmallDisk();
  agent = await startTestAgent();
});
afterAll(async () => {
  await endPanels();
  await agent?.close();
  if (!disk) return;
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

const sale = (username: string) => ({ username, password: 'pw-1234', subscription_months: 1 });

/** Expects that requests that need no free space work. */
async function expectReadingOnly({ admin, reseller }: TestWorld, url: string): Promise<void> {
  await eventually(async () => {
    expect(await admin.get('/ready')).toMatchObject({ status: 503, body: { database: 'full' } });
  });
  const { status, body } = await reseller.client.post('/api/lines', sale('too-late'));
  expect([status, body.code]).toEqual([503, 'DISK_FULL']);
  expect(body.message).toContain('The database’s disk is full');
  const signIn = await new TestClient(url).signIn(ADMIN.email, ADMIN.password);
  expect([signIn.status, signIn.body.code]).toEqual([503, 'DISK_FULL']);
  expect(await soldNames(admin)).toEqual(['before']);
  expect((await reseller.client.get('/api/me')).body.credits).toBe(98);
  expect(await metricsOf(url)).toMatchObject({
    linekeeper_disk_full: 1,
    linekeeper_database_up: 1,
  });
}

// If mounting is not permitted, the next test still covers what a seller sees.
test('on a full disk lines are read, none is sold, and all comes back with space', async ({
  skip,
}) => {
  skip(disk === null);
  const folder = join(disk ?? '', 'data');
  await copyEmbeddedTemplate(inject('embeddedTemplateFolder'), folder);
  const env = { DATA_DIR: folder, ...FIRST_START };
  const panel = await spawnPanel(env);
  const world = await openTestWorld(panel.url, agent.url);
  expect((await world.reseller.client.post('/api/lines', sale('before'))).status).toBe(201);

  const filler = join(disk ?? '', 'filler');
  fillUp(filler);
  await expectReadingOnly(world, panel.url);

  rmSync(filler);
  await eventually(async () => expect((await world.admin.get('/ready')).status).toBe(200));
  const after = await world.reseller.client.post('/api/lines', sale('after'));
  expect(after).toMatchObject({ status: 201, body: { sync: { ok: true } } });

  // The panel must stop without any free space and lose no sale.
  fillUp(filler);
  await eventually(async () => expect((await world.admin.get('/ready')).status).toBe(503));
  panel.child.kill('SIGTERM');
  expect(await panel.ended).toMatchObject({ code: 0, signal: null });
  rmSync(filler);
  const next = await spawnPanel(env);
  expect(await soldNames(movedTo(next.url, world.admin))).toEqual(['after', 'before']);
  next.child.kill('SIGTERM');
  await next.ended;
});

test('below the threshold lines are read and none is sold', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'threshold-'));
  await copyEmbeddedTemplate(inject('embeddedTemplateFolder'), folder);
  const env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, ...FIRST_START };
  const start = (leastFreeBytes: number): Promise<Panel> =>
    startPanel(env, pino({ level: 'silent' }), { leastFreeBytes });
  const first = await start(0);
  const world = await openTestWorld(first.url, agent.url);
  await world.reseller.client.post('/api/lines', sale('before'));
  await first.close();

  const panel = await start(Number.MAX_SAFE_INTEGER);
  const admin = movedTo(panel.url, world.admin);
  const client = movedTo(panel.url, world.reseller.client);
  await expectReadingOnly({ ...world, admin, reseller: { ...world.reseller, client } }, panel.url);
  await panel.close();
  rmSync(folder, { recursive: true });
});

// Space runs out during a transaction, or another program takes all of it at once.
test('a database without space for its log ends its process, and has all it acknowledged', async ({
  skip,
}) => {
  skip(disk === null);
  const folder = join(disk ?? '', 'unguarded');
  const filler = join(disk ?? '', 'filler');
  await copyEmbeddedTemplate(inject('embeddedTemplateFolder'), folder);
  const opened = await connectEmbedded(folder);
  await opened.query('create table heap (number int, text text)');
  await opened.close();
  fillUp(filler, 30 * 1024 * 1024);
  const write = `const { connectEmbedded } = await import(${JSON.stringify(CONNECT)});
    const { query } = await connectEmbedded(${JSON.stringify(folder)});
    for (let number = 1; ; number++) {
      await query('insert into heap select ' + number + ", string_agg(md5(random()::text), '') from generate_series(1, 600)");
      console.log(number);
      await query('delete from heap where number < ' + number);
      await query('vacuum heap');
    }`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', write], {
    encoding: 'utf8',
  });
  expect(ended.stderr).toContain(
    'The embedded database cannot continue: could not write to file "pg_wal',
  );
  expect(ended.status).toBe(1);
  const acknowledged = Number(ended.stdout.trim().split('\n').at(-1));
  expect(acknowledged).toBeGreaterThan(0);

  rmSync(filler);
  const { query, close } = await connectEmbedded(folder);
  const { rows } = (await query('select max(number) from heap')) as { rows: { max: number }[] };
  expect(rows[0]?.max).toBeGreaterThanOrEqual(acknowledged);
  await close();
});

/** Fills the disk of `file` except for `rest` bytes. */
function fillUp(file: string, rest = 0): void {
  const { bavail, bsize } = statfsSync(join(file, '..'));
  writeFileSync(file, Buffer.alloc(bavail * bsize - rest));
}
