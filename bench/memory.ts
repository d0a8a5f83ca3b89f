// `npm run bench -- --memory`: how much memory a panel holds while people use it. `--hours 8 --minutes 12` gives it the
// calls, pushes, backups and jobs of eight hours within twelve minutes.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BACKUP_PATH } from '@linekeeper/contract/backup.ts';
import { EVENTS_PATH } from '@linekeeper/contract/live.ts';
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

const ACCOUNTS = 500;
const SAMPLE_MS = 10_000;

const { values: options } = parseArgs({
  options: {
    memory: { type: 'boolean' },
    minutes: { type: 'string', default: '60' },
    /** The hours whose work is done within these minutes; without it, the minutes are not compressed. */
    hours: { type: 'string' },
    lines: { type: 'string', default: '20000' },
    people: { type: 'string', default: '25' },
    /** Calls a second of all people together, of the compressed time; 0 is as fast as the panel replies. */
    rate: { type: 'string', default: '10' },
    /** Without the settings, as Node and the allocator do it on their own. */
    plain: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    /** The command that limits the panel, such as `systemd-run --scope -p MemoryMax=512M -p AllowedCPUs=0`. */
    within: { type: 'string', default: '' },
    port: { type: 'string', default: '0' },
  },
});
const MINUTES = Number(options.minutes);
const PEOPLE = Number(options.people);
/** How many times as fast as real time everything happens. */
const pace = options.hours ? (Number(options.hours) * 60) / MINUTES : 1;
const pauseMs = Number(options.rate) === 0 ? 0 : (PEOPLE * 1000) / Number(options.rate) / pace;

const folder = await mkdtemp(join(tmpdir(), 'linekeeper-memory-'));
const postgres = options.postgres ? await startPostgres() : undefined;
const cardServer = await startCardServer();
const place: Record<string, string> = postgres
  ? { DATABASE_URL: postgres.url() }
  : { DATA_DIR: join(folder, 'data') };
const connection = await connectHere();
await migrate(connection.db);
await seed(connection.db, { accounts: ACCOUNTS, lines: Number(options.lines) });
await seedPresence(connection.db);
await addServer(connection.db, cardServer);
// A table without a primary key cannot be backed up.
await connection.query('alter table held_pushes add primary key (server_id, username)');
if (pace > 1) await hastenJobs(connection);
const everybody = Array.from({ length: PEOPLE }, (_, index) => 1 + index);
const cookies = await signIn(connection.db, everybody);
await connection.close();

const settings: Record<string, string> = options.plain ? {} : memorySettings;
const panel = await startPanel(
  {
    ...place,
    SECRET_KEY,
    LOG_LEVEL: 'warn',
    PORT: options.port,
    BACKUP_SCHEDULE: 'hourly',
    BACKUP_DIR: join(folder, 'backups'),
    ...settings,
    NODE_OPTIONS: `${settings.NODE_OPTIONS ?? ''} ${hastenIntervals()}`,
  },
  options.within.split(' ').filter(Boolean),
);
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

/** Scheduled jobs come due this many times as often. */
async function hastenJobs({ query }: Connection): Promise<void> {
  await query(`create function hasten() returns trigger language plpgsql as $$ begin
    new.next_at := clock_timestamp() + (new.next_at - clock_timestamp()) / ${pace};
    return new; end $$`);
  await query(`create trigger hasten before insert or update on schedules
    for each row execute function hasten()`);
}

