// @module-tag thorough
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { jobEnd, requestBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { readServerFiles } from '../../../testing/lines.ts';
import {
  databases,
  startTestShop,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../../testing/panel.ts';

/** Numbers of lines. Full-size runs use 1,000. */
const sizes = { postgres: 150, embedded: 40 };

describe.each(databases)('many lines at once on %s', (kind) => {
  const count = Number(process.env.BULK_LINES || sizes[kind]);
  let panel: TestPanel;
  let agent: TestAgent;
  let seller: TestAccount;
  beforeAll(async () => {
    const shop = await startTestShop(kind);
    ({ panel, agent } = shop);
    seller = await panel.reseller({ credits: count * 4 });
    return shop.stop;
  });

  /** Runs a job. Returns its duration and the longest time that another request waited during it. */
  async function timed(body: object) {
    const startedAt = performance.now();
    const { body: requested } = await requestBulk(seller.client, body);
    let slowest = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        const askedAt = performance.now();
        await panel.admin.get('/api/me');
        slowest = Math.max(slowest, performance.now() - askedAt);
        await sleep(50);
      }
    })();
    const job = await jobEnd(seller.client, requested.job.id).finally(() => {
      isOver = true;
    });
    const ms = performance.now() - startedAt;
    await others;
    process.stdout.write(
      `${kind}: ${job.action} of ${count} in ${Math.round(ms)} ms, others waited ${Math.round(slowest)} ms at most\n`,
    );
    return job;
  }

  test('are imported and renewed, each of them once', async () => {
    const rows = Array.from({ length: count }, (_, index) => ({
      username: `many${index}`,
      password: `pw${index}`,
      subscription_months: '1',
    }));
    const imported = await timed({ action: 'import', rows });
    expect(imported).toMatchObject({ state: 'done', done: count, cost: count * 2 });
    const ids = imported.items.map(({ line_id }) => line_id);
    const job = await timed({ action: 'renew', ids, subscription_months: 1 });
    expect(job).toMatchObject({ state: 'done', done: count, cost: count * 2, credits: 0 });
    await expectBalancedBooks(panel.services.db);
    const renewals = await panel.services.db
      .selectFrom('credit_transfers')
      .select('line_id')
      .where('kind', '=', 'renewal')
      .execute();
    expect(renewals.map(({ line_id }) => line_id).sort()).toEqual([...ids].sort());
    await eventually(async () => {
      const waiting = await panel.services.db
        .selectFrom('server_accounts')
        .select('username')
        .where('sync_state', '<>', 'synced')
        .limit(1)
        .execute();
      expect(waiting).toEqual([]);
    });
    const [first] = job.items;
    const { oscam } = await readServerFiles(agent);
    const expiring = `expdate = ${first?.after?.expiry_date}`;
    expect(oscam.split('\n').filter((line) => line.trim() === expiring)).toHaveLength(count);
  });
});
