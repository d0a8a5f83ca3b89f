import { addDays } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { runBulk, undoBulk } from '../../testing/jobs.ts';
import { newLine } from '../../testing/lines.ts';
import { databases, startTestShop, type TestAccount } from '../../testing/panel.ts';

const read = async (client: TestClient) => {
  const { status, body } = await client.get('/api/dashboard');
  expect(status).toBe(200);
  return body;
};

describe.each(databases)('on %s', (kind) => {
  let shop: Awaited<ReturnType<typeof startTestShop>>;
  let top: TestAccount;
  let below: TestAccount;
  let other: TestAccount;
  let user: TestAccount;

  const setLine = (username: string, days: { added?: number; expires: number }) => {
    const { db, today } = shop.panel.services;
    return db
      .updateTable('users')
      .set({
        expiry_date: addDays(today(), days.expires),
        ...(days.added === undefined ? {} : { added_date: addDays(today(), days.added) }),
      })
      .where('username', '=', username)
      .execute();
  };

  beforeAll(async () => {
    shop = await startTestShop(kind);
    top = await shop.panel.reseller();
    below = await shop.panel.below(top, { credits: 30 });
    other = await shop.panel.reseller();
    user = await shop.panel.below(top, { group_id: '3' });
    const sell = (who: TestAccount, name: string, fields = {}) =>
      who.client.post('/api/lines', newLine(name, fields));
    await sell(top, 'ends-today');
    await sell(top, 'ended-yesterday');
    await sell(top, 'ended-8-days-ago');
    await sell(below, 'ends-in-7-days');
    await sell(below, 'ends-in-8-days');
    await sell(below, 'trial', { is_trial: true, subscription_months: undefined });
    await sell(other, 'ends-in-30-days');
    await sell(other, 'ends-in-31-days');
    await setLine('ends-today', { expires: 0 });
    await setLine('ended-yesterday', { expires: -1 });
    await setLine('ended-8-days-ago', { added: -30, expires: -8 });
    await setLine('ends-in-7-days', { added: -29, expires: 7 });
    await setLine('ends-in-8-days', { expires: 8 });
    await setLine('trial', { expires: 1 });
    await setLine('ends-in-30-days', { expires: 30 });
    await setLine('ends-in-31-days', { expires: 31 });
  });
  afterAll(() => shop?.stop());

  test('figures are those of the account’s own lines, of an administrator of all', async () => {
    const totals = async (client: TestClient) => {
      const { expiries, ...lines } = (await read(client)).lines;
      const figures = Object.entries(lines as Record<string, { total: number }>);
      return Object.fromEntries(figures.map(([name, { total }]) => [name, total]));
    };
    expect(await totals(top.client)).toEqual({
      active: 1,
      expiring: 1,
      expired: 2,
      trials: 0,
      added: 2,
      ended: 1,
      trials_ending: 0,
    });
    expect(await totals(below.client)).toMatchObject({ active: 3, expiring: 2, expired: 0 });
    expect(await totals(other.client)).toMatchObject({ active: 2, expiring: 0, trials: 0 });
    expect(await totals(shop.panel.admin)).toMatchObject({ active: 6, expiring: 3, expired: 2 });
  });

  test.each([
    ['active', 'status=active'],
    ['expiring', 'expires_within=7'],
    ['expired', 'status=expired'],
    ['trials', 'is_trial=true'],
  ])('the list that the figure of %s leads to has as many rows', async (figure, query) => {
    for (const client of [shop.panel.admin, top.client, below.client, other.client]) {
      const { total, total_is_exact } = (await client.get(`/api/lines?with_below=false&${query}`))
        .body;
      expect((await read(client)).lines[figure]).toEqual({ total, total_is_exact });
    }
  });

  test('lines are counted on the day on which they expire, for 30 days', async () => {
    const today = shop.panel.services.today();
    const daysOf = async (client: TestClient) => {
      const { expiries } = (await read(client)).lines;
      expect(expiries.map(({ day }: { day: string }) => day)).toEqual(
        Array.from({ length: 31 }, (_, later) => addDays(today, later)),
      );
      return expiries.flatMap(({ total }: { total: number }, later: number) =>
        total > 0 ? [[later, total]] : [],
      );
    };
    const ofBelow = [1, 7, 8].map((later) => [later, 1]);
    expect(await daysOf(top.client)).toEqual([[0, 1]]);
    expect(await daysOf(below.client)).toEqual(ofBelow);
    expect(await daysOf(other.client)).toEqual([[30, 1]]);
    expect(await daysOf(shop.panel.admin)).toEqual([[0, 1], ...ofBelow, [30, 1]]);
    const { total } = (await below.client.get('/api/lines?expires_within=30')).body;
    expect(total).toBe(ofBelow.length);
  });

  test('credits are one’s own, for an administrator all that were spent', async () => {
    const creditsOf = async (client: TestClient) => {
      const { days, ...sums } = (await read(client)).credits;
      expect(days).toHaveLength(30);
      return { ...sums, today: days.at(-1) };
    };
    const day = shop.panel.services.today();
    expect(await creditsOf(top.client)).toEqual({
      spent: 6,
      spent_before: 0,
      change: 100 - 30 - 6,
      sold: 30 + 6,
      bought: 100,
      today: { day, spent: 6, balance: 64 },
    });
    expect(await creditsOf(user.client)).toMatchObject({ spent: 0, change: 0 });
    expect(await creditsOf(shop.panel.admin)).toEqual({
      spent: 14,
      spent_before: 0,
      change: null,
      sold: null,
      bought: null,
      today: { day, spent: 14, balance: null },
    });
  });

  test('sellers are those below, with what the list of their sales adds up to', async () => {
    const sellersOf = async (client: TestClient) =>
      (await read(client)).sellers?.map(({ account_id, spent }: Record<string, unknown>) => [
        account_id,
        spent,
      ]);
    expect(await sellersOf(top.client)).toEqual([[below.id, 4]]);
    expect(await sellersOf(below.client)).toBeUndefined();
    expect(await sellersOf(user.client)).toBeUndefined();
    const all = await sellersOf(shop.panel.admin);
    expect(all).toEqual([
      [top.id, 6],
      ...[
        [below.id, 4],
        [other.id, 4],
      ].sort(),
    ]);
    const { items } = (
      await shop.panel.admin.get(`/api/credits/transfers?account_id=${top.id}&kind=sale,renewal`)
    ).body;
    expect(items.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(6);
  });

  test('steps are done as soon as there is one of each, and asked of whoever may do them', async () => {
    expect((await read(shop.panel.admin)).steps).toEqual({
      server: true,
      line: true,
      payee: false,
      account: true,
    });
    expect((await read(top.client)).steps).toEqual({
      server: null,
      line: true,
      payee: null,
      account: true,
    });
    expect((await read(below.client)).steps).toEqual({
      server: null,
      line: true,
      payee: null,
      account: false,
    });
    const { lines, steps } = await read(user.client);
    expect(lines).toBeNull();
    expect(steps).toEqual({ server: null, line: null, payee: null, account: null });
  });

  test('today’s sales are added to those of the days before, however often it is asked', async () => {
    await read(shop.panel.admin);
    const before = (await read(shop.panel.admin)).credits.spent;
    await other.client.post('/api/lines', newLine('one-more'));
    expect((await read(shop.panel.admin)).credits.spent).toBe(before + 2);
    expect((await read(other.client)).credits.spent).toBe(6);
  });

  test('a refund is no negative sale', async () => {
    const { db } = shop.panel.services;
    const { id } = await db
      .selectFrom('credit_transfers')
      .select('id')
      .where('username', '=', 'one-more')
      .executeTakeFirstOrThrow();
    const refund = await shop.panel.admin.post(`/api/credits/transfers/${id}/refund`, {});
    expect(refund.status).toBe(200);
    const { credits } = await read(other.client);
    expect(credits).toMatchObject({ spent: 6, change: 96 });
    expect(credits.days.at(-1).balance).toBe(96);
  });

  test('renewals of today are counted one by one and in bulk alike, without those undone', async () => {
    const { client } = await shop.panel.reseller();
    const sell = async (name: string) =>
      (await client.post('/api/lines', newLine(name, { subscription_months: 1 }))).body.line.id;
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await sell(`due-${name}`));
    const [first, second] = ids;
    const once = { subscription_months: 1 };
    const { job_id } = (await client.post(`/api/lines/${first}/renew`, once)).body;
    await client.post(`/api/lines/${second}/renew`, once);
    await client.post(`/api/lines/${second}/renew`, once);
    await runBulk(client, { ...once, action: 'renew', ids: ids.slice(2) });
    expect((await read(client)).renewed_today).toEqual({ lines: 5, cost: 12 });
    await undoBulk(client, job_id);
    expect((await read(client)).renewed_today).toEqual({ lines: 4, cost: 10 });
    expect((await read(shop.panel.admin)).renewed_today).toEqual({ lines: 0, cost: 0 });
  });

  test('administrators are told who has lines to renew and no credits', async () => {
    const empty = await shop.panel.reseller({ credits: 2 });
    await empty.client.post('/api/lines', newLine('of-empty', { subscription_months: 1 }));
    await setLine('of-empty', { expires: 7 });
    // This account gets its credits from a reseller.
    const under = await shop.panel.below(top, { credits: 2 });
    await under.client.post('/api/lines', newLine('of-under', { subscription_months: 1 }));
    await setLine('of-under', { expires: 1 });
    const found = async () => (await read(shop.panel.admin)).out_of_credits;
    const row = { account_id: empty.id, name: expect.any(String), lines: 1 };
    expect(await found()).toEqual({ items: [row], total: 1 });
    expect((await read(top.client)).out_of_credits).toBeNull();
    await setLine('of-empty', { expires: 8 });
    expect(await found()).toEqual({ items: [], total: 0 });
  });
});
