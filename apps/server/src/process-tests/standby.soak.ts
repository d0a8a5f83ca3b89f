import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  copyPostgres,
  createCluster,
  type PostgresServer,
  startOnFreePort,
} from '../../../../scripts/test-postgres.ts';
import { connectPostgres } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { eventually } from '../testing/eventually.ts';
import { jobEnd, requestBulk, runBulk } from '../testing/jobs.ts';
import { startTestAgent } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  movedTo,
  openTestWorld,
  spawnPanel,
} from '../testing/process/process.ts';
import { openEventStream } from '../testing/wire/streams.ts';
import { CREDITS, expectNothingLost, Sellers } from '../testing/world/sellers.ts';

const SALES_BEFORE = 200;
const LINES_IN_A_JOB = 100;

/** The name under which the standby asks its primary for the log. */
const STANDBY = 'standby';

/** The primary, with all crash safety; its commits wait for its streaming standby. */
let primary: PostgresServer | undefined;
let standby: PostgresServer | undefined;
/** A connection string with both servers, the primary first. */
let DATABASE_URL: string;
beforeAll(async () => {
  const [first, second] = [await copyPostgres(), await copyPostgres()];
  await createCluster(first);
  // While the cluster does not run, its files are a complete copy of it, including its password.
  second.password = first.password;
  execFileSync('cp', ['-a', `${first.dataDir}/.`, second.dataDir]);
  writeFileSync(join(second.dataDir, 'standby.signal'), '');
  primary = await startOnFreePort(first, {
    durable: true,
    settings: { synchronous_standby_names: STANDBY, synchronous_commit: 'on' },
  });
  standby = await startOnFreePort(second, {
    durable: true,
    settings: { primary_conninfo: `${primary.url()}?application_name=${STANDBY}` },
  });
  const { host } = new URL(standby.url());
  DATABASE_URL = primary.url().replace(/(?<=:\d+)(?=\/)/, `,${host}`);
});
afterAll(async () => {
  await endPanels();
  await Promise.all([primary?.stop(), standby?.stop()]);
});

/** Makes the standby a primary that waits for no standby. */
async function promote(): Promise<void> {
  const client = new pg.Client(standby?.url());
  await client.connect();
  await client.query('select pg_promote(true, 60)');
  await client.end();
}

async function countPaid(): Promise<number> {
  const { db, close } = await connectPostgres(DATABASE_URL);
  const { rows } = await sql<{ count: number }>`select count(*) as count from credit_transfers
    where kind in ('sale', 'renewal')`.execute(db);
  await close();
  return rows[0]?.count ?? -1;
}

test('two panels go on at the standby when the primary is killed, and no sale that was answered is lost', async () => {
  const database = await connectPostgres(DATABASE_URL);
  await migrate(database.db);
  await database.close();
  const agent = await startTestAgent();
  const SECRET_KEY = 'a secret key of the tests, long enough';
  const env = { DATABASE_URL, SECRET_KEY, ...FIRST_START };
  const panels = [await spawnPanel(env), await spawnPanel(env)];
  const urls = panels.map(({ url }) => url);
  const world = await openTestWorld(urls[0] ?? '', agent.url, CREDITS);
  const sellers = urls.map((url) => new Sellers(url, world.reseller.client));
  for (const one of sellers) one.start();
  const answered = () => sellers.reduce((sum, one) => sum + one.answered.length, 0);
  await eventually(() => expect(answered()).toBeGreaterThan(SALES_BEFORE), 300_000);
  // A job of one panel and a stream of the other are in progress when the primary ends.
  const [here, there] = urls.map((url) => movedTo(url, world.reseller.client)) as [
    typeof world.reseller.client,
    typeof world.reseller.client,
  ];
  const held = await openEventStream(there);
  const lines = (await here.get(`/api/lines?limit=${LINES_IN_A_JOB}`)).body.items;
  const ids = lines.map(({ id }: { id: string }) => id);
  const taken = await requestBulk(here, { action: 'edit', ids, notes: 'Before the standby' });
  expect(taken.status).toBe(200);
  await sleep(randomInt(100));
  await primary?.kill();
  const killedAt = Date.now();
  await promote();
  const atPromotion = answered();
  // Waits until both sellers have sold lines on the new primary.
  const counts = sellers.map((one) => one.answered.length);
  await eventually(() => {
    for (const [at, one] of sellers.entries()) {
      expect(one.answered.length).toBeGreaterThan((counts[at] ?? 0) + 20);
    }
  }, 300_000);
  for (const one of sellers) await one.finish();
  expect(answered()).toBeGreaterThan(atPromotion);
  await expectNothingLost(world, sellers, agent);
  expect(await countPaid()).toBe(answered());
  // The interrupted job is completed, with each line once.
  const continued = await jobEnd(here, taken.body.job.id);
  expect(continued).toMatchObject({ state: 'done', done: ids.length, failed: 0 });
  expect(Date.parse(continued.finished_at ?? '')).toBeGreaterThan(killedAt);
  // A change at one panel reaches the other, also through the stream from before, and new jobs are carried out.
  const opened = await openEventStream(there);
  const { body: me } = await here.patch('/api/me', { full_name: 'Renamed at the standby' });
  for (const stream of [held, opened]) {
    await stream.hears({ table: 'auth_users', op: 'UPDATE', id: me.id });
    stream.close();
  }
  const job = await runBulk(here, { action: 'renew', ids, subscription_months: 1 });
  expect(job).toMatchObject({ state: 'done', done: ids.length, failed: 0 });
  await agent.close();
}, 1_800_000);
