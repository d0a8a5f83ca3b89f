// @module-tag thorough

import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { addDays } from '@linekeeper/contract/dates.ts';
import { firstPrices } from '@linekeeper/contract/pricing.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Panel, startPanel } from '../../commands/panel.ts';
import { TestClient } from '../../testing/client.ts';
import { jobEnd, previewBulk, requestBulk, runBulk } from '../../testing/jobs.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine, storeLines } from '../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { tellNearLimits } from './limits.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let panel: TestPanel;
let second: Panel;
let server: string;
let today: string;
let names = 0;
beforeAll(async () => {
  const shop = await startTestShop('postgres');
  ({ panel, serverId: server } = shop);
  today = panel.services.today();
  second = await startPanel(panel.env, pino({ level: 'silent' }));
  return async () => {
    await second.close();
    await shop.stop();
  };
});
afterEach(() => expectBalancedBooks(panel.services.db));

const newName = () => `limited${names++}`;
const sell = ({ client }: TestAccount, more = {}) =>
  client.post('/api/lines', newLine(newName(), more));
const limit = (account: TestAccount, limits: object, by: TestClient = panel.admin) =>
  by.send('PUT', `/api/accounts/${account.id}/limits`, limits);
const limitsOf = async ({ id, client }: TestAccount) =>
  (await client.get(`/api/accounts/${id}/limits`)).body;
const move = (account: TestAccount, owner: TestAccount | null) =>
  panel.admin.patch(`/api/accounts/${account.id}`, { owner_id: owner?.id ?? null });
const reached = (of: string) => ({ status: 409, body: { code: `LIMIT_OF_${of}` } });
const lineIds = async ({ client }: TestAccount): Promise<string[]> =>
  (await client.get('/api/lines?limit=100')).body.items.map(({ id }: { id: string }) => id);

