import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { firstPrices, type Price } from '@linekeeper/contract/pricing.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});
afterAll(() => panel?.stop());

const plan = `/api/plans/${STANDARD_PLAN}`;
const term = (months: number, credits: number, is_offered = true) => ({
  months,
  credits,
  is_offered,
});
const firstTerms = firstPrices.map(({ months, cost }) => term(months, cost));
const pricesOf = async (client: TestClient, query = ''): Promise<[number, number][]> =>
  (await client.get(`/api/credits/prices${query}`)).body.map(({ months, cost }: Price) => [
    months,
    cost,
  ]);
const factorList = async (client: TestClient, factor: number, name = `× ${factor}`) =>
  (await client.post('/api/price-lists', { name, factor })).body.price_list.id;

/** An account below another. */
async function below(seller: TestAccount): Promise<TestAccount> {
  const account = await panel.reseller({ credits: 0 });
  await panel.admin.patch(`/api/accounts/${account.id}`, { owner_id: seller.id });
  return account;
}

async function give(client: TestClient, account: TestAccount, price_list_id: string | null) {
  return client.patch(`/api/accounts/${account.id}`, { price_list_id });
}

describe('the prices of the panel', () => {
  test('are the specification’s at first, for everybody', async () => {
    const { body } = await panel.admin.get('/api/plans');
    expect(body.items).toEqual([
      {
        ...{
          id: STANDARD_PLAN,
          name: 'Standard',
          description: null,
          position: 0,
          is_offered: true,
        },
        ...{ serves: 'one', servers: [], terms: firstTerms, lines: 0 },
        updated_at: expect.any(String),
      },
    ]);
    const seller = await panel.reseller();
    expect(await pricesOf(seller.client)).toEqual(firstPrices.map((one) => [one.months, one.cost]));
    expect(await pricesOf(panel.admin)).toEqual(await pricesOf(seller.client));
  });

  test('are added, changed, ordered and hidden by an administrator, and written down', async () => {
    const seller = await panel.reseller();
    const terms = [term(12, 11), term(1, 3), term(24, 15, false), term(2, 5)];
    expect(await panel.admin.patch(plan, { terms })).toMatchObject({
      status: 200,
      body: { plan: { terms } },
    });
    expect(await pricesOf(seller.client)).toEqual([
      [12, 11],
      [1, 3],
      [2, 5],
    ]);
    const quote = async (subscription_months: number) =>
      seller.client.post('/api/lines/quote', { action: 'create', subscription_months });
    expect((await quote(2)).body.cost).toBe(5);
    for (const months of [3, 24]) {
      expect(await quote(months)).toMatchObject({
        status: 422,
        body: { fields: { subscription_months: 'Choose a duration that is offered' } },
      });
    }
    const { items } = (await panel.admin.get('/api/audit?action=plan.edit')).body;
    expect(items[0]).toMatchObject({ before: { terms: firstTerms }, after: { terms } });
    expect((await panel.admin.patch(plan, { terms: firstTerms })).status).toBe(200);
  });

  test('are not overwritten by somebody who has not seen the last change', async () => {
    const { items } = (await panel.admin.get('/api/plans')).body;
    const seen = items[0].updated_at;
    const terms = [...firstTerms, term(36, 20)];
    const save = { terms, from_updated_at: seen };
    expect((await panel.admin.patch(plan, save)).status).toBe(200);
    expect(await panel.admin.patch(plan, { ...save, terms: firstTerms })).toMatchObject({
      status: 409,
      body: { code: 'PLAN_CHANGED_SINCE' },
    });
    expect((await panel.admin.patch(plan, { terms: firstTerms })).status).toBe(200);
  });

  test.each([
    [[], 'terms'],
    [[term(1, 2, false)], 'terms'],
    [[term(1, 0)], 'terms.0.credits'],
    [[term(1, 1.5)], 'terms.0.credits'],
    [[term(0, 2)], 'terms.0.months'],
    [[term(121, 2)], 'terms.0.months'],
    [[term(3, 2), term(3, 4)], 'terms.1.months'],
    [Array.from({ length: 21 }, (_, index) => term(index + 1, 2)), 'terms'],
    [[{ ...term(1, 2), cost: 1 }], 'terms.0.cost'],
  ])('are not %j', async (terms, field) => {
    const reply = await panel.admin.patch(plan, { terms });
    expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([422, [field]]);
  });

  test('are no seller’s to change', async () => {
    const seller = await panel.reseller();
    expect((await seller.client.patch(plan, { terms: firstTerms })).status).toBe(403);
    const { items } = (await seller.client.get('/api/plans')).body;
    expect(items).toMatchObject([{ name: 'Standard', terms: [], lines: null }]);
    const other = '/api/plans/00000000-0000-4000-8000-000000000011';
    expect(await panel.admin.patch(other, {})).toMatchObject({
      status: 404,
      body: { code: 'PLAN_NOT_FOUND' },
    });
  });
});

