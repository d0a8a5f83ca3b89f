// @module-tag thorough
import { firstPrices } from '@linekeeper/contract/pricing.ts';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startScriptedCardServer } from '../../../testing/card-servers/card-server.ts';
import { addOscamServer, startOscamServer } from '../../../testing/card-servers/oscam-server.ts';
import { eventually } from '../../../testing/eventually.ts';
import { jobEnd, readJob, undoBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks, transfersOf } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  databases,
  startTestAgent,
  startTestShop,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../../testing/panel.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let names = 0;
const runs = { postgres: 12, embedded: 6 };

describe.each(databases)('the sale of a line on %s', (kind) => {
  let panel: TestPanel;
  let agent: TestAgent;
  let serverId: string;
  beforeAll(async () => {
    const shop = await startTestShop(kind);
    panel = shop.panel;
    agent = shop.agent;
    serverId = shop.serverId;
    return shop.stop;
  });
  afterEach(() => expectBalancedBooks(panel.services.db));

  const balance = async ({ client }: TestAccount) => (await client.get('/api/me')).body.credits;

  async function sell({ client }: TestAccount, more: object = {}) {
    const { status, body } = await client.post(
      '/api/lines',
      newLine(`sold${names++}`, { server_id: serverId, ...more }),
    );
    expect([status, body.code]).toEqual([201, undefined]);
    return body as {
      line: { id: string; username: string };
      job_id: string;
      sync: { ok: boolean };
    };
  }

  /** Sells a line on a server that cannot be reached. */
  async function sellAway(seller: TestAccount, more: object = {}) {
    const away = await startTestAgent();
    const { id: server_id } = await panel.addServer(away.url);
    await away.close();
    return sell(seller, { server_id, ...more });
  }

  test('is served where an agent does not know the rights of its plan, so its undo counts', async () => {
    const card = await startScriptedCardServer(async () => {});
    const { id } = await panel.addServer(card.url);
    // An agent reports its time zone. Other APIs do not get rights.
    const { db } = panel.services;
    await db.updateTable('cccam_servers').set({ zone: 'UTC' }).where('id', '=', id).execute();
    const servers = [{ server_id: id, oscam: { group: '1' } }];
    const terms = [{ months: 1, credits: 2 }];
    const made = await panel.admin.post('/api/plans', { name: 'Rights', servers, terms });
    const plan = { server_id: id, plan_id: made.body.plan.id };
    await panel.admin.patch('/api/settings', { undo_daily_limit: 1 });
    try {
      const seller = await panel.reseller({ credits: 20 });
      const { line, job_id, sync } = await sell(seller, plan);
      expect([sync.ok, card.adds]).toEqual([false, [line.username]]);
      const alone = await seller.client.post(`/api/lines/${line.id}/undo`);
      expect(alone.body.code).toBe('LINE_NOT_UNDOABLE');
      await undoBulk(seller.client, job_id);
      expect(await balance(seller)).toBe(20);
      const second = await sell(seller, plan);
      expect((await seller.client.post(`/api/jobs/${second.job_id}/undo`)).body.code).toBe(
        'UNDO_LIMIT_REACHED',
      );
    } finally {
      await panel.admin.patch('/api/settings', { undo_daily_limit: 20 });
      await card.stop();
    }
  });

  test('is a job of one line', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const { job_id, line } = await sell(seller, { subscription_months: 12 });
    expect(await readJob(seller.client, job_id)).toMatchObject({
      ...{ action: 'sell', state: 'done', total: 1, done: 1, cost: 10 },
      ...{ username: line.username, line_id: line.id, can_undo: true },
      arguments: { subscription_months: 12 },
    });
  });

  test('that is undone before its slow server answers is replied as it was sold', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const slow = await startScriptedCardServer(async () => {
      const { items } = (await seller.client.get('/api/jobs')).body;
      const { id, line_id } = items[0];
      await seller.client.post(`/api/jobs/${id}/undo`);
      await eventually(async () =>
        expect((await seller.client.get(`/api/lines/${line_id}`)).status).toBe(404),
      );
    });
    const { id: server_id } = await panel.addServer(slow.url);
    const { line } = await sell(seller, { server_id });
    expect((await seller.client.get(`/api/lines/${line.id}`)).status).toBe(404);
    // The balance is restored once the server has removed the line.
    await eventually(async () => expect(await balance(seller)).toBe(20));
    await slow.stop();
  });

  test('comes back where the line was on its server, and takes the line back', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const { job_id, line } = await sell(seller, { subscription_months: 12 });
    const undo = await undoBulk(seller.client, job_id);
    expect(undo).toMatchObject({ done: 1, cost: -10, arguments: { undone: 'sell' } });
    expect(await balance(seller)).toBe(20);
    expect((await seller.client.get(`/api/lines/${line.id}`)).status).toBe(404);
    const moved = await transfersOf(panel.services.db, seller.id);
    expect(moved.map(({ kind, amount }) => [kind, amount]).slice(-2)).toEqual([
      ['sale', 10],
      ['refund', 10],
    ]);
    await eventually(async () =>
      expect((await readServerFiles(agent)).cccam).not.toContain(`F: ${line.username} `),
    );
  });

  test('comes back where the line never was on its server', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const { job_id } = await sellAway(seller, { subscription_months: 12 });
    expect(await undoBulk(seller.client, job_id)).toMatchObject({ done: 1, cost: -10 });
    expect(await balance(seller)).toBe(20);
  });

  const undoLine = ({ client }: TestAccount, id: string) => client.post(`/api/lines/${id}/undo`);

  test('comes back at any time, with what was paid since, until the line is delivered', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const { line } = await sellAway(seller, { subscription_months: 12 });
    await seller.client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 });
    await seller.client.patch(`/api/lines/${line.id}`, { username: `${line.username}-2` });
    const replies = await Promise.all([1, 2, 3].map(() => undoLine(seller, line.id)));
    const [done, ...others] = replies.toSorted((one, other) => one.status - other.status);
    expect([done?.status, done?.body]).toEqual([200, { refunded: 12, credits: 20 }]);
    expect(others.map(({ body }) => body.code)).toEqual(['LINE_NOT_FOUND', 'LINE_NOT_FOUND']);
    expect(await balance(seller)).toBe(20);
  });

  test('comes back at once where it was suspended before an OSCam that is away had it', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const oscam = await startOscamServer();
    const { id: server_id } = await addOscamServer(panel, oscam);
    await oscam.kill();
    const [byLine, bySale] = [await sell(seller, { server_id }), await sell(seller, { server_id })];
    await seller.client.post(`/api/lines/${bySale.line.id}/renew`, { subscription_months: 1 });
    for (const { line } of [byLine, bySale]) {
      await seller.client.post(`/api/lines/${line.id}/suspend`, {});
    }
    expect((await undoLine(seller, byLine.line.id)).body).toEqual({ refunded: 2, credits: 16 });
    expect(await undoBulk(seller.client, bySale.job_id)).toMatchObject({ done: 1, cost: -4 });
    expect(await balance(seller)).toBe(20);
    await oscam.stop();
  });

  test('is undone by its line only by who paid, and not once it was delivered', async () => {
    const top = await panel.reseller({ credits: 20 });
    const seller = await panel.below(top, { credits: 10 });
    const { line } = await sellAway(seller);
    expect((await undoLine(top, line.id)).body.code).toBe('LINE_NOT_UNDOABLE');
    const delivered = await sell(seller);
    for (const account of [seller, { client: panel.admin } as TestAccount]) {
      const refused = await undoLine(account, delivered.line.id);
      expect([refused.status, refused.body.code]).toEqual([409, 'LINE_NOT_UNDOABLE']);
    }
    expect((await seller.client.get(`/api/lines/${delivered.line.id}`)).status).toBe(200);
    expect((await undoLine(seller, line.id)).body).toEqual({ refunded: 2, credits: 8 });
  });

  test('is final once anybody has written to the line, and the refusal says so', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const writes = [
      (id: string) => seller.client.patch(`/api/lines/${id}`, { notes: 'called' }),
      (id: string) => panel.admin.post(`/api/lines/${id}/renew`, { subscription_months: 1 }),
      (id: string) => panel.admin.post(`/api/lines/${id}/suspend`, {}),
    ];
    for (const write of writes) {
      const { job_id, line } = await sell(seller);
      expect((await write(line.id)).status).toBe(200);
      expect((await readJob(seller.client, job_id)).can_undo).toBe(false);
      const refused = await seller.client.post(`/api/jobs/${job_id}/undo`);
      expect([refused.status, refused.body.code]).toEqual([409, 'LINE_CHANGED_SINCE']);
    }
    expect(await balance(seller)).toBe(20 - 3 * 2);
  });

  test('of a trial leaves it counted, so that the name gets no other', async () => {
    const seller = await panel.reseller({ credits: 0 });
    const trial = { subscription_months: undefined, is_trial: true };
    const { job_id, line } = await sell(seller, trial);
    expect(await undoBulk(seller.client, job_id)).toMatchObject({ done: 1, cost: 0 });
    const again = await seller.client.post(
      '/api/lines',
      newLine(line.username, { server_id: serverId, ...trial }),
    );
    expect(again.body.code).toBe('TRIAL_OF_NAME');
  });

  test('of an administrator costs nothing, and is undone as well', async () => {
    const admin = { client: panel.admin } as TestAccount;
    const { job_id, line } = await sell(admin);
    expect(await undoBulk(panel.admin, job_id)).toMatchObject({ done: 1, cost: 0 });
    expect((await panel.admin.get(`/api/lines/${line.id}`)).status).toBe(404);
  });

  test('is undone once, from however many sides', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const { job_id } = await sell(seller);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => seller.client.post(`/api/jobs/${job_id}/undo`)),
    );
    const [done, ...others] = replies.toSorted((one, other) => one.status - other.status);
    expect(done?.status).toBe(200);
    expect(others.map(({ body }) => body.code)).toEqual(Array(5).fill('CANNOT_UNDO'));
    await jobEnd(seller.client, done?.body.job.id);
    expect(await balance(seller)).toBe(20);
  });

  test('beside a renewal is undone or renewed, and never both', async () => {
    const seller = await panel.reseller({ credits: 100 });
    for (let round = 0; round < runs[kind]; round++) {
      const before = await balance(seller);
      const { job_id, line } = await sell(seller);
      const [undo, renewal] = await Promise.all([
        seller.client.post(`/api/jobs/${job_id}/undo`),
        seller.client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 }),
      ]);
      const undone =
        undo.status === 200 && (await jobEnd(seller.client, undo.body.job.id)).done === 1;
      expect(undone).toBe(renewal.status !== 200);
      expect(await balance(seller)).toBe(before - (undone ? 0 : 4));
    }
  });

  test('gives everything back, whatever was sold, delivered or not', async () => {
    const seller = await panel.reseller({ credits: 2000 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...firstPrices.map(({ months }) => months)),
        fc.boolean(),
        async (months, isDelivered) => {
          const term = { subscription_months: months };
          const { job_id, sync } = await (isDelivered ? sell : sellAway)(seller, term);
          expect(sync.ok).toBe(isDelivered);
          const { cost } = await readJob(seller.client, job_id);
          expect((await undoBulk(seller.client, job_id)).cost).toBe(-cost);
          expect(await balance(seller)).toBe(2000);
        },
      ),
      { numRuns: runs[kind] },
    );
  });
});
