// @module-tag thorough
import { beforeAll, describe, expect, test } from 'vitest';
import { SALES } from '../../domain/credits/credits.ts';
import type { TestReply } from '../../testing/client.ts';
import { expectBalancedBooks, transfersOf } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import { databases, startTestShop, type TestPanel } from '../../testing/panel.ts';

/** The embedded database runs one statement at a time, so a small number is enough there. */
const sizes = { postgres: 24, embedded: 8 };

function sorted(replies: TestReply[]): { sold: TestReply[]; refused: TestReply[] } {
  return {
    sold: replies.filter(({ status }) => status === 201),
    refused: replies.filter(({ status }) => status !== 201),
  };
}

describe.each(databases)('requests side by side on %s', (kind) => {
  let panel: TestPanel;
  const many = sizes[kind];
  beforeAll(async () => {
    const shop = await startTestShop(kind);
    panel = shop.panel;
    return shop.stop;
  });

  function atOnce(count: number, send: (index: number) => Promise<TestReply>) {
    return Promise.all(Array.from({ length: count }, (_, index) => send(index)));
  }

  test('with credits for one line sell exactly one', async () => {
    const { client, id } = await panel.reseller({ credits: 3 });
    const { sold, refused } = sorted(
      await atOnce(many, (index) => client.post('/api/lines', newLine(`spend${index}`))),
    );
    expect(sold).toHaveLength(1);
    expect(sold[0]?.body).toMatchObject({ cost: 2, credits: 1, sync: { ok: true } });
    expect(refused).toHaveLength(many - 1);
    for (const { status, body } of refused) {
      expect([status, body.message]).toEqual([
        409,
        'Insufficient credits. Required: 2, Available: 1',
      ]);
    }
    const transfers = await transfersOf(panel.services.db, id);
    expect(transfers.filter(({ to_id }) => to_id === SALES)).toHaveLength(1);
    expect((await client.get('/api/lines/counts')).body.all).toBe(1);
    await expectBalancedBooks(panel.services.db);
  });

  test('for one name sell it once and debit once', { tags: ['spec:3.10'] }, async () => {
    const sellers = await Promise.all([panel.reseller(), panel.reseller()]);
    const { sold, refused } = sorted(
      await atOnce(many, (index) => {
        const seller = sellers[index % 2];
        return seller!.client.post('/api/lines', newLine('wanted-by-all'));
      }),
    );
    expect(sold).toHaveLength(1);
    expect(new Set(refused.map(({ body }) => body.message))).toEqual(
      new Set(['Username already exists. Please choose a different username.']),
    );
    const balances = await Promise.all(
      sellers.map(async ({ client }) => (await client.get('/api/me')).body.credits),
    );
    expect(balances.sort()).toEqual([100, 98]);
    await expectBalancedBooks(panel.services.db);
  });

  test('that give, receive and spend the same credits keep the books balanced', async () => {
    const parent = await panel.reseller({ credits: 20 });
    const child = await panel.below(parent);
    const replies = await atOnce(many, (index) => {
      if (index % 4 === 0)
        return panel.admin.post(`/api/accounts/${parent.id}/credits`, { amount: 1 });
      if (index % 4 === 1) return child.client.post('/api/lines', newLine(`mixed${index}`));
      if (index % 4 === 2) return parent.client.post('/api/lines', newLine(`mixed${index}`));
      return parent.client.post(`/api/accounts/${child.id}/credits`, { amount: 3 });
    });
    const unexpected = replies.filter(({ status }) => ![200, 201, 409].includes(status));
    expect(unexpected.map(({ body }) => body)).toEqual([]);
    await expectBalancedBooks(panel.services.db);
    // All minted credits are either held by an account or spent.
    const held = await Promise.all(
      [parent, child].map(async ({ client }) => (await client.get('/api/me')).body.credits),
    );
    const spent = replies.reduce(
      (sum, { status, body }) => sum + (status === 201 ? body.cost : 0),
      0,
    );
    const minted = 20 + Math.ceil(many / 4);
    expect(held.reduce((sum, credits) => sum + credits, spent)).toBe(minted);
  });
});
