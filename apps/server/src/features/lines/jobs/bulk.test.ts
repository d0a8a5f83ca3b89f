import { addMonths } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { healClock } from '../../../heal-clock.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  effects,
  previewBulk,
  readJob,
  requestBulk,
  runBulk,
  undoBulk,
} from '../../../testing/jobs.ts';
import { expectBalancedBooks, transfersOf } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  databases,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

describe.each(databases)('bulk work on %s', (kind) => {
  let panel: TestPanel;
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let seller: TestAccount;
  let home: string;
  let names = 0;
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel(kind);
    home = (await panel.addServer(agent.url)).id;
    seller = await panel.reseller({ credits: 500 });
  });
  afterEach(() => expectBalancedBooks(panel.services.db));
  afterAll(async () => {
    await panel?.stop();
    await agent?.close();
  });

  /** Sells lines and returns their ids. */
  async function sell(count: number, more: object = {}, client = seller.client): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const { body } = await client.post(
        '/api/lines',
        newLine(`bulk${kind}${names++}`, { ...more }),
      );
      ids.push(body.line.id);
    }
    return ids;
  }
  const balance = async () => (await seller.client.get('/api/me')).body.credits;
  const read = async (id: string) => (await seller.client.get(`/api/lines/${id}`)).body;

  test('a renewal does and charges what its preview says, and undoing it gives all of it back', async () => {
    const ids = [
      ...(await sell(2)),
      ...(await sell(1, { is_trial: true, subscription_months: undefined })),
    ];
    const lines = await Promise.all(ids.map(read));
    const credits = await balance();
    const months = { action: 'renew', ids, subscription_months: 3 };
    const request = { ...months, include: ['trial'] };
    const preview = await previewBulk(seller.client, request);
    expect(preview).toMatchObject({
      id: null,
      state: 'preview',
      total: 3,
      cost: 12,
      credits,
      credits_after: credits - 12,
    });
    const [first] = lines;
    expect(preview.items[0]).toMatchObject({
      position: 1,
      line_id: ids[0],
      state: 'waiting',
      before: { expiry_date: first.expiry_date, subscription_months: 1 },
      after: { expiry_date: addMonths(first.expiry_date, 3), subscription_months: 3 },
      cost: 4,
    });
    expect(await balance()).toBe(credits);
    const job = await runBulk(seller.client, request);
    expect(job).toMatchObject({ state: 'done', done: 3, failed: 0, cost: 12, can_undo: true });
    expect(job.arguments, 'what a repetition needs').toEqual({
      subscription_months: 3,
      include: ['trial'],
    });
    expect(effects(job)).toEqual(effects(preview));
    expect(await balance()).toBe(credits - 12);
    const renewed = await Promise.all(ids.map(read));
    expect(renewed.map((line) => line.expiry_date)).toEqual(
      job.items.map(({ after }) => after?.expiry_date),
    );
    expect(renewed[2].is_trial).toBe(false);

    const undo = await undoBulk(seller.client, job.id);
    expect(undo).toMatchObject({ action: 'undo', undo_of: job.id, done: 3, cost: -12 });
    expect(await balance()).toBe(credits);
    const terms = ['expiry_date', 'is_trial', 'subscription_months', 'status'];
    const termsOf = (line: Record<string, unknown>) => terms.map((field) => line[field]);
    expect((await Promise.all(ids.map(read))).map(termsOf)).toEqual(lines.map(termsOf));
    const refunds = (await transfersOf(panel.services.db, seller.id)).filter(
      ({ kind: what }) => what === 'refund',
    );
    expect(refunds).toHaveLength(3);
    await eventually(async () => expect((await read(ids[2] ?? '')).sync_state).toBe('synced'));
    const again = await seller.client.post(`/api/jobs/${job.id}/undo`);
    expect([again.status, again.body.code]).toEqual([409, 'CANNOT_UNDO']);
  });

  test('deleted names are free at once and leave the server', async () => {
    const ids = await sell(2);
    const [line] = await Promise.all(ids.map(read));
    const job = await runBulk(seller.client, { action: 'delete', ids });
    expect(job).toMatchObject({ done: 2, can_undo: false });
    await eventually(async () =>
      expect((await readServerFiles(agent)).cccam).not.toContain(line.username),
    );
    const sold = await seller.client.post('/api/lines', newLine(line.username));
    expect(sold.status).toBe(201);
    expect((await readServerFiles(agent)).cccam).toContain(line.username);
    const missing = await requestBulk(seller.client, { action: 'delete', ids });
    expect([missing.status, missing.body.code]).toEqual([409, 'NOTHING_TO_DO']);
  });

  // The rest is about times and card servers, which do not depend on the database.
  if (kind === 'embedded') return;

  test('is undone within an hour, or not at all where the clock was put back since', async () => {
    const job = await runBulk(seller.client, { action: 'edit', ids: await sell(1), notes: 'new' });
    for (const [minutes, can_undo] of [
      [-24 * 60, false],
      [61, false],
      [59, true],
    ] as const) {
      await panel.services.db
        .updateTable('jobs')
        .set({ finished_at: sql<Date>`now() - make_interval(mins => ${minutes})` })
        .where('id', '=', job.id ?? '')
        .execute();
      await healClock(panel.services);
      expect(await readJob(seller.client, job.id), `${minutes}`).toMatchObject({ can_undo });
      const { status } = await seller.client.post(`/api/jobs/${job.id}/undo`);
      expect(status, `${minutes}`).toBe(can_undo ? 200 : 409);
    }
  });

  test('a job says which lines their server has not taken, until it has', async () => {
    const mortal = await startTestAgent();
    const server_id = (await panel.addServer(mortal.url, `Mortal ${kind}`)).id;
    const ids = [...(await sell(2, { server_id })), ...(await sell(1, { server_id: home }))];
    await mortal.close();
    const job = await runBulk(seller.client, { action: 'renew', ids, subscription_months: 1 });
    const missing = { state: 'done', sync_state: 'failed' };
    const sync_message =
      'User was renewed in database but could not be renewed in CCcam server: connection refused';
    await eventually(async () => {
      const { not_synced, items } = await readJob(seller.client, job.id);
      expect(not_synced).toBe(2);
      expect(items).toMatchObject([
        { ...missing, sync_message },
        { ...missing, sync_message },
        { state: 'done', sync_state: 'synced', sync_message: null },
      ]);
    });
    const { items: problems } = await readJob(seller.client, job.id, 'failed');
    expect(problems.map(({ line_id }) => line_id)).toEqual(ids.slice(0, 2));
    const { body: listed } = await seller.client.get('/api/jobs');
    expect(listed.items[0]).toMatchObject({ id: job.id, done: 3, not_synced: 2 });

    const healed = await startTestAgent(Number(new URL(mortal.url).port), mortal.dir);
    await eventually(async () => {
      const { not_synced, items } = await readJob(seller.client, job.id);
      expect(not_synced).toBe(0);
      expect(items.map(({ sync_state }) => sync_state)).toEqual(Array(3).fill('synced'));
    });
    await runBulk(seller.client, { action: 'delete', ids });
    const gone = await readJob(seller.client, job.id);
    expect(gone.items.map(({ sync_state }) => sync_state)).toEqual(Array(3).fill(null));
    await healed.close();
  });
});
