import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import { type WebhookEvent, webhookEvents } from '@linekeeper/contract/webhooks.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transact } from '../../db/transaction.ts';
import { notifyOfServer } from '../../domain/machines/server-health.ts';
import type { TestClient } from '../../testing/client.ts';
import { dumpText } from '../../testing/database/dump.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine, storeLines } from '../../testing/lines.ts';
import {
  databases,
  startSecondPanel,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { bankDetails } from '../../testing/payments/top-ups.ts';
import {
  type Receiver,
  startReceiver,
  verifyWebhook,
} from '../../testing/wire/webhook-receiver.ts';
import { signedHeaders } from './sign.ts';
import { deleteOldDeliveries, queueExpired } from './webhook-loop.ts';

const PATH = '/api/webhooks';

test('requests are signed as the reference implementation signs them', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  const headers = signedHeaders([secret], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body,
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  expect(verifyWebhook(secret, headers, body, 1614265330)).toEqual({ test: 2432232314 });
  expect(() => verifyWebhook(secret, headers, body)).toThrow('old');
  expect(() => verifyWebhook(secret, headers, '{"test": 1}', 1614265330)).toThrow('not signed');
});

describe.each(databases)('webhooks on %s', (database) => {
  let panel: TestPanel;
  let server: { id: string };
  let receiver: Receiver;
  let seller: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(database);
    const agent = await startTestAgent();
    server = await panel.addServer(agent.url);
  });
  beforeEach(async () => {
    seller = await panel.reseller();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    receiver.close();
    await panel.services.db.deleteFrom('webhooks').execute();
  });

  async function makeWebhook(
    client: TestClient = seller.client,
    events: readonly WebhookEvent[] = webhookEvents,
    path = '/hook?shop=1',
  ) {
    const made = await client.post(PATH, { url: receiver.url + path, events });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body as { id: string; secret: string };
  }
  const deliveries = async ({ id }: { id: string }, client = seller.client) =>
    (await client.get(`${PATH}/${id}/deliveries`)).body.items;
  const types = () => receiver.received.map(({ body }) => JSON.parse(body).type);
  const gotten = async (...expected: WebhookEvent[]) => {
    await eventually(() => expect(types()).toEqual(expected));
    return receiver.received.map(({ body }) => JSON.parse(body).data);
  };
  const makeDue = () =>
    panel.services.db
      .updateTable('webhook_deliveries')
      .set({ next_try_at: sql`now()` })
      .where('next_try_at', 'is not', null)
      .execute();

  test('get a sale, a renewal and a deletion of own lines, signed and without a password', async () => {
    const webhook = await makeWebhook();
    const other = await panel.reseller();
    await other.client.post('/api/lines', newLine('another'));
    const { body } = await seller.client.post('/api/lines', newLine('mine'));
    const { id, expiry_date } = body.line;
    await gotten('line.created');
    await seller.client.post(`/api/lines/${id}/renew`, { subscription_months: 1 });
    await gotten('line.created', 'line.renewed');
    await seller.client.patch(`/api/lines/${id}`, { notes: 'no event' });
    await seller.client.delete(`/api/lines/${id}`);
    const [created, renewed, deleted] = await gotten(
      'line.created',
      'line.renewed',
      'line.deleted',
    );
    const line = { line: id, username: 'mine', owner_id: seller.id, server_id: server.id };
    expect(created).toMatchObject({ ...line, expiry_date, is_trial: false });
    const later = addMonths(expiry_date, 1);
    expect([renewed.expiry_date, deleted.expiry_date]).toEqual([later, later]);
    for (const { path, headers, body: sent } of receiver.received) {
      expect(path).toBe('/hook?shop=1');
      expect(headers['content-type']).toBe('application/json');
      expect(verifyWebhook(webhook.secret, headers, sent)).toMatchObject({
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      expect(sent).not.toContain('pw-mine');
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    expect(await deliveries(webhook)).toMatchObject([
      { event: 'line.deleted', state: 'delivered', attempts: 1, response_code: 204, reason: null },
      { event: 'line.renewed' },
      { event: 'line.created' },
    ]);
  });

  test('of administrators get events of all; nothing is queued for what was not asked for', async () => {
    const mine = await makeWebhook(panel.admin, ['line.created']);
    const deaf = await makeWebhook(seller.client, ['line.deleted'], '/deaf');
    await seller.client.post('/api/lines', newLine('seen-above'));
    const [data] = await gotten('line.created');
    expect(data.owner_id).toBe(seller.id);
    expect(await deliveries(deaf)).toEqual([]);
    expect(await deliveries(mine, panel.admin)).toHaveLength(1);
    const foreign = await seller.client.get(`${PATH}/${mine.id}/deliveries`);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND']);
  });

  test('of a sale that is refused, or an account that may not sell, get nothing', async () => {
    const webhook = await makeWebhook();
    const poor = await panel.reseller({ credits: 0 });
    await makeWebhook(poor.client, webhookEvents, '/poor');
    await poor.client.post('/api/lines', newLine('unpaid'));
    await panel.admin.post(`/api/accounts/${seller.id}/ban`, { suspend_lines: false });
    await storeLines(panel.services.db, seller.id, server.id, [{ username: 'while banned' }]);
    const buyer = await panel.reseller({ credits: 0, group_id: '3' });
    expect((await buyer.client.get(PATH)).status).toBe(403);
    const { rows } = await sql`select from webhook_deliveries`.execute(panel.services.db);
    expect(rows).toHaveLength(0);
    expect(receiver.received).toEqual([]);
    expect(webhook.secret).toMatch(/^whsec_/);
  });

  test('get a paid top-up and a reply by others', async () => {
    await makeWebhook();
    const pack = { name: 'Ten', credits: 10, price_minor: 1000, currency: 'EUR' };
    const { body: made } = await panel.admin.post('/api/packages', pack);
    await panel.admin.patch('/api/settings', bankDetails);
    const order = { package_id: made.package.id };
    const { body: ordered } = await seller.client.post('/api/topups', order);
    await panel.admin.post(`/api/topups/${ordered.id}/approve`, {});
    const ticket = { title: 'Receiver', description: 'It is black' };
    const { body: opened } = await seller.client.post('/api/tickets', ticket);
    const replies = `/api/tickets/${opened.ticket.id}/replies`;
    await seller.client.post(replies, { content: 'Anyone?' });
    await panel.admin.post(replies, { content: 'Restart it' });
    const [paid, replied] = await gotten('top_up.paid', 'ticket.replied');
    expect(paid).toMatchObject({ credits: 10, price_minor: 1000, account_id: seller.id });
    expect(replied).toMatchObject({ ticket: opened.ticket.id, title: 'Receiver', is_admin: true });
    expect(JSON.stringify(replied)).not.toContain('Restart');
  });

  test('get an outage and its end, if own lines are on the server', async () => {
    const { db } = panel.services;
    await storeLines(db, seller.id, server.id, [{ username: `on ${seller.id}` }]);
    const outsider = await panel.reseller();
    await makeWebhook(seller.client, ['server.down', 'server.up']);
    const deaf = await makeWebhook(outsider.client, ['server.down', 'server.up'], '/outsider');
    await transact(db, (tx) => notifyOfServer(tx, server.id, 'error'));
    await transact(db, (tx) => notifyOfServer(tx, server.id, 'error'));
    await gotten('server.down');
    await transact(db, (tx) => notifyOfServer(tx, server.id, 'returned'));
    const [down] = await gotten('server.down', 'server.up');
    expect(down).toEqual({ server: server.id, name: 'Frankfurt 1' });
    expect(await deliveries(deaf, outsider.client)).toEqual([]);
  });

  test('get the expiry of a line once for each of its last days', async () => {
    const { db, config, today } = panel.services;
    const webhook = await makeWebhook(seller.client, ['line.expired']);
    const [yesterday, tomorrow] = [addDays(today(), -1), addDays(today(), 1)];
    const rows = [yesterday, today(), tomorrow].map((expiry_date) => ({
      username: `until ${expiry_date} ${seller.id}`,
      expiry_date,
    }));
    const [, id = ''] = await storeLines(db, seller.id, server.id, rows);
    const look = (day: string) => queueExpired(db, day, config.time_zone);
    // A webhook of today learns nothing of what expired before.
    for (let times = 0; times < 3; times++) await look(today());
    expect(await deliveries(webhook)).toEqual([]);
    await Promise.all([look(tomorrow), look(tomorrow), look(addDays(today(), 2))]);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    await db.updateTable('users').set({ expiry_date: tomorrow }).where('id', '=', id).execute();
    await look(addDays(today(), 3));
    await eventually(() => expect(receiver.received).toHaveLength(3));
    expect(await deliveries(webhook)).toHaveLength(3);
  });

  test('are tried again after a failure, for about a day, and then at a press', async () => {
    receiver.answer = (response) => response.writeHead(503).end(`closed ${'x'.repeat(2000)}`);
    const webhook = await makeWebhook();
    await seller.client.post('/api/lines', newLine('retried'));
    let before: string | null = null;
    const tried = async (attempts: number) => {
      const found = await eventually(async () => {
        const [one] = await deliveries(webhook);
        expect(one).toMatchObject({ attempts, response_code: 503 });
        expect(one.tried_at).not.toBe(before);
        return one;
      });
      before = found.tried_at;
      expect(receiver.received).toHaveLength(attempts);
      return found;
    };
    const first = await tried(1);
    expect(first.state).toBe('waiting');
    expect(first.response).toMatch(/^closed x+$/);
    expect(first.response).toHaveLength(500);
    let waited = 0;
    let last = first;
    for (let attempts = 2; attempts <= 10; attempts++) {
      waited += Date.parse(last.next_try_at) - Date.parse(last.tried_at);
      await makeDue();
      last = await tried(attempts);
    }
    expect(waited / 3_600_000).toBeGreaterThan(23);
    expect(waited / 3_600_000).toBeLessThan(26);
    expect([last.state, last.next_try_at]).toEqual(['failed', null]);
    receiver.answer = (response) => response.writeHead(200).end();
    const again = `${PATH}/${webhook.id}/deliveries/${last.id}/redeliver`;
    expect((await seller.client.post(again)).status).toBe(200);
    await eventually(async () =>
      expect(await deliveries(webhook)).toMatchObject([{ state: 'delivered', attempts: 1 }]),
    );
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect([receiver.received.length, ids.size]).toEqual([11, 1]);
    const unknown = again.replace(last.id, crypto.randomUUID());
    expect((await seller.client.post(unknown)).body.code).toBe('NOT_FOUND');
  });

  test('count an attempt once it has ended, so that a panel that dies in it uses up none', async () => {
    receiver.answer = () => {};
    const webhook = await makeWebhook();
    await seller.client.post('/api/lines', newLine('counted'));
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(await deliveries(webhook)).toMatchObject([{ attempts: 0, state: 'waiting' }]);
    receiver.close();
    await eventually(async () =>
      expect(await deliveries(webhook)).toMatchObject([{ attempts: 1, state: 'waiting' }]),
    );
  });

  test('follow no redirect and read no endless response', async () => {
    const inside = await startReceiver();
    const moved = (response: Parameters<typeof receiver.answer>[0]) =>
      response.writeHead(307, { location: inside.url }).end();
    const huge = (response: Parameters<typeof receiver.answer>[0]) =>
      response.writeHead(200).end('x'.repeat(1_000_000));
    const webhook = await makeWebhook();
    for (const [answer, found] of [
      [moved, { response_code: 307, state: 'waiting' }],
      [huge, { response_code: null, reason: 'response too large', state: 'waiting' }],
    ] as const) {
      receiver.answer = answer;
      await storeLines(panel.services.db, seller.id, server.id, [
        { username: `${answer.name} ${seller.id}` },
      ]);
      await eventually(async () =>
        expect((await deliveries(webhook))[0]).toMatchObject({ attempts: 1, ...found }),
      );
    }
    expect(inside.received).toEqual([]);
    inside.close();
  });

  test('keep their former secret for a day after a rotation', async () => {
    const { db } = panel.services;
    const webhook = await makeWebhook();
    const { body } = await seller.client.post(`${PATH}/${webhook.id}/rotate`);
    expect(body.secret).not.toBe(webhook.secret);
    const verified = async (name: string, secret: string) => {
      const [before] = [receiver.received.length];
      await storeLines(db, seller.id, server.id, [{ username: `${name} ${seller.id}` }]);
      await eventually(() => expect(receiver.received).toHaveLength(before + 1));
      const { headers, body: sent } = receiver.received.at(-1) as Receiver['received'][number];
      return verifyWebhook(secret, headers, sent);
    };
    expect(await verified('new', body.secret)).toBeTruthy();
    expect(await verified('old', webhook.secret)).toBeTruthy();
    const over = { old_secret_until: sql<Date>`now()` };
    await db.updateTable('webhooks').set(over).where('id', '=', webhook.id).execute();
    await expect(verified('ended', webhook.secret)).rejects.toThrow('not signed');
    const text = await dumpText(db);
    for (const secret of [webhook.secret, body.secret]) expect(text).not.toContain(secret.slice(6));
    const entries = await db.selectFrom('audit_log').select('data').execute();
    expect(JSON.stringify(entries)).toContain(webhook.id);
    expect(JSON.stringify(entries)).not.toContain('shop=1');
  });

  test.each([
    ['http://panel.example/hook'],
    ['https://user:pw@shop.example/'],
    ['https://10.0.0.1/hook'],
    ['https://169.254.169.254/latest'],
    ['https://[::ffff:10.0.0.1]/'],
    ['https://shop.example:99999/'],
    ['ftp://shop.example/'],
    ['https://shop.example\\@127.0.0.1/'],
    ['shop.example'],
  ])('refuse the address %s', async (url) => {
    const { status, body } = await seller.client.post(PATH, { url, events: ['line.created'] });
    expect([status, body.fields?.url?.code ?? body.code]).toEqual([422, 'INVALID_WEBHOOK_URL']);
  });

  test('go inside for administrators alone', async () => {
    const { outbound } = panel.services;
    const url = receiver.url;
    const webhook = await makeWebhook();
    delete outbound.permitsToOthers;
    try {
      for (const inside of [url, 'https://127.0.0.1/', 'https://localhost/']) {
        const refused = await seller.client.post(PATH, { url: inside, events: ['line.created'] });
        expect([refused.status, refused.body.fields.url]).toEqual([
          422,
          'Enter a public address that begins with https://',
        ]);
        expect((await seller.client.patch(`${PATH}/${webhook.id}`, { url: inside })).status).toBe(
          422,
        );
      }
      outbound.resolve = async () => ['127.0.0.1'];
      const named = { url: 'https://rebound.example/', events: ['line.created'] };
      const { body } = await seller.client.post(PATH, named);
      await storeLines(panel.services.db, seller.id, server.id, [{ username: `in ${seller.id}` }]);
      for (const one of [webhook, body]) {
        await eventually(async () =>
          expect((await deliveries(one))[0]).toMatchObject({
            response: null,
            reason: 'host not found or not allowed',
          }),
        );
      }
      expect(receiver.received).toEqual([]);
      await makeWebhook(panel.admin, ['line.deleted']);
    } finally {
      outbound.permitsToOthers = outbound.permits;
      delete outbound.resolve;
    }
  });

  test('are changed and deleted by their owner alone, and ten at most', async () => {
    const webhook = await makeWebhook();
    const other = await panel.reseller();
    const one = `${PATH}/${webhook.id}`;
    for (const refused of [
      await other.client.patch(one, { events: ['line.deleted'] }),
      await other.client.delete(one),
      await panel.admin.post(`${one}/rotate`),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    }
    const url = 'https://shop.example/hook';
    const changed = await seller.client.patch(one, { url, events: ['line.deleted'] });
    expect(changed.body).toMatchObject({ url, events: ['line.deleted'], last_state: null });
    const more = await Promise.all(
      Array.from({ length: 12 }, () => seller.client.post(PATH, { url, events: ['server.up'] })),
    );
    expect(more.filter(({ status }) => status === 201)).toHaveLength(9);
    expect((await seller.client.delete(one)).status).toBe(200);
    expect((await seller.client.get(PATH)).body.items).toHaveLength(9);
  });

  test('of an administrator who is none any more lose what they would tell of others', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const boss = await panel.reseller({ group_id: '1' });
    const webhook = await makeWebhook(boss.client);
    await storeLines(panel.services.db, seller.id, server.id, [{ username: `of ${seller.id}` }]);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await panel.admin.patch(`/api/accounts/${boss.id}`, { group_id: '2' });
    await storeLines(panel.services.db, seller.id, server.id, [{ username: `off ${seller.id}` }]);
    await boss.client.signIn(boss.email, boss.password);
    expect(await deliveries(webhook, boss.client)).toEqual([]);
  });

  test('keep their deliveries for two weeks', async () => {
    const { db } = panel.services;
    const webhook = await makeWebhook();
    const names = ['kept', 'gone'].map((name) => ({ username: `${name} ${seller.id}` }));
    await storeLines(db, seller.id, server.id, names);
    const [one] = await eventually(async () => {
      const found = await deliveries(webhook);
      expect(found.map(({ state }: { state: string }) => state)).toEqual([
        'delivered',
        'delivered',
      ]);
      return found;
    });
    const old = sql<Date>`now() - interval '15 days'`;
    await db
      .updateTable('webhook_deliveries')
      .set({ created_at: old })
      .where('id', '=', one.id)
      .execute();
    await deleteOldDeliveries(db);
    expect(await deliveries(webhook)).toHaveLength(1);
  });
});

test('two panels deliver each event once, and one that dies is followed by the other', async () => {
  const panel = await startTestPanel();
  const receiver = await startReceiver();
  await startSecondPanel(panel);
  const { db } = panel.services;
  const server = await panel.addServer('http://127.0.0.1:1');
  const { body } = await panel.admin.post(PATH, { url: receiver.url, events: ['line.created'] });
  const { id: owner } = await panel.reseller();
  const names = Array.from({ length: 60 }, (_, index) => ({ username: `line ${index}` }));
  await storeLines(db, owner, server.id, names);
  // As a panel leaves it that died during an attempt.
  await sql`update webhook_deliveries set attempts = 1, next_try_at = now() + interval '1 second'
    where id = (select id from webhook_deliveries where next_try_at is not null limit 1)`.execute(
    db,
  );
  await eventually(async () => {
    const { items } = (await panel.admin.get(`${PATH}/${body.id}/deliveries`)).body;
    expect(items.filter(({ state }: { state: string }) => state === 'delivered')).toHaveLength(60);
  });
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(60);
  receiver.close();
});
