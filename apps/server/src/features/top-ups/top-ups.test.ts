import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import papaparse from 'papaparse';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { expectBalancedBooks, transfersOf } from '../../testing/ledger/ledger.ts';
import { type Mailbox, startMailbox } from '../../testing/mail/mailbox.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { bankDetails } from '../../testing/payments/top-ups.ts';

const sample = { name: 'Small', credits: 50, price_minor: 5000, currency: 'EUR' };

describe.each(databases)('top-ups on %s', (kind) => {
  let panel: TestPanel;
  let mailbox: Mailbox;
  let package_id: string;
  beforeAll(async () => {
    mailbox = await startMailbox();
    panel = await startTestPanel(kind, { SMTP_URL: mailbox.url });
    await panel.admin.patch('/api/settings', bankDetails);
    package_id = (await panel.admin.post('/api/packages', sample)).body.package.id;
  });
  afterEach(() => expectBalancedBooks(panel.services.db));
  afterAll(async () => {
    await panel?.stop();
    await mailbox?.close();
  });

  const user = () => panel.reseller({ credits: 0, group_id: '3' });
  const order = async ({ client }: TestAccount, more: object = {}): Promise<TopUp> => {
    const { status, body } = await client.post('/api/topups', { package_id, ...more });
    expect(status).toBe(201);
    return body;
  };
  const approve = (id: string) => panel.admin.post(`/api/topups/${id}/approve`);
  const reject = (id: string, reason = 'No money came') =>
    panel.admin.post(`/api/topups/${id}/reject`, { reason });
  const accountOf = (id: string) =>
    panel.services.db
      .selectFrom('auth_users')
      .select(['credits', 'group_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const told = (account_id: string) =>
    panel.services.db
      .selectFrom('notifications')
      .select(['kind', 'title', 'content', 'link'])
      .where('account_id', '=', account_id)
      .orderBy('id')
      .execute();

  test('are ordered by anybody, keep the price of that moment, and are approved once', async () => {
    const buyer = await user();
    const ordered = await order(buyer, { note: 'From 21-11' });
    expect(ordered).toMatchObject({
      number: expect.stringMatching(/^LK-\d{4}$/),
      account_id: buyer.id,
      account_email: buyer.email,
      package_name: 'Small',
      credits: 50,
      price_minor: 5000,
      currency: 'EUR',
      method: 'transfer',
      note: 'From 21-11',
      status: 'pending',
      balance: 0,
      balance_after: null,
      transfer_id: null,
    });
    await panel.admin.patch(`/api/packages/${package_id}`, { credits: 60, price_minor: 1 });
    const key = { 'idempotency-key': crypto.randomUUID() };
    const path = `/api/topups/${ordered.id}/approve`;
    const approved = await panel.admin.post(path, undefined, key);
    await panel.admin.patch(`/api/packages/${package_id}`, sample);
    expect(approved.body).toMatchObject({
      status: 'approved',
      credits: 50,
      price_minor: 5000,
      balance: 50,
      balance_after: 50,
      decided_by_name: expect.any(String),
    });
    const again = await panel.admin.post(path, undefined, key);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await approve(ordered.id)).toMatchObject({
      status: 409,
      body: { code: 'TOP_UP_DECIDED' },
    });
    expect(await reject(ordered.id)).toMatchObject({
      status: 409,
      body: { code: 'TOP_UP_DECIDED' },
    });
    // An account becomes a reseller with its first credits.
    expect(await accountOf(buyer.id)).toEqual({ credits: 50, group_id: '2' });
    const [transfer, ...others] = await transfersOf(panel.services.db, buyer.id);
    expect(others).toEqual([]);
    expect(transfer).toMatchObject({
      id: approved.body.transfer_id,
      kind: 'topup',
      amount: 50,
      note: ordered.number,
    });
  });

  test('that are rejected issue nothing and say why', async () => {
    const buyer = await user();
    const { id } = await order(buyer);
    const { status, body } = await panel.admin.post(`/api/topups/${id}/reject`, { reason: ' ' });
    expect([status, Object.keys(body.fields)]).toEqual([422, ['reason']]);
    expect((await reject(id, 'It was 25.00 short')).body).toMatchObject({
      status: 'rejected',
      reason: 'It was 25.00 short',
    });
    expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'TOP_UP_DECIDED' } });
    expect(await reject(id)).toMatchObject({ status: 409, body: { code: 'TOP_UP_DECIDED' } });
    expect(await accountOf(buyer.id)).toEqual({ credits: 0, group_id: '3' });
    const [own] = (await buyer.client.get('/api/topups')).body.items;
    expect(own).toMatchObject({ reason: 'It was 25.00 short', decided_by_name: null });
  });

  test('that were rejected or withdrawn are approved when the money comes after all', async () => {
    const buyer = await user();
    const rejected = await order(buyer);
    await reject(rejected.id);
    const withdrawn = await order(buyer);
    await buyer.client.post(`/api/topups/${withdrawn.id}/withdraw`);
    for (const { id } of [rejected, withdrawn]) {
      // The request comes from a page that was loaded before the decision.
      expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'TOP_UP_DECIDED' } });
      const settle = () => panel.admin.post(`/api/topups/${id}/approve`, { also_closed: true });
      expect((await settle()).body).toMatchObject({ status: 'approved', reason: null });
      expect(await settle()).toMatchObject({ status: 409, body: { code: 'TOP_UP_DECIDED' } });
    }
    expect(await accountOf(buyer.id)).toEqual({ credits: 100, group_id: '2' });
  });

  test('are withdrawn by whoever ordered them, while they wait, and leave room for others', async () => {
    const [buyer, other] = [await user(), await user()];
    const { id } = await order(buyer);
    const withdraw = ({ client }: { client: TestAccount['client'] }) =>
      client.post(`/api/topups/${id}/withdraw`);
    for (const foreign of [other, { client: panel.admin }]) {
      expect(await withdraw(foreign)).toMatchObject({
        status: 404,
        body: { code: 'TOP_UP_NOT_FOUND' },
      });
    }
    expect(await withdraw(buyer)).toMatchObject({
      status: 200,
      body: { status: 'withdrawn', decided_at: expect.any(String), decided_by_name: null },
    });
    expect(await withdraw(buyer)).toMatchObject({ status: 409, body: { code: 'TOP_UP_DECIDED' } });
    expect(await reject(id)).toMatchObject({ status: 409, body: { code: 'TOP_UP_DECIDED' } });
    const waiting = `/api/topups?status=pending,rejected&account_id=${buyer.id}`;
    expect((await panel.admin.get(waiting)).body.items).toEqual([]);
    const { body } = await panel.admin.get(`/api/topups?status=withdrawn&account_id=${buyer.id}`);
    expect(body.items).toMatchObject([{ id }]);
    const { body: log } = await panel.admin.get('/api/audit?action=topup.withdraw&limit=1');
    expect(log.items).toMatchObject([{ subject_id: id, actor_id: buyer.id }]);
  });

  test('tell administrators what the account was given by hand since it ordered', async () => {
    const buyer = await user();
    const give = (amount: number) =>
      panel.admin.post(`/api/accounts/${buyer.id}/credits`, { amount });
    await give(7);
    const { id } = await order(buyer);
    const read = async (client = panel.admin) =>
      (await client.get(`/api/topups?account_id=${buyer.id}`)).body.items[0];
    expect(await read()).toMatchObject({ id, given_since: null });
    await give(30);
    await give(20);
    expect(await read()).toMatchObject({ given_since: { credits: 50, at: expect.any(String) } });
    expect(await read(buyer.client)).toMatchObject({ given_since: null });
    await approve(id);
    expect(await read()).toMatchObject({ given_since: null });
  });

  test('cannot be ordered by transfer where nobody would be paid', async () => {
    const buyer = await user();
    for (const bank_details of ['', '\u200b\u2060 \u00ad\n\u2800']) {
      const edited = await panel.admin.patch('/api/settings', { bank_details });
      expect([edited.status, edited.body.bank_details]).toEqual([200, '']);
      const { status, body } = await buyer.client.post('/api/topups', { package_id });
      expect([status, body.code]).toEqual([409, 'NO_BANK_DETAILS']);
      await panel.admin.patch('/api/settings', bankDetails);
    }
    await panel.admin.patch('/api/settings', { bank_details: '' });
    expect((await buyer.client.get('/api/topups')).body.items).toEqual([]);
    await panel.admin.patch('/api/settings', bankDetails);
    await order(buyer);
  });

  test('tell the administrators of an order and the account of what became of it, by mail too', async () => {
    const buyer = await user();
    await panel.services.db
      .updateTable('auth_users')
      .set({ email_verified: true })
      .where('id', '=', buyer.id)
      .execute();
    await buyer.client.patch('/api/me/settings', { language: 'de' });
    const ordered = await order(buyer);
    const admin = (await panel.admin.get('/api/me')).body.id;
    expect((await told(admin)).at(-1)).toEqual({
      kind: 'order-placed',
      title: `Top-up ${ordered.number} ordered`,
      content: `${buyer.email} ordered by bank transfer. Credits: 50. Price: €50.00.`,
      link: `/payments/top-ups?q=${ordered.number}`,
    });
    await reject(ordered.id, 'Kein Geld');
    const second = await order(buyer);
    await approve(second.id);
    expect(await told(buyer.id)).toEqual([
      {
        kind: 'order-placed',
        title: `Aufladung ${ordered.number} abgelehnt`,
        content: 'Grund: Kein Geld',
        link: `/payments/top-ups?q=${ordered.number}`,
      },
      {
        kind: 'order-placed',
        title: `Aufladung ${second.number} genehmigt`,
        content: 'Gutgeschriebene Credits: 50.',
        link: `/payments/top-ups?q=${second.number}`,
      },
    ]);
    await eventually(() => expect(mailbox.lettersTo(buyer.email)).toHaveLength(2));
  });

  test('are one’s own; administrators see all, found by number, name, state and account', async () => {
    const [buyer, other] = [await user(), await user()];
    const first = await order(buyer, { note: 'Überweisung Żółć' });
    const second = await order(buyer);
    const foreign = await order(other);
    await approve(second.id);
    const list = async (query: string, client = panel.admin) =>
      (await client.get(`/api/topups?${query}`)).body.items.map(({ id }: TopUp) => id);
    expect(await list('', buyer.client)).toEqual([second.id, first.id]);
    expect(await list(`account_id=${other.id}`, buyer.client)).toEqual([]);
    expect(await list(`q=${foreign.number}`, buyer.client)).toEqual([]);
    expect(await list(`account_id=${buyer.id},${other.id}`)).toEqual([
      foreign.id,
      second.id,
      first.id,
    ]);
    for (const q of [
      first.number,
      first.number.toLowerCase(),
      String(Number(first.number.slice(3))),
    ]) {
      expect(await list(`q=${q}`)).toContain(first.id);
    }
    expect(await list('q=zolc')).toEqual([first.id]);
    expect(await list(`q=${other.email}`)).toEqual([foreign.id]);
    expect(await list(`status=approved&account_id=${buyer.id}`)).toEqual([second.id]);
    expect(await list(`method=card&account_id=${buyer.id}`)).toEqual([]);
    expect(await list(`is_flagged=true&account_id=${buyer.id}`)).toEqual([]);
    const paged = await panel.admin.get(`/api/topups?limit=1&account_id=${buyer.id}`);
    const cursor = paged.body.next_cursor;
    expect(await list(`limit=1&account_id=${buyer.id}&cursor=${cursor}`)).toEqual([first.id]);
    const csv = await panel.admin.get(`/api/topups/csv?account_id=${buyer.id}`);
    const rows = papaparse.parse<Record<string, string>>(csv.body.trim(), { header: true });
    expect(rows.data.map(({ number }) => number)).toEqual([second.number, first.number]);
    const approving = await buyer.client.post(`/api/topups/${first.id}/approve`);
    expect(approving.status).toBe(403);
  });

  test('are bounded: ten of one account can be pending', async () => {
    const buyer = await user();
    const ordered = await Promise.all(Array.from({ length: 10 }, () => order(buyer)));
    expect(new Set(ordered.map(({ number }) => number)).size).toBe(10);
    const eleventh = await buyer.client.post('/api/topups', { package_id });
    expect([eleventh.status, eleventh.body.code]).toEqual([409, 'TOO_MANY_TOP_UPS']);
    await reject(ordered[0]?.id ?? '');
    await order(buyer);
  });

  test('of a package that is off or missing, or by a card that is not taken, are refused in words', async () => {
    const buyer = await user();
    const { body } = await panel.admin.post('/api/packages', { ...sample, is_active: false });
    for (const id of [body.package.id, crypto.randomUUID()]) {
      const reply = await buyer.client.post('/api/topups', { package_id: id });
      expect([reply.status, reply.body.code]).toEqual([404, 'PACKAGE_NOT_FOUND']);
    }
    const words = 'Card payments are not set up on this panel';
    const byCard = await buyer.client.post('/api/topups', { package_id, method: 'card' });
    expect([byCard.status, byCard.body.message]).toEqual([409, words]);
    const { id } = await order(buyer);
    const checkout = await buyer.client.post(`/api/topups/${id}/checkout`);
    expect([checkout.status, checkout.body.message]).toEqual([409, words]);
    const webhook = await panel.anonymous().post('/api/payments/stripe/webhook', {});
    expect([webhook.status, webhook.body.message]).toEqual([409, words]);
  });

  test('what is bought most is said where something was bought', async () => {
    const popular = (await panel.admin.post('/api/packages', { ...sample, credits: 7 })).body
      .package;
    for (let time = 1; time <= 9; time++) {
      const buyer = await user();
      await approve((await order(buyer, { package_id: popular.id })).id);
    }
    const { items } = (await panel.admin.get('/api/packages')).body;
    const most = items.filter(({ is_most_bought }: { is_most_bought: boolean }) => is_most_bought);
    expect(most.map(({ id }: { id: string }) => id)).toEqual([popular.id]);
  });
});