describe('limits of an account', () => {
  test('are none at first, and are shown with what is used', async () => {
    const seller = await panel.reseller();
    const none = { limit: null, used: 0, bound: null };
    expect(await limitsOf(seller)).toEqual({
      lines: none,
      accounts: none,
      trials: none,
      max_months: { limit: null, bound: null },
      may_delete: { limit: true, bound: true },
      plan_ids: { limit: null, bound: null },
      ends_on: { limit: null, bound: null },
    });
    expect((await limit(seller, { lines: 2, accounts: 1 })).status).toBe(200);
    await sell(seller);
    expect(await limitsOf(seller)).toMatchObject({
      lines: { limit: 2, used: 1, bound: 2 },
      accounts: { limit: 1, used: 0, bound: 1 },
    });
    const { items } = (await panel.admin.get('/api/audit?action=account.limit')).body;
    expect(items[0]).toMatchObject({ after: { lines: 2, accounts: 1 } });
  });

  test('are set by who is above, never by the account itself', async () => {
    const seller = await panel.reseller();
    const [child, other] = [await panel.below(seller), await panel.reseller()];
    expect((await limit(seller, {}, seller.client)).status).toBe(404);
    expect((await limit(child, { lines: 0 }, other.client)).status).toBe(404);
    expect((await limit(seller, { lines: 0 }, child.client)).status).toBe(404);
    expect((await limit(child, { lines: 0 }, seller.client)).status).toBe(200);
    expect((await child.client.get(`/api/accounts/${seller.id}/limits`)).status).toBe(404);
    expect((await limit(child, { lines: -1 })).status).toBe(422);
    expect((await limit(child, { lines: 1.5 })).status).toBe(422);
  });

  test('count the lines of all accounts below, and the tightest counts', async () => {
    const seller = await panel.reseller();
    const child = await panel.below(seller, { credits: 20 });
    await limit(seller, { lines: 3 });
    await limit(child, { lines: 2 }, seller.client);
    for (const account of [child, seller]) expect((await sell(account)).status).toBe(201);
    // One place is free in every account above, as in the account itself.
    expect((await limitsOf(child)).lines).toEqual({ limit: 2, used: 1, bound: 2 });
    expect((await sell(seller)).status).toBe(201);
    expect((await limitsOf(child)).lines).toEqual({ limit: 2, used: 1, bound: 1 });
    const before = (await child.client.get('/api/me')).body.credits;
    for (const account of [child, seller])
      expect(await sell(account)).toMatchObject(reached('LINES'));
    expect((await child.client.get('/api/me')).body.credits).toBe(before);
    const [line = ''] = await lineIds(seller);
    expect((await seller.client.delete(`/api/lines/${line}`)).status).toBe(200);
    expect((await sell(child)).status).toBe(201);
  });

  test('hold for a file: what fits is sold, the rest is refused and not paid', async () => {
    const seller = await panel.reseller({ credits: 100 });
    await limit(seller, { lines: 3 });
    const rows = Array.from({ length: 5 }, () => ({
      ...{ username: newName(), password: 'pw', subscription_months: 1 },
    }));
    const file = { action: 'import', rows, only_valid: true };
    expect(await previewBulk(seller.client, file)).toMatchObject({ skipped: 2, cost: 6 });
    const job = await runBulk(seller.client, file);
    expect(job).toMatchObject({ done: 3, skipped: 2, cost: 6 });
    expect(job.items.flatMap(({ error }) => error?.code ?? [])).toEqual([
      'LIMIT_OF_LINES',
      'LIMIT_OF_LINES',
    ]);
  });

  test('hold for lines and accounts that an administrator moves there', async () => {
    const [seller, from] = [await panel.reseller(), await panel.reseller()];
    await limit(seller, { lines: 1, accounts: 1 });
    const ids = await storeLines(panel.services.db, from.id, server, [
      { username: newName(), expiry_date: '2030-01-31' },
      { username: newName(), expiry_date: '2030-01-31' },
    ]);
    const owner_id = seller.id;
    expect((await panel.admin.patch(`/api/lines/${ids[0]}`, { owner_id })).status).toBe(200);
    expect(await panel.admin.patch(`/api/lines/${ids[1]}`, { owner_id })).toMatchObject(
      reached('LINES'),
    );
    expect(await move(from, seller)).toMatchObject(reached('LINES'));
    const [one, other] = [await panel.reseller(), await panel.reseller()];
    expect((await move(one, seller)).status).toBe(200);
    expect(await move(other, seller)).toMatchObject(reached('ACCOUNTS'));
    const about = { email: `${newName()}@panel.example`, password: 'a reseller password' };
    expect(await seller.client.post('/api/accounts', about)).toMatchObject(reached('ACCOUNTS'));
    expect(await one.client.post('/api/accounts', about)).toMatchObject(reached('ACCOUNTS'));
  });

  test('may lie below what there is: nothing goes, and nothing is added', async () => {
    const seller = await panel.reseller();
    for (let made = 0; made < 3; made++) await sell(seller);
    await limit(seller, { lines: 1 });
    expect((await limitsOf(seller)).lines).toEqual({ limit: 1, used: 3, bound: 1 });
    expect(await sell(seller)).toMatchObject(reached('LINES'));
    const [line = ''] = await lineIds(seller);
    const renewal = { subscription_months: 1 };
    expect((await seller.client.post(`/api/lines/${line}/renew`, renewal)).status).toBe(200);
    await limit(seller, {});
    expect((await sell(seller)).status).toBe(201);
  });

  test('count trials of a month, deleted ones too', async () => {
    const seller = await panel.reseller({ credits: 4 });
    const child = await panel.below(seller);
    await limit(seller, { trials: 2 });
    const trial = { is_trial: true, subscription_months: undefined };
    const { body } = await sell(seller, trial);
    expect((await seller.client.delete(`/api/lines/${body.line.id}`)).status).toBe(200);
    expect((await sell(child, trial)).status).toBe(201);
    for (const account of [seller, child]) {
      expect(await sell(account, trial)).toMatchObject(reached('TRIALS'));
    }
    expect((await limitsOf(seller)).trials).toEqual({ limit: 2, used: 2, bound: 2 });
    expect((await sell(seller)).status).toBe(201);
    // The days are those of the panel's time zone, not those of the database's clock.
    await sql`update trials_made set made_on = ${`${today.slice(0, 8)}01`}::date - 1
      where account_id = ${child.id}`.execute(panel.services.db);
    expect((await limitsOf(seller)).trials).toEqual({ limit: 2, used: 1, bound: 2 });
    expect((await sell(seller, trial)).status).toBe(201);
  });

  test('take long terms off the list, for accounts below too', async () => {
    const seller = await panel.reseller({ credits: 200 });
    const child = await panel.below(seller, { credits: 100 });
    await limit(seller, { max_months: 6 });
    for (const { client } of [seller, child]) {
      const { body } = await client.get('/api/credits/prices');
      expect(body.map(({ months }: { months: number }) => months)).toEqual([1, 3, 6]);
    }
    const [line = ''] = await storeLines(panel.services.db, child.id, server, [
      { username: newName(), expiry_date: addDays(today, 1) },
    ]);
    await limit(child, { max_months: 1 }, seller.client);
    await panel.admin.patch(`/api/plans/${STANDARD_PLAN}`, {
      terms: firstPrices
        .filter(({ months }) => months > 1)
        .map(({ months, cost }) => ({ months, credits: cost })),
    });
    const expiry_date = addDays(today, 20);
    expect(await child.client.post(`/api/lines/${line}/renew`, { expiry_date })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_SUBSCRIPTION_MONTHS' },
    });
    await panel.admin.patch(`/api/plans/${STANDARD_PLAN}`, {
      terms: firstPrices.map(({ months, cost }) => ({ months, credits: cost })),
    });
    await limit(child, {}, seller.client);
    expect(await sell(child, { subscription_months: 12 })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_SUBSCRIPTION_MONTHS' },
    });
    expect((await sell(child, { subscription_months: 6 })).status).toBe(201);
  });

  test('forbid deleting, one by one and many at once, and leave Undo', async () => {
    const seller = await panel.reseller();
    await limit(seller, { may_delete: false });
    const { line, job_id } = (await sell(seller)).body;
    const forbidden = { status: 409, body: { code: 'DELETING_NOT_ALLOWED' } };
    expect(await seller.client.delete(`/api/lines/${line.id}`)).toMatchObject(forbidden);
    expect(await requestBulk(seller.client, { action: 'delete', ids: [line.id] })).toMatchObject(
      forbidden,
    );
    expect((await panel.admin.get(`/api/lines/${line.id}`)).status).toBe(200);
    const undo = await seller.client.post(`/api/jobs/${job_id}/undo`);
    expect(await jobEnd(seller.client, undo.body.job.id)).toMatchObject({ done: 1 });
  });

  test('are told once, when 80% of the lines are there', async () => {
    const seller = await panel.reseller({ credits: 40 });
    await limit(seller, { lines: 5 });
    const told = async () => {
      await tellNearLimits(panel.services.db);
      const { items } = (await seller.client.get('/api/notifications')).body;
      return items
        .map(({ title }: { title: string }) => title)
        .filter((title: string) => title.includes('lines'));
    };
    for (let made = 0; made < 3; made++) await sell(seller);
    expect(await told()).toEqual([]);
    await sell(seller);
    expect(await told()).toEqual(['4 of 5 lines used']);
    await sell(seller);
    expect(await told()).toEqual(['4 of 5 lines used']);
    await limit(seller, { lines: 6 });
    expect(await told()).toEqual(['5 of 6 lines used', '4 of 5 lines used']);
  });

  test('end selling after a day, for accounts below too, and lines keep running', async () => {
    const seller = await panel.reseller();
    const child = await panel.below(seller, { credits: 10 });
    const [line = ''] = [(await sell(child)).body.line.id];
    await limit(seller, { ends_on: today });
    expect((await sell(child)).status).toBe(201);
    await limit(seller, { ends_on: addDays(today, -1) });
    const ended = { status: 409, body: { code: 'ACCOUNT_ENDED' } };
    const date = { expiry_date: addDays(today, 90) };
    for (const reply of [
      await sell(child),
      await sell(seller, { is_trial: true, subscription_months: undefined }),
      await child.client.post(`/api/lines/${line}/renew`, { subscription_months: 1 }),
      await child.client.patch(`/api/lines/${line}`, date),
      await requestBulk(child.client, { action: 'renew', ids: [line], subscription_months: 1 }),
    ]) {
      expect(reply).toMatchObject(ended);
    }
    const row = { username: newName(), password: 'pw', ...date };
    const { body } = await child.client.post('/api/lines/bulk', {
      ...{ action: 'import', rows: [row], preview: true },
    });
    expect(body.job.items[0].error.code).toBe('ACCOUNT_ENDED');
    expect((await child.client.get(`/api/lines/${line}`)).status).toBe(200);
    expect(
      (await panel.admin.post(`/api/lines/${line}/renew`, { subscription_months: 1 })).status,
    ).toBe(200);
  });
});

