import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../scripts/test-postgres.ts';
import { connectPostgres } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestAgent } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  openTestWorld,
  type PanelProcess,
  spawnPanel,
} from '../testing/process/process.ts';
import { CREDITS, expectNothingLost, Sellers } from '../testing/world/sellers.ts';

const UP_WITHIN_MS = 10_000;
const KILLS = { panel: 80, folder: 60, postgres: 60 };

afterAll(endPanels);

describe.each([
  ['postgres', KILLS.panel],
  ['embedded', KILLS.folder],
] as const)('a panel on %s', (kind, kills) => {
  test(`killed ${kills} times loses nothing it acknowledged`, async () => {
    const database = await makeMigratedDatabase(kind);
    const env = { ...database.env, ...FIRST_START };
    const agent = await startTestAgent();
    let panel: PanelProcess = await spawnPanel(env);
    const world = await openTestWorld(panel.url, agent.url, CREDITS);
    const sellers = new Sellers(panel.url, world.reseller.client);
    sellers.start();
    let slowest = 0;
    for (let kill = 0; kill < kills; kill++) {
      const before = sellers.answered.length;
      await eventually(() => expect(sellers.answered.length).toBeGreaterThan(before), 60_000);
      await sleep(randomInt(300));
      panel.child.kill('SIGKILL');
      await panel.ended;
      const startedAt = performance.now();
      panel = await spawnPanel(env);
      slowest = Math.max(slowest, performance.now() - startedAt);
      sellers.url = panel.url;
    }
    await sellers.finish();
    expect(slowest).toBeLessThan(UP_WITHIN_MS);
    await expectNothingLost(world, [sellers], agent);
    panel.child.kill('SIGTERM');
    await panel.ended;
    await agent.close();
    await database.remove();
  }, 1_800_000);
});

describe('a panel whose PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
  });
  afterAll(() => postgres?.stop());

  test(`is killed ${KILLS.postgres} times goes on and loses nothing it acknowledged`, async () => {
    const database = await connectPostgres(postgres.url());
    await migrate(database.db);
    await database.close();
    const agent = await startTestAgent();
    const SECRET_KEY = 'a secret key of the tests, long enough';
    const env = { DATABASE_URL: postgres.url(), SECRET_KEY, ...FIRST_START };
    const panel = await spawnPanel(env);
    const world = await openTestWorld(panel.url, agent.url, CREDITS);
    const sellers = new Sellers(panel.url, world.reseller.client);
    sellers.start();
    for (let kill = 0; kill < KILLS.postgres; kill++) {
      const before = sellers.answered.length;
      await eventually(() => expect(sellers.answered.length).toBeGreaterThan(before), 60_000);
      await sleep(randomInt(300));
      await postgres.kill();
      await postgres.restart();
    }
    await sellers.finish();
    await expectNothingLost(world, [sellers], agent);
    const { db, close } = await connectPostgres(postgres.url());
    const { rows } = await sql<{ count: number }>`select count(*) as count from credit_transfers
      where kind in ('sale', 'renewal')`.execute(db);
    expect(rows[0]?.count).toBe(sellers.answered.length);
    await close();
    panel.child.kill('SIGTERM');
    await panel.ended;
    await agent.close();
  }, 1_800_000);
});
