import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { undoBulk } from '../../testing/jobs.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import {
  databases,
  startTestAgent,
  startTestShop,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe.each(databases)('the bookkeeping of a seller on %s', (database) => {
  let panel: TestPanel;
  let serverId: string;
  let seller: TestAccount;
  let names = 0;
  beforeAll(async () => {
    const shop = await startTestShop(database);
    ({ panel, serverId } = shop);
    seller = await panel.reseller({ credits: 200 });
    await seller.client.patch('/api/me/settings', {
      currency: 'EUR',
      credit_minor: 100,
      own_prices: [{ plan_id: STANDARD_PLAN, months: 1, price_minor: 1200 }],
    });
    return shop.stop;
  });

  const today = () => panel.services.today();
  const db = () => panel.services.db;

  async function sell({ client }: TestAccount, more: object = {}) {
    const sale = newLine(`book${names++}`, { server_id: serverId, ...more });
    const { status, body } = await client.post('/api/lines', sale);
    expect([status, body.code]).toEqual([201, undefined]);
    return body;
  }
  const owes = { state: 'owes', amount_minor: 3000, currency: 'EUR' };
  const lineOf = async ({ client }: TestAccount, id: string) =>
    (await client.get(`/api/lines/${id}`)).body;
  const bookOf = async ({ client }: TestAccount) => (await client.get('/api/book')).body;
  const entries = async (id: string) =>
    (await db().selectFrom('book_entries').selectAll().where('line_id', '=', id).execute()).length;

  test('has nothing of a sale for which no payment was given', async () => {
    const { line } = await sell(seller);
    expect([line.payment, await entries(line.id)]).toEqual([null, 0]);
  });

  test("takes the customer's own price, and else the seller's for plan and term", async () => {
    const listed = await sell(seller, { payment: { state: 'owes', due: today() } });
    expect(listed.line.payment).toMatchObject({
      state: 'owes',
      amount_minor: 1200,
      currency: 'EUR',
      due: today(),
    });
    const own = await sell(seller, {
      customer: { price_minor: 990, currency: 'PLN' },
      payment: { state: 'paid' },
    });
    expect(own.line.payment).toMatchObject({ state: 'paid', amount_minor: 990, currency: 'PLN' });
    // The customer's price is for one month, and there is no other for three.
    const renewed = await seller.client.post(`/api/lines/${own.line.id}/renew`, {
      subscription_months: 3,
      payment: { state: 'owes' },
    });
    expect(renewed.body.line.payment).toMatchObject({ state: 'owes', amount_minor: null });
    const free = await sell(seller, { payment: { state: 'free', amount_minor: 500 } });
    expect(free.line.payment).toMatchObject({ state: 'free', amount_minor: null });
    expect(own.cost).toBe(2);
  });

  test('settles all debts of a line at once, and one of them from its own row', async () => {
    const { line } = await sell(seller, { payment: owes });
    const path = `/api/lines/${line.id}`;
    const renewal = { subscription_months: 1, payment: { ...owes, amount_minor: 1000 } };
    const { body } = await seller.client.post(`${path}/renew`, renewal);
    expect(body.line.payment).toMatchObject({ state: 'owes', amount_minor: 4000 });
    const { owed } = await bookOf(seller);
    const debt = owed.items.find((one: { amount_minor: number }) => one.amount_minor === 1000);
    expect(debt).toMatchObject({ line_id: line.id, username: line.username });
    expect((await seller.client.patch(`/api/book/${debt.id}`, { state: 'paid' })).status).toBe(200);
    expect((await lineOf(seller, line.id)).payment.amount_minor).toBe(3000);
    await seller.client.patch(`/api/book/${debt.id}`, { state: 'owes' });
    expect((await lineOf(seller, line.id)).payment.amount_minor).toBe(4000);
    const settled = await seller.client.patch(path, { payment: { state: 'paid' } });
    expect(settled.body.line.payment.state).toBe('paid');
    const after = await bookOf(seller);
    expect(after.owed.items.some((one: { line_id: string }) => one.line_id === line.id)).toBe(
      false,
    );
  });

  test('is made and corrected from the line itself', async () => {
    const { line } = await sell(seller);
    const change = async (payment: object) =>
      (await seller.client.patch(`/api/lines/${line.id}`, { payment })).body.line.payment;
    expect(await change({ state: 'owes' })).toMatchObject({ state: 'owes', amount_minor: 1200 });
    expect(await change({ state: 'owes', amount_minor: 900 })).toMatchObject({ amount_minor: 900 });
    expect(await change({ state: 'free' })).toMatchObject({ state: 'free', amount_minor: null });
    expect(await change({ state: 'paid' })).toMatchObject({ state: 'paid', amount_minor: 1200 });
    expect(await entries(line.id)).toBe(1);
  });

  test('forgets what is undone, whether a server had the line or not', async () => {
    const sold = await sell(seller, { payment: owes });
    const renewed = await seller.client.post(`/api/lines/${sold.line.id}/renew`, {
      subscription_months: 1,
      payment: owes,
    });
    expect(await entries(sold.line.id)).toBe(2);
    await undoBulk(seller.client, renewed.body.job_id);
    expect(await entries(sold.line.id)).toBe(1);
    const again = await sell(seller, { payment: owes });
    await undoBulk(seller.client, again.job_id);
    const away = await startTestAgent();
    const { id: server_id } = await panel.addServer(away.url);
    await away.close();
    const untouched = await sell(seller, { server_id, payment: owes });
    expect((await seller.client.post(`/api/lines/${untouched.line.id}/undo`)).status).toBe(200);
    for (const { line } of [again, untouched]) {
      const left = await db()
        .selectFrom('book_entries')
        .select('id')
        .where('username', '=', line.username)
        .execute();
      expect(left).toEqual([]);
    }
    await expectBalancedBooks(db());
  });

  test('keeps the debt of a deleted line, which can still be paid', async () => {
    const { line } = await sell(seller, { payment: { ...owes, amount_minor: 777 } });
    await seller.client.delete(`/api/lines/${line.id}`);
    const { owed } = await bookOf(seller);
    const debt = owed.items.find((one: { amount_minor: number }) => one.amount_minor === 777);
    expect(debt).toMatchObject({ line_id: null, username: line.username });
    expect((await seller.client.patch(`/api/book/${debt.id}`, { state: 'paid' })).status).toBe(200);
  });

  test('is seen and written by its seller alone', async () => {
    const owner = await panel.reseller({ credits: 50 });
    const below = await panel.below(owner, { credits: 0 });
    await owner.client.post(`/api/accounts/${below.id}/credits`, { amount: 10 });
    const { line } = await sell(below, { payment: owes, customer: { name: 'Rui' } });
    const path = `/api/lines/${line.id}`;
    const [debt] = (await bookOf(below)).owed.items;
    for (const above of [owner.client, panel.admin]) {
      expect((await above.get(path)).body.payment).toBeNull();
      const listed = (await above.get('/api/lines?with_below=true')).body.items;
      expect(listed.find(({ id }: { id: string }) => id === line.id).payment).toBeNull();
      expect((await above.patch(path, { payment: { state: 'paid' } })).body.code).toBe(
        'OWNER_ONLY',
      );
      const renewal = { subscription_months: 1, payment: owes };
      expect((await above.post(`${path}/renew`, renewal)).body.code).toBe('OWNER_ONLY');
      expect((await above.patch(`/api/book/${debt.id}`, { state: 'paid' })).status).toBe(404);
      const { months, owed } = (await above.get('/api/book')).body;
      expect([months, owed.items]).toEqual([[], []]);
      expect((await above.get('/api/lines/csv?with_below=true')).body).not.toContain('owes');
      const jobs = JSON.stringify((await above.get('/api/jobs')).body);
      expect(jobs).not.toContain('3000');
    }
    const foreign = newLine('for-below', { owner_id: below.id, payment: owes });
    expect((await panel.admin.post('/api/lines', foreign)).body.code).toBe('OWNER_ONLY');
    const streams = await Promise.all(
      [below.client, owner.client, panel.admin].map((client) => openEventStream(client)),
    );
    await below.client.patch(path, { payment: { state: 'paid' } });
    await streams[0]?.hears({ table: 'book_entries', op: 'UPDATE', id: debt.id });
    const heard = streams.slice(1).map(({ events }) => events);
    for (const stream of streams) stream.close();
    expect(heard).toEqual([[], []]);
    await below.client.patch(path, { notes: 'x', payment: { ...owes, amount_minor: 4321 } });
    await below.client.post(`${path}/renew`, { subscription_months: 1, payment: owes });
    const audit = JSON.stringify((await panel.admin.get('/api/audit')).body);
    const { rows } =
      await sql`select arguments::text || data::text as said from jobs, audit_log`.execute(db());
    for (const said of [audit, JSON.stringify(rows)]) {
      expect(said).not.toMatch(/payment|4321|amount_minor/);
    }
  });

  test('has taken, owed, credits and profit by month and plan, each currency apart', async () => {
    const account = await panel.reseller({ credits: 50 });
    await account.client.patch('/api/me/settings', { currency: 'EUR', credit_minor: 150 });
    const paid = { state: 'paid', currency: 'EUR' };
    await sell(account, { payment: { ...paid, amount_minor: 1050 } });
    await sell(account, { payment: { ...paid, amount_minor: 2000 } });
    await sell(account, { payment: { state: 'paid', amount_minor: 4000, currency: 'PLN' } });
    await sell(account, { payment: owes });
    await sell(account, { payment: { state: 'free' } });
    const gone = await sell(account, { payment: { ...paid, amount_minor: 1 } });
    await undoBulk(account.client, gone.job_id);
    const { months, owed, ...own } = await bookOf(account);
    const amounts = [
      { currency: 'EUR', taken_minor: 3050, payments: 2, owed_minor: 3000 },
      { currency: 'PLN', taken_minor: 4000, payments: 1, owed_minor: 0 },
    ];
    const figures = { amounts, credits: 10 };
    expect(months).toEqual([
      {
        month: today().slice(0, 7),
        ...figures,
        profit_minor: 3050 - 10 * 150,
        plans: [{ plan_id: STANDARD_PLAN, plan: 'Standard', ...figures }],
      },
    ]);
    expect(owed).toMatchObject({
      customers: 1,
      totals: [{ currency: 'EUR', amount_minor: 3000 }],
    });
    expect(own).toEqual({ currency: 'EUR', credit_minor: 150 });
    const before = await account.client.get('/api/book?from=2020-01-01&to=2020-12-31');
    expect(before.body.months).toEqual([]);
    await panel.admin.patch(`/api/plans/${STANDARD_PLAN}`, { name: '=1+1' });
    const csv = (await account.client.get('/api/book/csv')).body;
    await panel.admin.patch(`/api/plans/${STANDARD_PLAN}`, { name: 'Standard' });
    const month = today().slice(0, 7);
    expect(csv.split('\r\n').slice(1, 3)).toEqual([
      `"${month}","'=1+1","EUR","3050","2","3000","10"`,
      `"${month}","'=1+1","PLN","4000","1","0","0"`,
    ]);
  });
});
