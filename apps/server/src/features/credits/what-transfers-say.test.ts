import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import papaparse from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { runBulk } from '../../testing/jobs.ts';
import { newLine } from '../../testing/lines.ts';
import {
  databases,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

describe.each(databases)('what transfers say on %s', (kind) => {
  let panel: TestPanel;
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let today: string;
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel(kind);
    await panel.addServer(agent.url);
    today = panel.services.today();
  });
  afterAll(async () => {
    await panel?.stop();
    await agent?.close();
  });

  /**
   * Lists the transfers of one account, which one statement reads, and then with a filter, which
   * uses another statement. Both lists must be equal.
   */
  async function list(client: TestClient, account_id: string): Promise<ListedTransfer[]> {
    const path = `/api/credits/transfers?account_id=${account_id}`;
    const [whole, filtered] = await Promise.all([
      client.get(path),
      client.get(`${path}&from=2000-01-01`),
    ]);
    expect(whole.body.items).toEqual(filtered.body.items);
    return whole.body.items;
  }

  async function sell({ client }: TestAccount, name: string, months: number) {
    const body = newLine(name, { subscription_months: months });
    return (await client.post('/api/lines', body)).body.line as { id: string; expiry_date: string };
  }

  const terms = (rows: ListedTransfer[]) =>
    rows.map(({ kind: one, username, months, expiry_date }) => [
      one,
      username,
      months,
      expiry_date,
    ]);

  test('a sale and every way to renew name their months and the line’s new last day', async () => {
    const seller = await panel.reseller({ credits: 200 });
    const { id } = await sell(seller, 'term', 12);
    const { client } = seller;
    await client.post(`/api/lines/${id}/renew`, { subscription_months: 3 });
    const after = addMonths(today, 15);
    // Thirteen months include all transfers of the line.
    await client.patch(`/api/lines/${id}`, { expiry_date: addDays(addMonths(after, 12), 3) });
    await runBulk(client, { action: 'renew', ids: [id], subscription_months: 1 });
    const row = newLine('imported', { subscription_months: '6', row: undefined });
    await runBulk(client, { action: 'import', rows: [row] });
    const dated = addDays(addMonths(after, 12), 3);
    expect(terms(await list(client, seller.id))).toEqual([
      ['sale', 'imported', 6, addMonths(today, 6)],
      ['renewal', 'term', 1, addMonths(dated, 1)],
      ['renewal', 'term', 13, dated],
      ['renewal', 'term', 3, after],
      ['sale', 'term', 12, addMonths(today, 12)],
      ['mint', null, null, null],
    ]);
  });

  test('a refund names what it refunds, which is marked', async () => {
    const seller = await panel.reseller({ credits: 10 });
    await sell(seller, 'back', 6);
    const [sale] = await list(seller.client, seller.id);
    expect(sale).toMatchObject({ refunds: null, refunded_at: null, is_refundable: true });
    await panel.admin.post(`/api/credits/transfers/${sale?.id}/refund`, {});
    const [refund, refunded] = await list(seller.client, seller.id);
    expect(refund).toMatchObject({
      kind: 'refund',
      username: 'back',
      months: 6,
      expiry_date: addMonths(today, 6),
      refund_of: sale?.id,
      refunds: { kind: 'sale', created_at: sale?.created_at },
      refunded_at: null,
      is_refundable: false,
    });
    expect(refunded).toMatchObject({
      id: sale?.id,
      refunds: null,
      refunded_at: refund?.created_at,
      is_refundable: false,
    });
    expect(Object.keys(refund ?? {})).not.toContain('refunded_kind');
  });

  test('a redeemed code is named to who redeemed it and to administrators alone', async () => {
    const above = await panel.reseller({ credits: 5 });
    const seller = await panel.below(above);
    const [code] = (await panel.admin.post('/api/redeem-codes', { credits: 4, max_uses: 2 })).body
      .codes;
    await seller.client.post('/api/redeem', { code: code.code });
    const codes = async (client: TestClient) =>
      (await list(client, seller.id)).map((row) => `${row.kind} ${row.code}`);
    expect(await codes(seller.client)).toEqual([`redeem ${code.code}`]);
    expect(await codes(panel.admin)).toEqual([`redeem ${code.code}`]);
    // The code can be redeemed once more.
    expect(await codes(above.client)).toEqual(['redeem null']);
    const { body } = await above.client.get('/api/credits/transfers/csv');
    expect(body).not.toContain(code.code);
  });

  test('the CSV says the same', async () => {
    const seller = await panel.reseller({ credits: 10 });
    await sell(seller, 'file', 3);
    const [sale] = await list(seller.client, seller.id);
    await panel.admin.post(`/api/credits/transfers/${sale?.id}/refund`, {});
    const [code] = (await panel.admin.post('/api/redeem-codes', { credits: 4 })).body.codes;
    await seller.client.post('/api/redeem', { code: code.code });
    const { body } = await seller.client.get('/api/credits/transfers/csv');
    const { data } = papaparse.parse<Record<string, string>>(String(body).slice(1).trim(), {
      header: true,
    });
    const [redeemed, refund] = await list(seller.client, seller.id);
    expect(redeemed?.code).toBe(code.code);
    const none = { months: '', expiry_date: '', code: '', refunds: '', refunded_at: '' };
    const term = { months: '3', expiry_date: addMonths(today, 3) };
    expect(data).toMatchObject([
      { ...none, kind: 'redeem', code: code.code },
      {
        ...none,
        ...term,
        kind: 'refund',
        refunds: 'sale',
        refunds_created_at: sale?.created_at,
      },
      { ...none, ...term, kind: 'sale', refunded_at: refund?.created_at },
      { ...none, kind: 'mint' },
    ]);
  });

  test('what was paid for is never changed', async () => {
    const { db } = panel.services;
    for (const statement of ['update sold_terms set months = 1', 'delete from sold_terms']) {
      await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only');
    }
  });
});
