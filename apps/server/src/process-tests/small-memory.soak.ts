import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectPostgres } from '../db/connect.ts';
import { TestClient } from '../testing/client.ts';
import { ADMIN, startTestAgent } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  openTestWorld,
  type PanelProcess,
  spawnPanel,
  type TestWorld,
} from '../testing/process/process.ts';
import { seed } from '../testing/seed/lines.ts';
import { openEventStream } from '../testing/wire/streams.ts';

/** Minutes that the test takes, an hour by default. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 60);
const HEAP_MB = 128;
const AT_ONCE = 6;
/** The memory that the guide recommends for a panel on PostgreSQL. */
const PLANNED_MB = 512;

vi.setConfig({ testTimeout: (MINUTES + 10) * 60_000, hookTimeout: 600_000 });

let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let panel: PanelProcess;
let world: TestWorld;
beforeAll(async () => {
  database = await makeMigratedDatabase('postgres');
  agent = await startTestAgent();
  panel = await spawnPanel({
    ...database.env,
    ...FIRST_START,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    LOG_LEVEL: 'warn',
  });
  world = await openTestWorld(panel.url, agent.url, 1_000_000);
  const { db, close } = await connectPostgres(database.env.DATABASE_URL ?? '');
  await seed(db, { accounts: 2000, lines: 100_000 });
  await close();
});
afterAll(async () => {
  await endPanels();
  await agent?.close();
  await database?.remove();
});

const memoryMb = (what: 'VmRSS' | 'VmHWM') => {
  const status = readFileSync(`/proc/${panel.child.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
};

/** Typical requests, equally often, each with its expected status. */
function mixedWork({ admin, reseller }: TestWorld): [name: string, act: () => Promise<number>][] {
  const { client } = reseller;
  const sold: string[] = [];
  const page = async (path: string) => {
    const { status, body } = await admin.get(path);
    if (!body.next_cursor) return status;
    const next = `${path}${path.includes('?') ? '&' : '?'}cursor=${body.next_cursor}`;
    return (await admin.get(next)).status;
  };
  const soldOne = () => (sold.length === 0 ? undefined : sold[randomInt(sold.length)]);
  return [
    ['list', () => page('/api/lines')],
    ['search', () => page(`/api/lines?q=client%20${randomInt(10)}`)],
    ['own lines', async () => (await client.get('/api/lines')).status],
    ['transfers', () => page('/api/credits/transfers')],
    ['accounts', () => page('/api/accounts')],
    ['jobs', async () => (await admin.get('/api/jobs')).status],
    ['figures', async () => (await admin.get('/metrics')).status],
    [
      'sale',
      async () => {
        const sale = { username: randomUUID(), password: 'pw-1234', subscription_months: 1 };
        const { status, body } = await client.post('/api/lines', sale);
        if (body.line) sold.push(body.line.id);
        return status;
      },
    ],
    [
      'renewal',
      async () => {
        const id = soldOne();
        if (!id) return 200;
        const renewal = { subscription_months: 1 };
        return (await client.post(`/api/lines/${id}/renew`, renewal)).status;
      },
    ],
    [
      'bulk renewal',
      async () => {
        const ids = [...new Set(Array.from({ length: 20 }, soldOne))].filter(Boolean);
        if (ids.length === 0) return 200;
        const job = { action: 'renew', ids, subscription_months: 1 };
        return (await client.post('/api/lines/bulk', job)).status;
      },
    ],
    [
      'sign-in',
      async () => (await new TestClient(panel.url).signIn(ADMIN.email, ADMIN.password)).status,
    ],
    [
      'events',
      async () => {
        const stream = await openEventStream(client);
        await sleep(randomInt(500));
        stream.close();
        return 200;
      },
    ],
    ['books', async () => (await admin.get('/api/credits/verify')).status],
  ];
}

test(`a panel with a heap of ${HEAP_MB} MB works ${MINUTES} minutes among 100,000 lines`, async () => {
  const work = mixedWork(world);
  const done = new Map<string, number>();
  const refused: string[] = [];
  const endsAt = Date.now() + MINUTES * 60_000;
  const highest: number[] = [];
  const person = async () => {
    while (Date.now() < endsAt) {
      const [name, act] = work[randomInt(work.length)] ?? [];
      if (!name || !act) continue;
      const status = await act();
      if (status >= 300) refused.push(`${name}: ${status}`);
      done.set(name, (done.get(name) ?? 0) + 1);
      highest.push(memoryMb('VmRSS'));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, person));
  const half = (part: number[]) => part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)];
  const middle = Math.floor(highest.length / 2);
  console.log(Object.fromEntries(done), {
    peak: memoryMb('VmHWM'),
    first_half: half(highest.slice(0, middle)),
    second_half: half(highest.slice(middle)),
  });
  expect(refused).toEqual([]);
  expect(panel.child.exitCode).toBeNull();
  expect(memoryMb('VmHWM')).toBeLessThan(PLANNED_MB);
  expect((await world.admin.get('/ready')).status).toBe(200);
});
