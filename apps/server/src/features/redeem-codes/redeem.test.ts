import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ISSUANCE } from '../../domain/credits/credits.ts';
import { eventually } from '../../testing/eventually.ts';
import { expectBalancedBooks, transfersOf } from '../../testing/ledger/ledger.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { type EventStream, openEventStream } from '../../testing/wire/streams.ts';

const INVALID = [409, 'Invalid or expired code'];
const ALREADY = [409, 'Code already redeemed by this user'];

describe.each(databases)('redeeming on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    seller = await panel.reseller({ credits: 5 });
  });
  afterAll(async () => {
    await expectBalancedBooks(panel.services.db);
    expect((await panel.admin.get('/api/credits/verify')).body).toMatchObject({ ok: true });
    await panel?.stop();
  });

  async function newCode(body: object = {}) {
    const reply = await panel.admin.post('/api/redeem-codes', { credits: 50, ...body });
    expect(reply.status).toBe(201);
    return reply.body.codes[0];
  }
  const redeem = async ({ client }: Pick<TestAccount, 'client'>, code: string) => {
    const { status, body } = await client.post('/api/redeem', { code });
    return [status, body.message];
  };
  const me = async ({ client }: TestAccount) => (await client.get('/api/me')).body;
  const history = async ({ client }: TestAccount) =>
    (await client.get('/api/redeem/history')).body.items;
  const uses = async (id: string) =>
    (await panel.admin.get('/api/redeem-codes')).body.items.find(
      (code: { id: string }) => code.id === id,
    )?.times_used;

  test('adds the credits, counts the use, and keeps both with their transfer', {
    tags: ['spec:1.5', 'spec:3.24', 'spec:4.20', 'spec:7.32'],
  }, async () => {
    const code = await newCode({ credits: 70 });
    const reply = await seller.client.post('/api/redeem', { code: code.code });
    expect([reply.status, reply.body]).toEqual([
      200,
      { success: true, message: 'Code redeemed successfully', credits: 70 },
    ]);
    expect((await me(seller)).credits).toBe(75);
    expect(await uses(code.id)).toBe(1);
    const transfer = (await transfersOf(panel.services.db, seller.id)).at(-1);
    expect(transfer).toMatchObject({
      kind: 'redeem',
      from_id: ISSUANCE,
      to_id: seller.id,
      amount: 70,
      actor_id: seller.id,
    });
    expect((await history(seller))[0]).toMatchObject({
      code_id: code.id,
      code: code.code,
      credits: 70,
      user_id: seller.id,
      user_email: seller.email,
      status: 'success',
      transfer_id: transfer?.id,
    });
    const { items } = (await seller.client.get('/api/credits/transfers?kind=redeem')).body;
    expect(items[0]).toMatchObject({ id: transfer?.id, balance_after: 75 });
  });

  test('a second time is refused, and stays in the history with status error', {
    tags: ['spec:3.24', 'spec:8.23'],
  }, async () => {
    const code = await newCode({ max_uses: 3 });
    const before = (await me(seller)).credits;
    expect((await redeem(seller, code.code))[0]).toBe(200);
    expect(await redeem(seller, code.code)).toEqual(ALREADY);
    expect((await me(seller)).credits).toBe(before + 50);
    expect(await uses(code.id)).toBe(1);
    expect((await history(seller))[0]).toMatchObject({
      code_id: code.id,
      code: code.code,
      credits: 0,
      status: 'error',
      transfer_id: null,
    });
  });

  test('the own earlier redemption is said even where the code has no uses left or is off', {
    tags: ['spec:4.21'],
  }, async () => {
    const code = await newCode();
    await redeem(seller, code.code);
    expect(await redeem(seller, code.code)).toEqual(ALREADY);
    await panel.admin.patch(`/api/redeem-codes/${code.id}`, { is_active: false });
    expect(await redeem(seller, code.code)).toEqual(ALREADY);
    const other = await panel.reseller();
    expect(await redeem(other, code.code)).toEqual(INVALID);
  });

  test.each([
    ['expired', { expires_at: '2020-01-31' }],
    ['expired a moment ago', { expires_at: '2020-01-31T12:30:00+02:00' }],
    ['switched off', { is_active: false }],
  ])(
    'a code that is %s is refused, as often as one likes, and nothing is counted',
    { tags: ['spec:4.19', 'spec:8.22'] },
    async (_, body) => {
      const account = await panel.reseller({ credits: 0 });
      const code = await newCode();
      await panel.admin.patch(`/api/redeem-codes/${code.id}`, body);
      for (let time = 0; time < 12; time++) {
        expect(await redeem(account, code.code)).toEqual(INVALID);
      }
      expect((await me(account)).credits).toBe(0);
      expect(await uses(code.id)).toBe(0);
      const rows = await history(account);
      expect(rows).toHaveLength(12);
      expect(new Set(rows.map((row: { status: string }) => row.status))).toEqual(
        new Set(['error']),
      );
    },
  );

  test('the text of a deleted code is free: made again it is another code, for everybody', async () => {
    const account = await panel.reseller({ credits: 0 });
    const text = { code: 'SPRING-AGAIN', credits: 10 };
    const first = await newCode(text);
    expect((await redeem(account, first.code))[0]).toBe(200);
    expect((await panel.admin.delete(`/api/redeem-codes/${first.id}`)).status).toBe(200);
    expect(await redeem(account, first.code)).toEqual(INVALID);
    const second = await newCode(text);
    expect((await redeem(account, second.code))[0]).toBe(200);
    expect(await redeem(account, second.code)).toEqual(ALREADY);
    expect((await me(account)).credits).toBe(20);
    const redeemed = (await history(account)).filter(
      (row: { status: string }) => row.status === 'success',
    );
    expect(redeemed.map((row: { code_id: string }) => row.code_id)).toEqual([second.id, first.id]);
  });

  test('a code valid through today or until a moment ahead can be redeemed', {
    tags: ['spec:4.19'],
  }, async () => {
    const today = await newCode({ expires_at: panel.services.today() });
    const ahead = await newCode({ expires_at: '2098-12-31T22:00:00Z' });
    const account = await panel.reseller({ credits: 0 });
    for (const { code } of [today, ahead]) expect((await redeem(account, code))[0]).toBe(200);
    expect((await me(account)).credits).toBe(100);
  });

  test('spaces, dashes and small letters do not matter', async () => {
    const account = await panel.reseller({ credits: 0 });
    const [a, b, c] = [await newCode(), await newCode(), await newCode({ code: 'AUTUMN-2026' })];
    expect((await redeem(account, `  ${a.code.toLowerCase()}\n`))[0]).toBe(200);
    expect((await redeem(account, b.code.replaceAll('-', ' – ')))[0]).toBe(200);
    expect((await redeem(account, 'autumn2026'))[0]).toBe(200);
    expect((await me(account)).credits).toBe(150);
    expect((await history(account))[0]).toMatchObject({ code_id: c.id, code: 'AUTUMN-2026' });
  });

  test('the first credits make a user a reseller, whose streams hear of it', {
    tags: ['spec:4.16'],
  }, async () => {
    const user = await panel.reseller({ credits: 0, group_id: '3' });
    const [first, second] = [await newCode({ credits: 3 }), await newCode({ credits: 4 })];
    expect((await me(user)).group_id).toBe('3');
    const stream = await openEventStream(user.client);
    expect((await redeem(user, first.code))[0]).toBe(200);
    expect(await me(user)).toMatchObject({ group_id: '2', credits: 3 });
    await eventually(() => expect(stream.hasEnded()).toBe(true));
    expect((await redeem(user, second.code))[0]).toBe(200);
    expect(await me(user)).toMatchObject({ group_id: '2', credits: 7 });
  });

  test('the own balance and history are heard of at once, and by nobody beside', {
    tags: ['spec:7.11'],
  }, async () => {
    const [account, stranger] = [await panel.reseller(), await panel.reseller()];
    const code = await newCode();
    const streams = await Promise.all(
      [account.client, stranger.client, panel.admin].map((client) => openEventStream(client)),
    );
    const [own, foreign, admin] = streams as [EventStream, EventStream, EventStream];
    await redeem(account, code.code);
    await own.hears({ table: 'auth_users', op: 'UPDATE', id: account.id });
    await own.hears({ table: 'redeem_code_history', op: 'INSERT' });
    await admin.hears({ table: 'redeem_codes', op: 'UPDATE', id: code.id });
    expect(own.events.filter(({ table }) => table === 'redeem_codes')).toEqual([]);
    // The event about the creation of the stranger's account may arrive late.
    expect(foreign.events.filter(({ id }) => id !== stranger.id)).toEqual([]);
    for (const stream of streams) stream.close();
  });

  test('an administrator’s credits are kept and go on being shown as 1000', {
    tags: ['spec:9.8'],
  }, async () => {
    const code = await newCode();
    const { id } = (await panel.admin.get('/api/me')).body;
    const reply = await panel.admin.post('/api/redeem', { code: code.code });
    expect([reply.status, reply.body.credits]).toEqual([200, 50]);
    expect((await panel.admin.get('/api/me')).body.credits).toBe(1000);
    expect((await transfersOf(panel.services.db, id)).at(-1)).toMatchObject({ amount: 50 });
  });

  test('with one Idempotency-Key happens once; a refused try frees the key', async () => {
    const account = await panel.reseller({ credits: 0 });
    const code = await newCode({ is_active: false });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const send = () => account.client.post('/api/redeem', { code: code.code }, headers);
    expect((await send()).status).toBe(409);
    expect((await send()).status).toBe(409);
    await panel.admin.patch(`/api/redeem-codes/${code.id}`, { is_active: true });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await me(account)).credits).toBe(50);
    expect(await history(account)).toHaveLength(3);
    expect((await account.client.send('POST', '/api/redeem', { code: 'X' })).status).toBe(428);
  });

  test('ten unknown codes an hour, then also a good one is refused for a while', {
    tags: ['spec:8.22'],
  }, async () => {
    const account = await panel.reseller({ credits: 0 });
    const good = await newCode();
    for (let time = 0; time < 10; time++) {
      expect(await redeem(account, `NO-SUCH-${time}`)).toEqual(INVALID);
    }
    const reply = await account.client.post('/api/redeem', { code: good.code });
    expect([reply.status, reply.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(3500);
    const rows = await history(account);
    expect(rows).toHaveLength(10);
    expect(rows[0]).toMatchObject({ code_id: null, code: 'NO-SUCH-9', credits: 0 });
    expect((await redeem(await panel.reseller(), good.code))[0]).toBe(200);
    const ended = { window_ends_at: new Date(0) };
    const { db } = panel.services;
    await db.updateTable('rate_limits').set(ended).where('subject', '=', account.id).execute();
    expect(await redeem(account, 'NO-SUCH-10')).toEqual(INVALID);
  });

  test('thirty unknown codes side by side are ten tries', async () => {
    const account = await panel.reseller({ credits: 0 });
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) => redeem(account, `GUESS-${index}`)),
    );
    expect(replies.filter(([status]) => status === 409)).toHaveLength(10);
    expect(replies.filter(([status]) => status === 429)).toHaveLength(20);
    expect(await history(account)).toHaveLength(10);
  });

  test('history and what was paid stay when a code is deleted', async () => {
    const account = await panel.reseller({ credits: 0 });
    const code = await newCode({ max_uses: 5 });
    await redeem(account, code.code);
    expect((await panel.admin.delete(`/api/redeem-codes/${code.id}`)).status).toBe(200);
    expect(await redeem(account, code.code)).toEqual(INVALID);
    expect((await me(account)).credits).toBe(50);
    const rows = await history(account);
    expect(rows).toMatchObject([
      { code_id: null, code: code.code, status: 'error' },
      { code_id: code.id, code: code.code, credits: 50, status: 'success' },
    ]);
  });

  test('history is one’s own, page by page; an administrator sees all, by account and by code', {
    tags: ['spec:6.16'],
  }, async () => {
    const [one, other] = [
      await panel.reseller({ credits: 0 }),
      await panel.reseller({ credits: 0 }),
    ];
    const below = await panel.below(one);
    const code = await newCode({ credits: 10, max_uses: 9 });
    for (const account of [one, other, below]) await redeem(account, code.code);
    await redeem(one, code.code);
    const get = async (account: { client: TestAccount['client'] }, query = '') =>
      (await account.client.get(`/api/redeem/history${query}`)).body;
    expect(await get(one)).toMatchObject({ total: 2, total_is_exact: true, credits: 10 });
    expect(await get(one, `?user_id=${other.id}`)).toMatchObject({ items: [], credits: 0 });
    const page = await get(one, '?limit=1');
    expect(page.items[0].status).toBe('error');
    const next = await get(one, `?limit=1&cursor=${page.next_cursor}`);
    expect(next).toMatchObject({ items: [{ status: 'success' }], next_cursor: null });
    const admin = { client: panel.admin };
    const all = await get(admin, `?code_id=${code.id}`);
    expect(all).toMatchObject({ total: 4, credits: 30 });
    expect(await get(admin, `?code_id=${code.id}&status=error`)).toMatchObject({ total: 1 });
    expect(await get(admin, `?user_id=${one.id},${below.id}`)).toMatchObject({ total: 3 });
    expect(await get(admin, `?q=${code.code.slice(0, 9).toLowerCase()}`)).toMatchObject({
      total: 4,
    });
  });

  test('a code that is missing or no text is refused as a field', {
    tags: ['spec:7.32'],
  }, async () => {
    for (const body of [{}, { code: '' }, { code: '  ' }, { code: 7 }, { code: 'x'.repeat(101) }]) {
      const { status, body: reply } = await seller.client.post('/api/redeem', body);
      expect([status, Object.keys(reply.fields)]).toEqual([422, ['code']]);
    }
    const forAnother = { code: 'ANY', for_user_id: seller.id };
    expect((await seller.client.post('/api/redeem', forAnother)).status).toBe(422);
    expect((await panel.anonymous().post('/api/redeem', { code: 'ANY' })).status).toBe(401);
  });
});
