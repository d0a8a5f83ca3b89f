// @module-tag thorough
import { randomUUID } from 'node:crypto';
import { lockFolder } from '@linekeeper/data-folder/lock.ts';
import { sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { connectEmbedded, connectPostgres } from '../db/connect.ts';
import type { Db } from '../db/transaction.ts';
import { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { jobEnd, readJob, requestBulk } from '../testing/jobs.ts';
import { newLine } from '../testing/lines.ts';
import { databases, startTestAgent, startTestPanel, type TestDatabase } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  openTestWorld,
  spawnPanel,
} from '../testing/process/process.ts';
import { correctClock } from '../testing/process/shifted-clock.ts';
import { isSoak } from '../testing/size.ts';

vi.setConfig({ testTimeout: 600_000 });
afterAll(endPanels);

/**
 * Milliseconds to wait: longer than the minute after which a running panel notices that its clock
 * was set back, and the work after that.
 */
const PATIENCE_MS = 120_000;
const LINES = 100;
const SIGN_IN_WINDOW_SECONDS = 300;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
/** Corrections of the clock in days; a negative number sets it back. */
const corrections = [-32, -1, 1, 32];

const due = (db: Db) =>
  db
    .selectFrom('server_accounts')
    .select('username')
    .where('username', 'like', 'waits-%')
    .execute();

/** Imitates a panel that died during retries. */
async function leaveAttempts(db: Db, server_id: string): Promise<void> {
  await db
    .insertInto('server_accounts')
    .values(
      Array.from({ length: 20 }, (_, number) => ({
        server_id,
        username: `waits-${number}`,
        wanted: null,
        operation: 'delete' as const,
        on_server: true,
        attempts: 4,
        last_finding: JSON.stringify({
          code: 'PUSH_REFUSED',
          data: { operation: 'delete', words: 'no' },
        }),
        next_try_at: sql<Date>`now() + interval '19 seconds'`,
        claimed_until: sql<Date>`now() + interval '15 seconds'`,
      })),
    )
    .execute();
}

const loseReply = (db: Db, key: string) =>
  db.updateTable('idempotency_keys').set({ reply: null }).where('key', '=', key).execute();

async function guessPasswords(url: string, email: string): Promise<void> {
  const guess = () => new TestClient(url).signIn(email, 'a wrong password');
  for (let time = 1; time <= 5; time++) expect((await guess()).status).toBe(401);
  const refused = await guess();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(SIGN_IN_WINDOW_SECONDS);
}

/** Keys expire after a day, so after a larger forward correction the key is unknown. */
async function expectAnswered(client: TestClient, key: string, days: number): Promise<void> {
  if (days > 0) return;
  const again = () => client.post('/api/lines', newLine(key), { 'idempotency-key': key });
  await eventually(async () => {
    const { status, body } = await again();
    expect([status, body.line?.username]).toEqual([201, key]);
  }, PATIENCE_MS);
}

describe.each(databases)('a clock that is corrected under a running panel on %s', (kind) => {
  test('holds up nothing and nobody', async () => {
    const agent = await startTestAgent();
    const panel = await startTestPanel(kind);
    const { db } = panel.services;
    const { id: server_id } = await panel.addServer(agent.url);
    // The clock is corrected in both directions. The number of days does not depend on the database.
    for (const days of kind === 'postgres' ? corrections : [-1, 32]) {
      await panel.admin.signIn(FIRST_START.ADMIN_EMAIL, FIRST_START.ADMIN_PASSWORD);
      const seller = await panel.reseller();
      const key = `lost-${days}`;
      await seller.client.post('/api/lines', newLine(key), { 'idempotency-key': key });
      await loseReply(db, key);
      const rows = ['a', 'b', 'c'].map((name) => newLine(`row-${name}${days}`));
      await guessPasswords(panel.url, seller.email);
      const { body } = await requestBulk(seller.client, { action: 'import', rows });
      await leaveAttempts(db, server_id);
      await correctClock(db, days);

      await eventually(async () => expect(await due(db)).toEqual([]), PATIENCE_MS);
      expect((await seller.client.signIn(seller.email, seller.password)).status).toBe(200);
      expect(await jobEnd(seller.client, body.job.id)).toMatchObject({ state: 'done', done: 3 });
      await expectAnswered(seller.client, key, days);
      await guessPasswords(panel.url, seller.email);
    }
    await panel.stop();
    await agent.close();
  });
});

test('a clock that is corrected keeps whoever is signed in so, for no longer than a session lasts', async () => {
  const panel = await startTestPanel();
  await correctClock(panel.services.db, -32);
  await eventually(async () => {
    const { body } = await panel.admin.get('/api/auth/get-session');
    expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(WEEK_MS);
  }, PATIENCE_MS);
  await panel.stop();
});

/** Runs `work` on the database while no panel runs. */
async function inDatabase(env: Record<string, string>, work: (db: Db) => Promise<void>) {
  const { DATABASE_URL, DATA_DIR = '' } = env;
  const connection = DATABASE_URL
    ? await connectPostgres(DATABASE_URL)
    : await connectEmbedded(DATA_DIR, lockFolder(DATA_DIR));
  await work(connection.db);
  await connection.close();
}

const runs: [TestDatabase, number][] = databases.flatMap((kind) =>
  corrections
    .filter((days) => isSoak || days === -1 || days === 32)
    .map((days): [TestDatabase, number] => [kind, days]),
);

test.each(runs)(
  'on %s a panel that is killed goes on where it was after its clock is corrected by %i days',
  async (kind, days) => {
    const database = await makeMigratedDatabase(kind);
    const env = { ...database.env, ...FIRST_START };
    const agent = await startTestAgent();
    const first = await spawnPanel(env);
    const { server_id, admin, reseller } = await openTestWorld(first.url, agent.url, LINES * 5);
    const person = { email: 'guessed@panel.example', password: 'the right password' };
    await admin.post('/api/accounts', { ...person, group_id: '2' });
    await guessPasswords(first.url, person.email);
    await reseller.client.post('/api/lines', newLine('lost'), { 'idempotency-key': 'lost' });
    const rows = Array.from({ length: LINES }, (_, number) => newLine(`row${number}`));
    const { body: importing } = await requestBulk(reseller.client, { action: 'import', rows });
    const { items } = await jobEnd(reseller.client, importing.job.id);
    const ids = items.map(({ line_id }) => line_id);
    const request = { action: 'renew', ids, subscription_months: 1 };
    const { body } = await requestBulk(reseller.client, request);
    const id: string = body.job.id;
    await eventually(async () =>
      expect((await readJob(reseller.client, id, 'none')).done).toBeGreaterThan(0),
    );
    first.child.kill('SIGKILL');
    await first.ended;
    await inDatabase(env, async (db) => {
      await loseReply(db, 'lost');
      await leaveAttempts(db, server_id);
      await correctClock(db, days);
    });

    const second = await spawnPanel(env);
    const seller = movedTo(second.url, reseller.client);
    if (days > 0) await seller.signIn('seller@panel.example', 'a reseller password');
    expect(await jobEnd(seller, id, PATIENCE_MS)).toMatchObject({
      state: 'done',
      done: LINES,
      failed: 0,
      cost: LINES * 2,
    });
    await expectAnswered(seller, 'lost', days);
    expect((await new TestClient(second.url).signIn(person.email, person.password)).status).toBe(
      200,
    );
    await seller.post('/api/lines', newLine(`after-${randomUUID().slice(0, 8)}`));
    await eventually(async () => {
      const { body } = await movedTo(second.url, seller).get(
        '/api/lines?sync_state=synced&limit=1',
      );
      expect(body.total).toBe(LINES + 2);
    }, PATIENCE_MS);
    // Waiting pushes are also delivered by the loop; a panel that stops would leave them to the
    // next.
    const keeper = movedTo(second.url, admin);
    await keeper.signIn(FIRST_START.ADMIN_EMAIL, FIRST_START.ADMIN_PASSWORD);
    await eventually(
      async () => expect((await keeper.get('/api/sync?limit=1')).body.total).toBe(0),
      PATIENCE_MS,
    );
    second.child.kill('SIGTERM');
    await second.ended;
    await inDatabase(env, async (db) => expect(await due(db)).toEqual([]));
    await agent.close();
    await database.remove();
  },
);
