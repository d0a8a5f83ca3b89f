import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ISSUANCE } from '../../domain/credits/credits.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
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
  middle = await panel.below(top, { credits: 10 });
  bottom = await panel.below(middle, { credits: 4 });
  stranger = await panel.reseller({ credits: 9 });
});
afterAll(async () => {
  await expectBalancedBooks(panel.services.db);
  await panel?.stop();
});

const balance = async ({ client }: TestAccount) => (await client.get('/api/me')).body.credits;
const takeBack = (client: TestPanel['admin'], id: string, body: object) =>
  client.post(`/api/accounts/${id}/credits/take-back`, body);

describe('taking back', () => {
  test('brings what is unspent below, however deep, to the own balance', async () => {
    const before = await balance(top);
    const reply = await takeBack(top.client, bottom.id, { amount: 3, note: 'not needed' });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        account: { id: bottom.id, credits: 1 },
        transfer: {
          kind: 'take_back',
          from_id: bottom.id,
          to_id: top.id,
          amount: 3,
          actor_id: top.id,
          note: 'not needed',
        },
      },
    });
    expect([await balance(top), await balance(bottom)]).toEqual([before + 3, 1]);
  });

  test('by an administrator puts credits out of use', async () => {
    const reply = await takeBack(panel.admin, stranger.id, { amount: 2 });
    expect(reply.body.transfer).toMatchObject({ kind: 'take_back', to_id: ISSUANCE, note: null });
    expect(await balance(stranger)).toBe(7);
  });

  test('cannot take more than is there', async () => {
    const has = await balance(middle);
    expect(await takeBack(top.client, middle.id, { amount: has + 1 })).toMatchObject({
      status: 409,
      body: { message: `Insufficient credits. Required: ${has + 1}, Available: ${has}` },
    });
    expect(await balance(middle)).toBe(has);
  });

  test('twenty times at once what is there once', async () => {
    const poor = await panel.below(top, { credits: 5 });
    const before = await balance(top);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => takeBack(top.client, poor.id, { amount: 4 })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await balance(top), await balance(poor)]).toEqual([before + 4, 1]);
  });

  test('reaches nobody above, beside or oneself', async () => {
    const all = [top, middle, bottom, stranger];
    const before = await Promise.all(all.map(balance));
    for (const [from, id] of [
      [bottom, top.id],
      [middle, top.id],
      [stranger, bottom.id],
    ] as const) {
      expect(await takeBack(from.client, id, { amount: 1 })).toMatchObject({
        status: 404,
        body: { message: 'User not found' },
      });
    }
    expect((await takeBack(top.client, top.id, { amount: 1 })).status).toBe(422);
    expect((await takeBack(top.client, middle.id, { amount: 0 })).body.message).toBe(
      'Credits must be greater than 0',
    );
    expect(await Promise.all(all.map(balance))).toEqual(before);
  });
});

describe('setting a balance', () => {
  const set = (id: string, body: object, client = panel.admin) =>
    client.send('PUT', `/api/accounts/${id}/credits`, body, {
      'idempotency-key': crypto.randomUUID(),
    });
  const note = 'counted anew';

  test('is written as the signed difference, with the reason', { tags: ['spec:7.8'] }, async () => {
    const account = await panel.reseller({ credits: 10 });
    const raised = await set(account.id, { credits: 15, note });
    expect(raised).toMatchObject({
      status: 200,
      body: {
        account: { id: account.id, credits: 15 },
        transfer: { kind: 'adjustment', from_id: ISSUANCE, to_id: account.id, amount: 5, note },
      },
    });
    const lowered = await set(account.id, { credits: 0, note });
    expect(lowered.body).toMatchObject({
      account: { credits: 0 },
      transfer: { kind: 'adjustment', from_id: account.id, to_id: ISSUANCE, amount: 15 },
    });
    expect(await balance(account)).toBe(0);
  });

  test('to what it is moves nothing', async () => {
    const account = await panel.reseller({ credits: 6 });
    const { body } = await set(account.id, { credits: 6, note });
    expect(body).toMatchObject({ account: { credits: 6 }, transfer: null });
  });

  test('side by side with a purchase loses neither', async () => {
    const account = await panel.reseller({ credits: 10 });
    await Promise.all([
      ...Array.from({ length: 8 }, () => set(account.id, { credits: 30, note })),
      ...Array.from({ length: 8 }, () => takeBack(panel.admin, account.id, { amount: 1 })),
    ]);
    expect(await balance(account)).toBeGreaterThanOrEqual(22);
    await expectBalancedBooks(panel.services.db);
  });

  test.each([
    [{ credits: -1, note: 'x' }, 422, 'Credits cannot be negative'],
    [{ credits: 1.5, note: 'x' }, 422, 'Enter a whole number'],
    [{ credits: 1 }, 422, 'Some fields are wrong or missing'],
  ])('%j is refused', { tags: ['spec:5.20'] }, async (body, status, message) => {
    expect(await set(stranger.id, body)).toMatchObject({ status, body: { message } });
  });

  test('is for administrators, of accounts there are', async () => {
    expect((await set(middle.id, { credits: 99, note }, top.client)).status).toBe(403);
    expect(await set(crypto.randomUUID(), { credits: 1, note })).toMatchObject({
      status: 404,
      body: { message: 'User not found' },
    });
  });
});

