// `npm run bench -- --memory`: how much memory a panel holds while 25 people use it for an hour.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type Connection,
  connectEmbedded,
  connectPostgres,
} from '../apps/server/src/db/connect.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { seed } from '../apps/server/src/testing/seed/lines.ts';
import { seedPresence } from '../apps/server/src/testing/seed/presence.ts';
import { memorySettings } from '../scripts/memory.mjs';
import { startPostgres } from '../scripts/test-postgres.ts';
import { addServer, SECRET_KEY, signIn } from './fixture.ts';
import { startCardServer, startPanel } from './servers.ts';

const LINES = 20_000;
const ACCOUNTS = 500;
const PEOPLE = 25;
const SAMPLE_MS = 10_000;

const { values: options } = parseArgs({
  options: {
    memory: { type: 'boolean' },
    minutes: { type: 'string', default: '60' },
    /** Calls a second of all people together; 0 is as fast as the panel replies. */
    rate: { type: 'string', default: '10' },
    /** Without the settings, as Node and the allocator do it on their own. */
    plain: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
  },
});
const endsAt = () => Date.now() + Number(options.minutes) * 60_000;
const pauseMs = Number(options.rate) === 0 ? 0 : (PEOPLE * 1000) / Number(options.rate);

const folder = await mkdtemp(join(tmpdir(), 'linekeeper-memory-'));
const postgres = options.postgres ? await startPostgres() : undefined;
const cardServer = await startCardServer();
const place: Record<string, string> = postgres
  ? { DATABASE_URL: postgres.url() }
  : { DATA_DIR: join(folder, 'data') };
const connection = await connectHere();
await migrate(connection.db);
await seed(connection.db, { accounts: ACCOUNTS, lines: LINES });
await seedPresence(connection.db);
await addServer(connection.db, cardServer);
const everybody = Array.from({ length: PEOPLE }, (_, index) => 1 + index);
const cookies = await signIn(connection.db, everybody);
await connection.close();

const panel = await startPanel({
  ...place,
  SECRET_KEY,
  LOG_LEVEL: 'warn',
  PORT: options.port,
  ...(options.plain ? {} : memorySettings),
});
try {
  await hold();
} finally {
  await panel.stop();
  await cardServer.stop();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

function connectHere(): Promise<Connection> {
  return postgres ? connectPostgres(postgres.url()) : connectEmbedded(place.DATA_DIR ?? null);
}

async function hold(): Promise<void> {
  const end = endsAt();
  let calls = 0;
  const failures = new Map<string, number>();
  const person = async (account: number) => {
    const cookie = cookies.get(account) ?? '';
    await sleep((pauseMs / PEOPLE) * account);
    for (let turn = account; Date.now() < end; turn += 1) {
      const startedAt = Date.now();
      const [path, body] = requestOf(turn);
      const { status } = await call(path, cookie, body);
      calls += 1;
      if (status >= 400)
        failures.set(`${status} ${path}`, (failures.get(`${status} ${path}`) ?? 0) + 1);
      await sleep(Math.max(0, pauseMs - (Date.now() - startedAt)));
    }
  };
  const startedAt = Date.now();
  const people = Promise.all(everybody.map(person));
  const samples: number[] = [];
  while (Date.now() < end) {
    await sleep(Math.min(SAMPLE_MS, Math.max(0, end - Date.now())));
    samples.push((await statusOf('VmRSS')) ?? 0);
    if (samples.length % 30 === 0) console.log(`${samples.length / 6} min: ${samples.at(-1)} MB`);
  }
  await people;
  const seconds = (Date.now() - startedAt) / 1000;
  console.log({
    database: options.postgres ? 'PostgreSQL' : 'embedded',
    settings: options.plain ? 'none' : memorySettings,
    calls_a_second: Math.round(calls / seconds),
    median: medianOf(samples),
    median_of_the_last_third: medianOf(samples.slice(-Math.ceil(samples.length / 3))),
    most: await statusOf('VmHWM'),
    failures: Object.fromEntries(failures),
  });
}

/** What people ask for, one thing after another; each twentieth is a sale. */
function requestOf(turn: number): [path: string, body?: unknown] {
  if (turn % 20 === 0) {
    const username = `m${randomUUID().slice(0, 12)}`;
    return ['/api/lines', { username, password: 'pw-12345', subscription_months: 1 }];
  }
  const paths = [
    '/api/me',
    '/api/dashboard',
    '/api/lines',
    `/api/lines?q=box${(turn % 256).toString(16).padStart(2, '0')}`,
    '/api/lines?sort=expiry_date&limit=100',
    '/api/accounts',
    '/api/credits/transfers',
    '/api/notifications',
    '/api/messages/unread-count',
  ];
  return [paths[turn % paths.length] ?? ''];
}

async function call(path: string, cookie: string, body?: unknown): Promise<Response> {
  const response = await fetch(panel.url + path, {
    headers: {
      cookie,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response;
}

/** In MB. */
async function statusOf(what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${panel.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