test('of a hundred sales for one place over two panels one succeeds, and is paid once', async () => {
  const seller = await panel.reseller({ credits: 400 });
  const sellers = [seller, await panel.below(seller, { credits: 100 })];
  await sell(seller);
  await limit(seller, { lines: 2 });
  const balances = async () =>
    Promise.all(sellers.map(async ({ client }) => (await client.get('/api/me')).body.credits));
  const before = await balances();
  const clients = sellers.map(({ client }) => {
    const there = new TestClient(second.url);
    there.cookie = client.cookie;
    return [client, there];
  });
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      clients[index % 2]?.[Math.floor(index / 2) % 2]?.post('/api/lines', newLine(newName())),
    ),
  );
  const sold = replies.filter((reply) => reply?.status === 201);
  expect(sold).toHaveLength(1);
  const refused = replies.filter((reply) => reply?.status !== 201);
  expect(new Set(refused.map((reply) => reply?.body.code))).toEqual(new Set(['LIMIT_OF_LINES']));
  const after = await balances();
  const paid = before.map((credits, index) => credits - (after[index] ?? 0));
  expect(paid.toSorted()).toEqual([0, 2]);
  expect((await limitsOf(seller)).lines).toEqual({ limit: 2, used: 2, bound: 2 });
});

test('after any moves of accounts, limits and sales no account has more than its limit let it', async () => {
  const accounts = await Promise.all(
    Array.from({ length: 5 }, () => panel.reseller({ credits: 2000 })),
  );
  const limits = new Map<string, { lines: number | null; accounts: number | null }>();
  /** Numbers of lines and accounts at the moment when a limit was set. A limit below these numbers removes nothing. */
  const had = new Map<string, { lines: number; accounts: number }>();
  const which = fc.nat({ max: accounts.length - 1 });
  const steps = fc.array(
    fc.oneof(
      fc.record({ act: fc.constant('sell' as const), who: which }),
      fc.record({ act: fc.constant('delete' as const), who: which }),
      fc.record({ act: fc.constant('move' as const), who: which, below: fc.option(which) }),
      fc.record({
        act: fc.constant('limit' as const),
        who: which,
        lines: fc.option(fc.nat({ max: 4 })),
        accounts: fc.option(fc.nat({ max: 2 })),
      }),
    ),
    { minLength: 250, maxLength: 250, size: 'max' },
  );
  const at = (index: number) => accounts[index] as TestAccount;
  const check = async () => {
    for (const account of accounts) {
      const { lines, accounts: below } = await limitsOf(account);
      const [bounds, then] = [limits.get(account.id), had.get(account.id)];
      if (bounds && bounds.lines !== null) {
        expect(lines.used).toBeLessThanOrEqual(Math.max(bounds.lines, then?.lines ?? 0));
      }
      if (bounds && bounds.accounts !== null) {
        expect(below.used).toBeLessThanOrEqual(Math.max(bounds.accounts, then?.accounts ?? 0));
      }
    }
  };
  await fc.assert(
    fc.asyncProperty(steps, async (run) => {
      // The steps run two at a time, so that they conflict.
      for (let index = 0; index < run.length; index += 2) {
        await Promise.all(
          run.slice(index, index + 2).map(async (step) => {
            const account = at(step.who);
            if (step.act === 'sell') {
              expect([201, 409]).toContain((await sell(account)).status);
            } else if (step.act === 'delete') {
              const [id] = await lineIds(account);
              if (id)
                expect([200, 404]).toContain(
                  (await account.client.delete(`/api/lines/${id}`)).status,
                );
            } else if (step.act === 'move') {
              const owner = step.below === null ? null : at(step.below);
              expect([200, 409, 422]).toContain((await move(account, owner)).status);
            }
          }),
        );
        for (const step of run.slice(index, index + 2)) {
          if (step.act !== 'limit') continue;
          const account = at(step.who);
          const { lines, accounts: below } = step;
          expect((await limit(account, { lines, accounts: below })).status).toBe(200);
          limits.set(account.id, { lines, accounts: below });
          const now = await limitsOf(account);
          had.set(account.id, { lines: now.lines.used, accounts: now.accounts.used });
        }
        await check();
      }
    }),
    { numRuns: 2, endOnFailure: true },
  );
});
