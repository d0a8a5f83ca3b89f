import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ISSUANCE } from '../../domain/credits/credits.ts';
import { expectBalancedBooks, transfersOf } from '../../testing/ledger/ledger.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
/** The accounts form a chain, top → middle → bottom; the stranger is outside it. */
let top: TestAccount;
let middle: TestAccount;
let bottom: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  top = await panel.reseller({ credits: 40 });
  middle = await panel.below(top);
  bottom = await panel.below(middle);
  stranger = await panel.reseller({ credits: 9 });
});
afterAll(async () => {
  await expectBalancedBooks(panel.services.db);
  await panel?.stop();
});

const give = (from: { client: TestPanel['admin'] }, to: string, amount: unknown, note?: string) =>
  from.client.post(`/api/accounts/${to}/credits`, { amount, note });
const balance = async ({ client }: TestAccount) => (await client.get('/api/me')).body.credits;
const administrator = () => ({ client: panel.admin });

test('a repeated key is answered by what a panel of 1.8 kept of the call', async () => {
  const key = crypto.randomUUID();
  const send = () =>
    panel.admin.send(
      'POST',
      `/api/accounts/${bottom.id}/credits`,
      { amount: 1 },
      { 'idempotency-key': key },
    );
  const { transfer } = (await send()).body;
  await sql`update idempotency_keys
    set reply = null, result = ${JSON.stringify(transfer)}::jsonb, created_at = now() - interval '1 minute'
    where key = ${key}`.execute(panel.services.db);
  const before = await balance(bottom);
  expect(await send()).toMatchObject({
    status: 200,
    body: { account: { id: bottom.id, credits: before }, transfer },
  });
});

describe('an administrator', () => {
  test('mints credits for any account', async () => {
    const before = await balance(bottom);
    const reply = await give(administrator(), bottom.id, 3, 'welcome');
    expect(reply).toMatchObject({
      status: 200,
      body: {
        account: { id: bottom.id, credits: before + 3 },
        transfer: { kind: 'mint', from_id: ISSUANCE, to_id: bottom.id, amount: 3, note: 'welcome' },
      },
    });
    expect(await balance(bottom)).toBe(before + 3);
    const stored = (await transfersOf(panel.services.db, bottom.id)).at(-1);
    expect({ ...stored, created_at: stored?.created_at.toISOString() }).toMatchObject(
      reply.body.transfer,
    );
  });

  test.each([
    ['me', 422, 'Invalid user ID'],
    ['00000000-0000-4000-8000-000000000001', 404, 'User not found'],
    ['01a1fd85-0000-7000-8000-000000000000', 404, 'User not found'],
  ])(
    'gives nothing to %s: %i %s',
    { tags: ['spec:5.18', 'spec:5.23'] },
    async (id, status, message) => {
      expect(await give(administrator(), id, 1)).toMatchObject({ status, body: { message } });
    },
  );

  test.each([0, -5, 1.5, 0.5, '3', null, undefined, Number.MAX_SAFE_INTEGER + 2])(
    'does not give an amount of %j',
    { tags: ['spec:5.19'] },
    async (amount) => {
      const before = await balance(stranger);
      const reply = await give(administrator(), stranger.id, amount);
      expect(reply.status).toBe(422);
      if (typeof amount !== 'number' || amount < 1_000) {
        const isWhole = typeof amount !== 'number' || Number.isInteger(amount);
        expect(reply.body.message).toBe(
          isWhole ? 'Credits must be greater than 0' : 'Enter a whole number',
        );
      }
      expect(await balance(stranger)).toBe(before);
    },
  );
});

describe('a reseller', () => {
  test('gives from its own balance to those below, however deep', async () => {
    const before = { top: await balance(top), bottom: await balance(bottom) };
    const { body } = await give(top, bottom.id, 5);
    expect(body.transfer).toMatchObject({
      kind: 'transfer',
      from_id: top.id,
      to_id: bottom.id,
      actor_id: top.id,
      note: null,
    });
    expect(body.account.credits).toBe(before.bottom + 5);
    expect([await balance(top), await balance(bottom)]).toEqual([
      before.top - 5,
      before.bottom + 5,
    ]);
  });

  test('gives nothing upwards, aside or to itself', async () => {
    const all = [top, middle, bottom, stranger];
    const before = await Promise.all(all.map(balance));
    const notFound = { status: 404, body: { message: 'User not found' } };
    expect(await give(bottom, top.id, 1)).toMatchObject(notFound);
    expect(await give(bottom, middle.id, 1)).toMatchObject(notFound);
    expect(await give(stranger, bottom.id, 1)).toMatchObject(notFound);
    expect(await give(top, top.id, 1)).toMatchObject({
      status: 422,
      body: { message: 'Invalid user ID' },
    });
    expect(await Promise.all(all.map(balance))).toEqual(before);
  });

  test('cannot give more than it has', async () => {
    const has = await balance(top);
    expect(await give(top, middle.id, has + 1)).toMatchObject({
      status: 409,
      body: {
        message: `Insufficient credits. Required: ${has + 1}, Available: ${has}`,
        data: { required: has + 1, available: has },
      },
    });
    expect(await balance(top)).toBe(has);
    expect(await give(top, middle.id, has)).toMatchObject({ status: 200 });
    expect(await balance(top)).toBe(0);
    await give(administrator(), top.id, 100);
  });

  test('that gives its last credits twenty times at once gives them once', async () => {
    const poor = await panel.below(top, { credits: 4 });
    const child = await panel.below(poor);
    const replies = await Promise.all(Array.from({ length: 20 }, () => give(poor, child.id, 3)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await balance(poor), await balance(child)]).toEqual([1, 3]);
  });
});

describe('the group', () => {
  const groupOf = async (id: string) =>
    (await panel.admin.get(`/api/accounts/${id}`)).body.group_id;

  test('of a user becomes Resellers with the first credits, and stays so at 0', {
    tags: ['spec:4.16', 'spec:4.18'],
  }, async () => {
    const user = await panel.below(top, { group_id: '3' });
    expect(await groupOf(user.id)).toBe('3');
    const { body } = await give(top, user.id, 2);
    expect(body.account).toMatchObject({ group_id: '2', credits: 2 });

    const child = await panel.below(user);
    await give(user, child.id, 2);
    expect(await balance(user)).toBe(0);
    expect(await groupOf(user.id)).toBe('2');
  });

  test('of an administrator does not change', async () => {
    const { id } = (await panel.admin.get('/api/me')).body;
    const { body } = await give(administrator(), id, 5);
    expect(body.account).toMatchObject({ group_id: '1', credits: 1000 });
  });

  test('that somebody was put into on purpose does not change', async () => {
    const { db } = panel.services;
    const user = await panel.below(top, { group_id: '3' });
    await give(top, user.id, 1);
    await db.updateTable('auth_users').set({ group_id: '3' }).where('id', '=', user.id).execute();
    await give(top, user.id, 1);
    expect(await groupOf(user.id)).toBe('3');
  });
});

test('the same request twice gives once', async () => {
  const before = await balance(middle);
  const key = { 'idempotency-key': 'give-once' };
  const path = `/api/accounts/${middle.id}/credits`;
  const first = await top.client.post(path, { amount: 2 }, key);
  const second = await top.client.post(path, { amount: 2 }, key);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(await balance(middle)).toBe(before + 2);
  // The account is part of the request, so the same key for another account is an error.
  const other = await top.client.post(`/api/accounts/${bottom.id}/credits`, { amount: 2 }, key);
  expect(other.status).toBe(422);
});
