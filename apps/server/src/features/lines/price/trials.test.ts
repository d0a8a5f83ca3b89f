// @module-tag thorough

import { addDays } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { healClock } from '../../../heal-clock.ts';
import { jobEnd, previewBulk, requestBulk, runBulk, undoBulk } from '../../../testing/jobs.ts';
import { newLine } from '../../../testing/lines.ts';
import {
  databases,
  startTestShop,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';
import { addPlan } from '../../../testing/plans.ts';
import { tidyTrialsMade } from './trial-limits.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let names = 0;
const trial = (name = `trial${names++}`) =>
  newLine(name, { subscription_months: undefined, is_trial: true });

const liveLimitReached = {
  status: 409,
  body: {
    code: 'TRIAL_LIMIT_REACHED',
    message: 'Trial limit reached. An account can have at most 5 trials at the same time.',
    data: { limit: 5 },
  },
};
const dailyLimitReached = {
  status: 409,
  body: {
    code: 'TRIAL_DAILY_LIMIT_REACHED',
    message:
      'Trial limit reached. An account and those below it can create at most 20 trials in 24 hours.',
    data: { limit: 20 },
  },
};

describe.each(databases)('trials on %s', (kind) => {
  let panel: TestPanel;
  let agentUrl: string;
  beforeAll(async () => {
    const shop = await startTestShop(kind);
    panel = shop.panel;
    agentUrl = shop.agent.url;
    return shop.stop;
  });

  const make = ({ client }: TestAccount) => client.post('/api/lines', trial());
  async function makeSome(account: TestAccount, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let number = 0; number < count; number++) {
      const { status, body } = await make(account);
      expect([status, body.code]).toEqual([201, undefined]);
      ids.push(body.line.id);
    }
    return ids;
  }
  const removeAll = async ({ client }: TestAccount, ids: string[]) => {
    for (const id of ids) expect((await client.delete(`/api/lines/${id}`)).status).toBe(200);
  };
  const left = async ({ client }: TestAccount) =>
    (await client.post('/api/lines/quote', { action: 'create', is_trial: true })).body.trials_left;
  const liveTrials = async ({ id }: TestAccount) => {
    const { count } = await panel.services.db
      .selectFrom('users')
      .select(sql<number>`count(*)`.as('count'))
      .where('owner_id', '=', id)
      .where('is_trial', '=', true)
      .where('expiry_date', '>=', panel.services.today())
      .executeTakeFirstOrThrow();
    return count;
  };
  /** Moves the creation of these trials by this many hours. */
  const shiftMade = ({ id }: TestAccount, hours: number) =>
    sql`update trials_made set made_at = made_at + make_interval(hours => ${hours})
      where account_id = ${id}`.execute(panel.services.db);

  test('the sixth live trial is refused; one that has ended makes room', {
    tags: ['spec:6.12'],
  }, async () => {
    const seller = await panel.reseller({ credits: 0 });
    for (let number = 1; number <= 5; number++) {
      expect(await left(seller)).toBe(6 - number);
      await makeSome(seller, 1);
    }
    expect(await make(seller)).toMatchObject(liveLimitReached);
    expect(await left(seller)).toBe(0);
    const { db } = panel.services;
    const first = db.selectFrom('users').select('id').where('owner_id', '=', seller.id).limit(1);
    const ended = { expiry_date: '2026-01-01' };
    await db.updateTable('users').set(ended).where('id', 'in', first).execute();
    await makeSome(seller, 1);
    expect(await make(seller)).toMatchObject(liveLimitReached);
  });

  test('side by side cannot pass the limit together', async () => {
    const seller = await panel.reseller({ credits: 0 });
    const replies = await Promise.all(Array.from({ length: 12 }, () => make(seller)));
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(201),
      ...Array(7).fill(409),
    ]);
    expect(await liveTrials(seller)).toBe(5);
  });

  test('an undo and new trials at once do not pass the limit together', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const ids = await makeSome(seller, 5);
    const job = await runBulk(seller.client, {
      ...{ action: 'renew', ids, subscription_months: 1 },
      include: ['trial'],
    });
    const [undo, ...made] = await Promise.all([
      undoBulk(seller.client, job.id),
      ...Array.from({ length: 5 }, () => make(seller)),
    ]);
    expect(undo.done + made.filter(({ status }) => status === 201).length).toBe(5);
    expect(await liveTrials(seller)).toBe(5);
  });

  test('by siblings at once do not pass the limit of the account above together', async () => {
    const top = await panel.reseller({ credits: 0 });
    for (let round = 0; round < 3; round++) await removeAll(top, await makeSome(top, 5));
    await makeSome(top, 4);
    const siblings = await Promise.all(Array.from({ length: 12 }, () => panel.below(top)));
    const replies = await Promise.all(siblings.map(make));
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(11);
    for (const reply of refused) expect(reply).toMatchObject(dailyLimitReached);
  });

  // Counting is the same on both databases. Only the waiting for locks is different.
  if (kind === 'embedded') return;

  test('of one account do not count for another, nor for an administrator', async () => {
    const [one, other] = [await panel.reseller(), await panel.reseller()];
    await makeSome(one, 5);
    await makeSome(other, 1);
    for (let number = 1; number <= 22; number++) {
      expect((await panel.admin.post('/api/lines', trial())).status).toBe(201);
    }
    const quote = { action: 'create', is_trial: true };
    expect((await panel.admin.post('/api/lines/quote', quote)).body.trials_left).toBeNull();
  });

  test('that are ended early make no room: five, no more, whatever is tried', async () => {
    const seller = await panel.reseller({ credits: 0 });
    const today = panel.services.today();
    const ids = await makeSome(seller, 5);
    for (const expiry_date of [addDays(today, -1), today, addDays(today, 1)]) {
      const reply = await requestBulk(seller.client, { action: 'renew', ids, expiry_date });
      expect([reply.status, reply.body.code]).toEqual([409, 'NOTHING_TO_DO']);
      for (const id of ids) {
        const renewed = await seller.client.post(`/api/lines/${id}/renew`, { expiry_date });
        const edited = await seller.client.patch(`/api/lines/${id}`, { expiry_date });
        expect([renewed.status, edited.status]).toEqual([422, 422]);
      }
    }
    expect(await make(seller)).toMatchObject(liveLimitReached);
    expect(await liveTrials(seller)).toBe(5);
  });

  test('that were paid do not come back beside five others by an undo', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const ids = await makeSome(seller, 5);
    const job = await runBulk(seller.client, {
      ...{ action: 'renew', ids, subscription_months: 1 },
      include: ['trial'],
    });
    await makeSome(seller, 5);
    const undo = await undoBulk(seller.client, job.id);
    expect(undo).toMatchObject({ done: 0, failed: 5, cost: 0 });
    expect(undo.items[0]?.error?.code).toBe('TRIAL_LIMIT_REACHED');
    expect(await liveTrials(seller)).toBe(5);
  });

  test('of an account below do not come back by an undo of the one above', async () => {
    const top = await panel.reseller({ credits: 20 });
    const below = await panel.below(top);
    const ids = await makeSome(below, 5);
    const job = await runBulk(top.client, {
      ...{ action: 'renew', ids, subscription_months: 1 },
      include: ['trial'],
    });
    await makeSome(below, 5);
    const undo = await undoBulk(top.client, job.id);
    expect(undo).toMatchObject({ done: 0, failed: 5, cost: 0 });
    expect(undo.items[0]?.error?.code).toBe('TRIAL_LIMIT_REACHED');
    expect(await liveTrials(below)).toBe(5);
  });

  test('are 20 in 24 hours, deleted ones too', async () => {
    const seller = await panel.reseller({ credits: 0 });
    for (let round = 0; round < 4; round++) await removeAll(seller, await makeSome(seller, 5));
    expect(await liveTrials(seller)).toBe(0);
    expect(await left(seller)).toBe(0);
    expect(await make(seller)).toMatchObject(dailyLimitReached);
    // Refused trials do not count, and neither do sales.
    await panel.admin.post(`/api/accounts/${seller.id}/credits`, { amount: 2 });
    expect((await seller.client.post('/api/lines', newLine(`paid${names++}`))).status).toBe(201);

    await shiftMade(seller, -23);
    expect(await make(seller)).toMatchObject(dailyLimitReached);
    await shiftMade(seller, -1);
    expect(await left(seller)).toBe(5);
    await makeSome(seller, 5);
  });

  test('count up the tree: accounts made for the purpose gain nothing', async () => {
    const top = await panel.reseller({ credits: 0 });
    const middle = await panel.below(top);
    const [one, other, another] = [
      await panel.below(middle),
      await panel.below(middle),
      await panel.below(top),
    ];
    await makeSome(one, 5);
    await makeSome(other, 5);
    await makeSome(another, 5);
    expect(await left(top)).toBe(5);
    await makeSome(middle, 4);
    for (const account of [top, middle, one, other, another]) {
      expect(await left(account)).toBeLessThanOrEqual(1);
    }
    await makeSome(top, 1);
    const fresh = await panel.below(top);
    expect(await left(fresh)).toBe(0);
    for (const account of [top, middle, fresh]) {
      expect(await make(account)).toMatchObject(dailyLimitReached);
    }
    // Trials of an unrelated account do not count, and an administrator above has no limit.
    const boss = await panel.reseller({ group_id: '1' });
    const { db } = panel.services;
    const stranger = await panel.reseller({ credits: 0 });
    const owned = { owner_id: boss.id };
    await db.updateTable('auth_users').set(owned).where('id', '=', stranger.id).execute();
    await sql`insert into trials_made (line_id, account_id)
      select gen_random_uuid(), ${boss.id} from generate_series(1, 30)`.execute(db);
    await makeSome(stranger, 5);
  });

  test('by a file keep to both limits, as its preview says', async () => {
    const seller = await panel.reseller({ credits: 0 });
    const rows = (count: number) =>
      Array.from({ length: count }, () => ({
        username: `file${names++}`,
        password: 'pw',
        is_trial: 'true',
      }));
    for (let round = 0; round < 3; round++) await removeAll(seller, await makeSome(seller, 5));
    await removeAll(seller, await makeSome(seller, 2));
    const file = { action: 'import', rows: rows(6), only_valid: true };
    const errors = (job: { items: { error: unknown }[] }) => job.items.map(({ error }) => error);
    const preview = await previewBulk(seller.client, file);
    const job = await runBulk(seller.client, file);
    expect(errors(job)).toEqual(errors(preview));
    expect(job).toMatchObject({ done: 3, skipped: 3 });
    expect(job.items[3]?.error).toMatchObject({
      code: 'TRIAL_DAILY_LIMIT_REACHED',
      field: 'is_trial',
    });
    expect(await make(seller)).toMatchObject(dailyLimitReached);
  });

  test('do not count for longer because a clock was put right', async () => {
    const seller = await panel.reseller({ credits: 0 });
    for (let round = 0; round < 4; round++) await removeAll(seller, await makeSome(seller, 5));
    // The trial was created while the clock was 32 days ahead.
    await shiftMade(seller, 32 * 24);
    await healClock(panel.services);
    await tidyTrialsMade(panel.services.db);
    expect(await make(seller)).toMatchObject(dailyLimitReached);
    await shiftMade(seller, -24);
    await tidyTrialsMade(panel.services.db);
    await makeSome(seller, 1);
    // These trials count in the limit of a month.
    const kept = async () => {
      const { rows } = await sql`select from trials_made where account_id = ${seller.id}`.execute(
        panel.services.db,
      );
      return rows.length;
    };
    expect(await kept()).toBe(21);
    await shiftMade(seller, -30 * 24);
    await tidyTrialsMade(panel.services.db);
    expect(await kept()).toBe(1);
  });

  describe('one name has one trial on a server in 30 days', () => {
    const once = { status: 409, body: { code: 'TRIAL_OF_NAME', data: { days: 30 } } };
    const sell = ({ client }: TestAccount, name: string, more = {}) =>
      client.post('/api/lines', { ...trial(name), ...more });
    const makeAndDelete = async (account: TestAccount, name: string) => {
      const { status, body } = await sell(account, name);
      expect([status, body.code]).toEqual([201, undefined]);
      await removeAll(account, [body.line.id]);
    };

    test('whoever makes it, and deleted ones count', async () => {
      const [one, other] = [await panel.reseller({ credits: 4 }), await panel.reseller()];
      const below = await panel.below(one);
      await makeAndDelete(one, 'once-żółw');
      for (const account of [one, below, other]) {
        expect(await sell(account, 'once-żółw')).toMatchObject(once);
        expect(await sell(account, 'once-z\u0307o\u0301łw')).toMatchObject(once);
      }
      expect((await one.client.post('/api/lines', newLine('once-żółw'))).status).toBe(201);
      expect((await panel.admin.post('/api/lines', trial('once-other'))).status).toBe(201);
    });

    test('on any of the servers of its plan, and of a plan that it gets', async () => {
      const seller = await panel.reseller();
      const ids: string[] = [];
      for (const name of ['Of a plan', 'Also of it']) {
        ids.push((await panel.addServer(agentUrl, name)).id);
      }
      const [one = '', other = ''] = ids;
      const placed = (...given: string[]) => given.map((server_id) => ({ server_id }));
      const both = await addPlan(panel, { serves: 'all', servers: placed(one, other) });
      const only = await addPlan(panel, { servers: placed(other) });
      await panel.admin.patch('/api/settings', { trial_daily_limit: 100 });
      const of = (plan_id: string, server_id: string) => ({ plan_id, server_id });
      await removeAll(seller, [(await sell(seller, 'once-all', of(both, one))).body.line.id]);
      expect(await sell(seller, 'once-all', of(both, other))).toMatchObject(once);
      expect(await sell(seller, 'once-all', of(only, other))).toMatchObject(once);
      const row = { username: 'once-all', password: 'pw', is_trial: 'true', ...of(both, other) };
      const { items } = await previewBulk(seller.client, { action: 'import', rows: [row] });
      expect(items[0]?.error).toMatchObject({ code: 'TRIAL_OF_NAME' });

      await removeAll(seller, [(await sell(seller, 'once-moved', of(only, other))).body.line.id]);
      const { line } = (await sell(seller, 'once-moved', { server_id: one })).body;
      const path = `/api/lines/${line.id}/change-plan`;
      for (const plan_id of [both, only]) {
        expect(await seller.client.post(path, { plan_id })).toMatchObject(once);
      }

      const moved = (await sell(seller, 'once-renamed', { server_id: one })).body.line;
      await seller.client.post(`/api/lines/${moved.id}/change-plan`, { plan_id: both });
      await seller.client.patch(`/api/lines/${moved.id}`, { username: 'once-new' });
      await removeAll(seller, [moved.id]);
      for (const name of ['once-renamed', 'once-new']) {
        expect(await sell(seller, name, of(only, other))).toMatchObject(once);
      }
    });

    test('not on another server, nor when the days are over or the setting is 0', async () => {
      const seller = await panel.reseller();
      const { items } = (await panel.admin.get('/api/servers')).body;
      const { id: server_id } = await panel.addServer(agentUrl, 'Elsewhere');
      const there = { server_id: items[0].id };
      await removeAll(seller, [(await sell(seller, 'once-more', there)).body.line.id]);
      expect((await sell(seller, 'once-more', there)).status).toBe(409);
      const elsewhere = await sell(seller, 'once-more', { server_id });
      expect([elsewhere.status, elsewhere.body.code]).toEqual([201, undefined]);
      await removeAll(seller, [elsewhere.body.line.id]);
      const again = () => sell(seller, 'once-more', there);
      await panel.admin.patch('/api/settings', { trial_name_days: 0 });
      const unlimited = await again();
      expect(unlimited.status).toBe(201);
      await removeAll(seller, [unlimited.body.line.id]);
      await panel.admin.patch('/api/settings', { trial_name_days: 30 });
      await shiftMade(seller, -30 * 24 + 1);
      await tidyTrialsMade(panel.services.db);
      expect((await again()).status).toBe(409);
      await shiftMade(seller, -1);
      expect((await again()).status).toBe(201);
    });

    test('by a rename neither: a renamed trial is one under either name', async () => {
      const seller = await panel.reseller();
      await makeAndDelete(seller, 'renamed-to');
      const { line } = (await sell(seller, 'renamed-from')).body;
      const rename = (username: string) =>
        seller.client.patch(`/api/lines/${line.id}`, { username });
      expect(await rename('renamed-to')).toMatchObject(once);
      expect((await rename('renamed-else')).status).toBe(200);
      expect(await sell(seller, 'renamed-from')).toMatchObject(once);
      expect((await rename('renamed-from')).status).toBe(200);
      expect(await sell(seller, 'renamed-else')).toMatchObject(once);
    });

    test('by a move neither: a moved trial is one on either server', async () => {
      const seller = await panel.reseller();
      const [here, there] = [
        (await panel.admin.get('/api/servers')).body.items[0].id,
        (await panel.addServer(agentUrl, 'Moved to')).id,
      ];
      const moves: Record<string, (id: string) => Promise<unknown>> = {
        'by-edit': (id) => panel.admin.patch(`/api/lines/${id}`, { server_id: there }),
        'by-bulk': (id) => runBulk(panel.admin, { action: 'move', ids: [id], server_id: there }),
        'by-undo': async (id) => {
          const move = { action: 'move', ids: [id], server_id: there };
          await undoBulk(panel.admin, (await runBulk(panel.admin, move)).id);
        },
        'with-all': async () => {
          const all = { to_server_id: there };
          const { body } = await panel.admin.post(`/api/servers/${here}/move-lines`, all);
          await jobEnd(panel.admin, body.job_id);
        },
      };
      for (const [name, move] of Object.entries(moves)) {
        const { line } = (await sell(seller, name, { server_id: here })).body;
        await move(line.id);
        await removeAll(seller, [line.id]);
        for (const server_id of [here, there]) {
          expect([name, await sell(seller, name, { server_id })]).toMatchObject([name, once]);
        }
      }
      expect(await left(seller)).toBe(5);
      const { line } = (await sell(seller, 'renamed-for-me', { server_id: here })).body;
      const other = { username: 'renamed-by-admin', server_id: there };
      expect((await panel.admin.patch(`/api/lines/${line.id}`, other)).status).toBe(200);
      await removeAll(seller, [line.id]);
      expect(await sell(seller, 'renamed-by-admin', { server_id: there })).toMatchObject(once);
    });

    test('by a file neither, as its preview says', async () => {
      const seller = await panel.reseller();
      await makeAndDelete(seller, 'by-a-file');
      const row = { username: 'by-a-file', password: 'pw', is_trial: 'yes' };
      const { items } = await previewBulk(seller.client, { action: 'import', rows: [row] });
      expect(items[0]?.error).toMatchObject({ code: 'TRIAL_OF_NAME', field: 'username' });
    });
  });
});