describe('what an account bought, redeemed or got from administrators stays with it', () => {
  const most = async ({ client }: TestAccount, id: string) =>
    (await client.get(`/api/accounts/${id}/figures`)).body.from_above;
  const issue = (id: string, amount: number) =>
    panel.admin.post(`/api/accounts/${id}/credits`, { amount });
  const redeem = async ({ client }: TestAccount, credits: number) => {
    const made = await panel.admin.post('/api/redeem-codes', { credits });
    const [{ code }] = made.body.codes;
    expect((await client.post('/api/redeem', { code })).status).toBe(200);
  };
  const notFromAbove = (amount: number) => ({
    status: 409,
    body: { code: 'NOT_FROM_ABOVE', data: { most: amount } },
  });

  test('beside what came from above, which can be taken back', async () => {
    const parent = await panel.reseller({ credits: 50 });
    const child = await panel.below(parent, { credits: 10 });
    await redeem(child, 7);
    await issue(child.id, 5);
    expect(await most(parent, child.id)).toBe(10);
    // The child sees its own figures too, and can withdraw nothing from itself.
    expect(await most(child, child.id)).toBe(0);
    expect(await takeBack(parent.client, child.id, { amount: 11 })).toMatchObject(notFromAbove(10));
    expect((await takeBack(parent.client, child.id, { amount: 4 })).status).toBe(200);
    expect(await takeBack(parent.client, child.id, { amount: 7 })).toMatchObject(notFromAbove(6));
    expect((await takeBack(parent.client, child.id, { amount: 6 })).status).toBe(200);
    expect(await takeBack(parent.client, child.id, { amount: 1 })).toMatchObject(notFromAbove(0));
    expect(await balance(child)).toBe(12);
    expect((await takeBack(panel.admin, child.id, { amount: 12 })).status).toBe(200);
  });

  test('also after what came from above was spent; what comes later can be taken back', async () => {
    const parent = await panel.reseller({ credits: 50 });
    const child = await panel.below(parent, { credits: 10 });
    const grandchild = await panel.below(child, { credits: 10 });
    await redeem(child, 7);
    expect(await takeBack(parent.client, child.id, { amount: 1 })).toMatchObject(notFromAbove(0));
    await child.client.post(`/api/accounts/${grandchild.id}/credits`, { amount: 7 });
    expect(await balance(child)).toBe(0);
    await parent.client.post(`/api/accounts/${child.id}/credits`, { amount: 3 });
    await redeem(child, 2);
    expect(await most(parent, child.id)).toBe(3);
    expect(await takeBack(parent.client, child.id, { amount: 4 })).toMatchObject(notFromAbove(3));
    expect((await takeBack(parent.client, child.id, { amount: 3 })).status).toBe(200);
    // Of the seventeen credits of the grandchild, ten came from the parent, and seven were the child's.
    expect(await most(parent, grandchild.id)).toBe(10);
    expect(await most(child, grandchild.id)).toBe(17);
  });

  test('from those further above, also after it was given on', async () => {
    const parent = await panel.reseller({ credits: 50 });
    const child = await panel.below(parent, { credits: 10 });
    const grandchild = await panel.below(child);
    await redeem(child, 30);
    const give = (amount: number) =>
      child.client.post(`/api/accounts/${grandchild.id}/credits`, { amount });
    expect((await takeBack(parent.client, child.id, { amount: 10 })).status).toBe(200);
    await give(10);
    expect(await most(parent, grandchild.id)).toBe(0);
    expect(await takeBack(parent.client, grandchild.id, { amount: 10 })).toMatchObject(
      notFromAbove(0),
    );
    await parent.client.post(`/api/accounts/${child.id}/credits`, { amount: 4 });
    await give(10);
    await parent.client.post(`/api/accounts/${grandchild.id}/credits`, { amount: 2 });
    expect(await most(parent, grandchild.id)).toBe(6);
    expect(await takeBack(parent.client, grandchild.id, { amount: 7 })).toMatchObject(
      notFromAbove(6),
    );
    expect((await takeBack(parent.client, grandchild.id, { amount: 6 })).status).toBe(200);
    expect(await most(parent, grandchild.id)).toBe(0);
    expect(await most(child, grandchild.id)).toBe(16);
    expect((await takeBack(child.client, grandchild.id, { amount: 16 })).status).toBe(200);
  });

  test('side by side with what the account spends', async () => {
    for (let round = 0; round < 5; round++) {
      const parent = await panel.reseller({ credits: 50 });
      const child = await panel.below(parent, { credits: 10 });
      const grandchild = await panel.below(child);
      await redeem(child, 10);
      await Promise.all([
        ...Array.from({ length: 10 }, () => takeBack(parent.client, child.id, { amount: 2 })),
        ...Array.from({ length: 3 }, () =>
          child.client.post(`/api/accounts/${grandchild.id}/credits`, { amount: 2 }),
        ),
      ]);
      const taken = (await balance(parent)) - 40;
      const spent = await balance(grandchild);
      // Spending uses the credits from above first, so at most the rest of the ten can be withdrawn.
      expect(taken).toBeLessThanOrEqual(10);
      expect(taken + spent).toBeGreaterThanOrEqual(10);
      expect(await balance(child)).toBe(20 - taken - spent);
    }
  });
});