/** Node's option with which the panel's loops look for work this many times as often. */
function hastenIntervals(): string {
  const script = `const { setInterval: real } = globalThis;
    globalThis.setInterval = (work, ms, ...rest) => real(work, ms / ${pace}, ...rest);`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

async function hold(): Promise<void> {
  const end = Date.now() + MINUTES * 60_000;
  // On a slow machine the calls of compressed hours take longer than the minutes.
  const callsEach = options.hours
    ? Math.ceil((Number(options.rate) * Number(options.hours) * 3600) / PEOPLE)
    : Number.POSITIVE_INFINITY;
  const isOver = (made: number) => made >= callsEach || (!options.hours && Date.now() >= end);
  const streams = new AbortController();
  let calls = 0;
  let areDone = false;
  const failures = new Map<string, number>();
  const person = async (account: number) => {
    const cookie = cookies.get(account) ?? '';
    const sold: string[] = [];
    readStream(cookie, streams.signal).catch(() => {});
    await sleep((pauseMs / PEOPLE) * account);
    for (let turn = account; !isOver(turn - account); turn += 1) {
      const startedAt = Date.now();
      const [path, body] = requestOf(turn, sold);
      const { status, json } = await call(path, cookie, body);
      calls += 1;
      if (json?.line) sold.push(json.line.id);
      if (status >= 400)
        failures.set(`${status} ${path}`, (failures.get(`${status} ${path}`) ?? 0) + 1);
      await sleep(Math.max(0, pauseMs - (Date.now() - startedAt)));
    }
  };
  const startedAt = Date.now();
  const people = Promise.all([...everybody.map(person), workHourly(end)]).then(() => {
    areDone = true;
  });
  const samples: number[] = [];
  while (!areDone) {
    await Promise.race([people, sleep(SAMPLE_MS)]);
    samples.push((await statusOf('VmRSS')) ?? 0);
    if (samples.length % 30 === 0) console.log(`${samples.length / 6} min: ${samples.at(-1)} MB`);
  }
  await people;
  streams.abort();
  const seconds = (Date.now() - startedAt) / 1000;
  console.log({
    database: options.postgres ? 'PostgreSQL' : 'embedded',
    lines: options.lines,
    people: PEOPLE,
    hours: options.hours,
    settings: options.plain ? 'none' : memorySettings,
    calls,
    calls_a_second: Math.round(calls / seconds),
    median: medianOf(samples),
    median_of_the_last_third: medianOf(samples.slice(-Math.ceil(samples.length / 3))),
    most: await statusOf('VmHWM'),
    failures: Object.fromEntries(failures),
  });
}

/** What people ask for, one thing after another; each twentieth is a sale, or a renewal of what they sold. */
function requestOf(turn: number, sold: string[]): [path: string, body?: unknown] {
  if (turn % 200 === 0 && sold.length > 0) {
    const ids = sold.slice(-20);
    return ['/api/lines/bulk', { action: 'renew', ids, subscription_months: 1 }];
  }
  if (turn % 40 === 0) {
    const username = `m${randomUUID().slice(0, 12)}`;
    return ['/api/lines', { username, password: 'pw-12345', subscription_months: 1 }];
  }
  const line = sold[turn % Math.max(1, sold.length)];
  if (turn % 20 === 0 && line) return [`/api/lines/${line}/renew`, { subscription_months: 1 }];
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

async function call(path: string, cookie: string, body?: unknown) {
  const response = await fetch(panel.url + path, {
    headers: {
      cookie,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: body === undefined ? null : JSON.parse(text) };
}

/** In each hour of the compressed time: the books are verified, lines exported, and the embedded database backed up. */
async function workHourly(end: number): Promise<void> {
  const hour = 3_600_000 / pace;
  const headers = { cookie: cookies.get(1) ?? '' };
  const paths = [
    '/api/credits/verify',
    '/api/lines/csv',
    ...(options.postgres ? [] : [BACKUP_PATH]),
  ];
  for (let at = Date.now() + hour / 2; at < end; at += hour) {
    await sleep(Math.max(0, at - Date.now()));
    for (const path of paths) {
      const method = path === BACKUP_PATH ? 'POST' : 'GET';
      const { status, body } = await fetch(panel.url + path, { method, headers });
      for await (const _ of body ?? []);
      if (status !== 200) throw new Error(`${path}: ${status}`);
    }
  }
}

/** The page that each person has open. */
async function readStream(cookie: string, signal: AbortSignal): Promise<void> {
  const { body } = await fetch(panel.url + EVENTS_PATH, { headers: { cookie }, signal });
  for await (const _ of body ?? []);
}

/** In MB. */
async function statusOf(what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${panel.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