describe('a price list', () => {
  test('is a factor, rounded up to whole credits', async () => {
    const seller = await panel.reseller();
    expect((await give(panel.admin, seller, await factorList(panel.admin, 0.9))).status).toBe(200);
    expect(await pricesOf(seller.client)).toEqual([
      [1, 2],
      [3, 4],
      [6, 6],
      [12, 9],
      [24, 14],
    ]);
    expect((await give(panel.admin, seller, null)).status).toBe(200);
    expect(await pricesOf(seller.client)).toEqual(firstPrices.map((one) => [one.months, one.cost]));
  });

  test('has prices of its own for some terms, and the others as the panel has them', async () => {
    const seller = await panel.reseller();
    const terms = [{ plan_id: STANDARD_PLAN, months: 12, credits: 8 }];
    const { body } = await panel.admin.post('/api/price-lists', { name: 'Wholesale', terms });
    expect(body.price_list).toMatchObject({
      owner_id: null,
      factor: null,
      terms,
      account_count: 0,
    });
    await give(panel.admin, seller, body.price_list.id);
    expect(await pricesOf(seller.client)).toContainEqual([12, 8]);
    expect(await pricesOf(seller.client)).toContainEqual([24, 15]);
    const id = body.price_list.id;
    const byFactor = await panel.admin.patch(`/api/price-lists/${id}`, { factor: 2 });
    expect(byFactor.body.price_list).toMatchObject({ factor: 2, terms: [], account_count: 1 });
    expect(await pricesOf(seller.client)).toContainEqual([12, 20]);
  });

  test('is inherited by the accounts below, and asked for with its reason', async () => {
    const seller = await panel.reseller();
    const [child, grandchild] = [await below(seller), await panel.reseller({ credits: 0 })];
    await panel.admin.patch(`/api/accounts/${grandchild.id}`, { owner_id: child.id });
    const id = await factorList(panel.admin, 0.5, 'Partners');
    await give(panel.admin, seller, id);
    expect(await pricesOf(grandchild.client)).toContainEqual([12, 5]);
    const query = `/api/credits/prices?account_id=${grandchild.id}`;
    const { body } = await panel.admin.get(query);
    expect(body[0]).toMatchObject({ months: 1, cost: 1, from: { name: 'Partners' } });
    expect(body[3]).toEqual({
      ...{ plan_id: STANDARD_PLAN, months: 12, cost: 5 },
      from: { id, name: 'Partners' },
    });
    const own = (await child.client.get(query)).body[3];
    expect(own).toMatchObject({ cost: 5, from: null });
    expect((await grandchild.client.get(`/api/credits/prices?account_id=${child.id}`)).status).toBe(
      404,
    );
  });

  test('of a seller sets the prices below, never under its own', async () => {
    const seller = await panel.reseller();
    const child = await below(seller);
    await give(panel.admin, seller, await factorList(panel.admin, 0.9));
    const id = await factorList(seller.client, 1.2, 'Mine');
    expect((await give(seller.client, child, id)).status).toBe(200);
    // The price is 1.2 times the seller's 9, not 1.2 times the panel's 10.
    expect(await pricesOf(child.client)).toContainEqual([12, 11]);
    const tooLow = { terms: [{ plan_id: STANDARD_PLAN, months: 12, credits: 8 }] };
    for (const reply of [
      await seller.client.patch(`/api/price-lists/${id}`, tooLow),
      await seller.client.post('/api/price-lists', { name: 'Low', ...tooLow }),
    ]) {
      expect(reply).toMatchObject({
        status: 422,
        body: {
          fields: {
            'terms.0.credits': 'You pay 9 credits for this yourself. Enter at least that.',
          },
        },
      });
    }
    expect(
      (await seller.client.post('/api/price-lists', { name: 'Low', factor: 0.99 })).status,
    ).toBe(422);
    const atOwn = { terms: [{ plan_id: STANDARD_PLAN, months: 12, credits: 9 }] };
    expect((await seller.client.patch(`/api/price-lists/${id}`, atOwn)).status).toBe(200);
    expect(await pricesOf(child.client)).toContainEqual([12, 9]);
    // Later, the seller's own price rises above the price of its list.
    await give(panel.admin, seller, null);
    expect(await pricesOf(child.client)).toContainEqual([12, 10]);
  });

  test('of one seller is not another’s to see, give or change', async () => {
    const [seller, other] = [await panel.reseller(), await panel.reseller()];
    const [child, ofPanel] = [await below(other), await factorList(panel.admin, 0.1)];
    const id = await factorList(seller.client, 1.1);
    const missing = { status: 404, body: { code: 'PRICE_LIST_NOT_FOUND' } };
    expect((await other.client.get('/api/price-lists')).body.items).toEqual([]);
    for (const list of [id, ofPanel]) {
      expect(await give(other.client, child, list)).toMatchObject(missing);
      const path = `/api/price-lists/${list}`;
      expect(await other.client.patch(path, { factor: 1 })).toMatchObject(missing);
      expect(await other.client.delete(path)).toMatchObject(missing);
    }
    expect((await give(other.client, other, ofPanel)).status).toBe(422);
    const reader = await panel.reseller({ credits: 0, group_id: '3' });
    expect((await reader.client.get('/api/price-lists')).status).toBe(403);
  });

  test('of an account is not for those below it to take away, whatever they may change', async () => {
    const { body } = await panel.admin.post('/api/groups', {
      ...{ name: 'Managers', permissions: ['view_users', 'add_credits', 'manage_resellers'] },
    });
    const seller = await panel.reseller();
    const group_id = body.group.id;
    const manager = await panel.reseller({ credits: 0, group_id });
    await panel.admin.patch(`/api/accounts/${manager.id}`, { owner_id: seller.id });
    await give(panel.admin, seller, await factorList(panel.admin, 3));
    expect(await pricesOf(manager.client)).toContainEqual([1, 6]);
    for (const account of [seller, await panel.reseller()]) {
      expect(await give(manager.client, account, null)).toMatchObject({
        status: 422,
        body: { code: 'ABOVE_ONLY_FIELD' },
      });
      const limits = `/api/accounts/${account.id}/limits`;
      expect((await manager.client.send('PUT', limits, {})).status).toBe(404);
    }
  });

  test('does not go with an account that is moved away from its owner', async () => {
    const [seller, other] = [await panel.reseller(), await panel.reseller()];
    const child = await below(seller);
    await give(seller.client, child, await factorList(seller.client, 3));
    expect(await pricesOf(child.client)).toContainEqual([1, 6]);
    await panel.admin.patch(`/api/accounts/${child.id}`, { owner_id: other.id });
    expect(await pricesOf(child.client)).toContainEqual([1, 2]);
  });

  test('in use is not deleted, and is once nobody has it', async () => {
    const [seller, id] = [await panel.reseller(), await factorList(panel.admin, 0.7)];
    await give(panel.admin, seller, id);
    expect(await panel.admin.delete(`/api/price-lists/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'PRICE_LIST_IN_USE', data: { count: 1 } },
    });
    await give(panel.admin, seller, null);
    expect((await panel.admin.delete(`/api/price-lists/${id}`)).status).toBe(200);
    expect((await panel.admin.delete(`/api/price-lists/${id}`)).status).toBe(404);
  });

  test.each([
    [{}, 'name'],
    [{ name: 'A' }, 'factor'],
    [
      { name: 'A', factor: 1, terms: [{ plan_id: STANDARD_PLAN, months: 1, credits: 1 }] },
      'factor',
    ],
    [{ name: 'A', factor: 0 }, 'factor'],
    [{ name: 'A', factor: 0.005 }, 'factor'],
    [{ name: 'A', factor: 1.005 }, 'factor'],
    [{ name: 'A', factor: 101 }, 'factor'],
    [{ name: 'A', terms: [] }, 'terms'],
    [{ name: 'A', terms: [{ plan_id: STANDARD_PLAN, months: 1, credits: 0 }] }, 'terms.0.credits'],
  ])('is not made of %j', async (body, field) => {
    const reply = await panel.admin.post('/api/price-lists', body);
    expect([reply.status, Object.keys(reply.body.fields ?? {})[0]]).toEqual([422, field]);
  });
});
