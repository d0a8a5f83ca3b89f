import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../db/transaction.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import { charge } from '../../domain/credits/charge.ts';
import { newId } from '../../platform/ids.ts';
import type { TestClient } from '../../testing/client.ts';
import { runBulk, undoBulk } from '../../testing/jobs.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import {
  databases,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

const LINES = 23;

describe.each(databases)('transfers of one job on %s', (kind) => {
  let panel: TestPanel;
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let above: TestAccount;
  let seller: TestAccount;
  const ids: string[] = [];
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel(kind);
    await panel.addServer(agent.url);
    above = await panel.reseller({ credits: 1000 });
    seller = await panel.below(above, { credits: 500 });
    for (let nth = 0; nth < LINES; nth++) ids.push(await sell());
  });
  afterAll(async () => {
    await panel?.stop();
    await agent?.close();
  });

  let names = 0;
  async function sell(): Promise<string> {
    const { body } = await seller.client.post('/api/lines', newLine(`bundle${names++}`));
    return body.line.id;
  }
  const renew = (lines = ids) =>
    runBulk(seller.client, { action: 'renew', ids: lines, subscription_months: 1 });

  async function pages(client: TestClient, query: string, limit = 100): Promise<ListedTransfer[]> {
    const rows: ListedTransfer[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await client.get(
        `/api/credits/transfers?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`,
      );
      expect(status, JSON.stringify(body)).toBe(200);
      rows.push(...body.items);
      cursor = body.next_cursor;
    }
    return rows;
  }

  const told = (rows: readonly ListedTransfer[]) =>
    rows.map(({ kind, amount, bundle, balance_after }) =>
      bundle
        ? `${bundle.count} ${kind}s ${bundle.amount} -> ${balance_after}`
        : `${kind} ${amount} -> ${balance_after}`,
    );

  test('are one row with their sum, their number and the balance after them, which opens', async () => {
    const before = (await seller.client.get('/api/me')).body.credits;
    const { cost } = await renew();
    const job = await renew();
    const undo = await undoBulk(seller.client, job.id);
    expect([cost, undo.cost]).toEqual([2 * LINES, -2 * LINES]);
    const rows = await pages(seller.client, 'bundled=true');
    const after = before - 2 * LINES;
    expect(told(rows).slice(0, 4)).toEqual([
      `${LINES} refunds ${2 * LINES} -> ${after}`,
      `${LINES} renewals ${2 * LINES} -> ${after - 2 * LINES}`,
      `${LINES} renewals ${2 * LINES} -> ${after}`,
      // The lines were sold one by one, so each sale has a row.
      `sale 2 -> ${before}`,
    ]);
    expect(rows).toHaveLength(3 + LINES + 1);
    const opened = await pages(seller.client, `bundle_id=${rows[2]?.id}`, 5);
    expect(opened).toHaveLength(LINES);
    expect(new Set(opened.map(({ line_id }) => line_id))).toEqual(new Set(ids));
    expect(opened.map(({ balance_after }) => balance_after)).toEqual(
      opened.map((_, nth) => after + 2 * nth),
    );
    expect(opened.every(({ bundle }) => bundle === null)).toBe(true);
    await expectBalancedBooks(panel.services.db);
  });

  test('are one row where they were paid one by one, and two where another came between', async () => {
    const { db } = panel.services;
    const other = await panel.below(above, { credits: 40 });
    const actor = { id: other.id, is_admin: false } as SignedIn;
    const job_id = newId();
    const term = { months: 1, expiry_date: '2030-01-01' };
    const pay = (username: string) =>
      transact(db, (tx) =>
        charge(
          tx,
          actor,
          [{ kind: 'renewal', cost: 2, line_id: newId(), username, ...term }],
          job_id,
        ),
      );
    await pay('a');
    await pay('b');
    await Promise.all([pay('c'), pay('d'), pay('e')]);
    await above.client.post(`/api/accounts/${other.id}/credits`, { amount: 3 });
    await pay('f');
    await pay('g');
    expect(told(await pages(other.client, 'bundled=true'))).toEqual([
      '2 renewals 4 -> 29',
      'transfer 3 -> 33',
      '5 renewals 10 -> 30',
      'transfer 40 -> 40',
    ]);
  });

  test('are searched, filtered by kind and downloaded as ever', async () => {
    const [name] = await pages(seller.client, 'kind=renewal');
    const found = await pages(seller.client, `bundled=true&q=${name?.username}`);
    expect(found.length).toBeGreaterThan(2);
    expect(found.every(({ bundle }) => bundle === null)).toBe(true);
    expect(told(await pages(seller.client, 'bundled=true&kind=refund'))).toHaveLength(1);
    const { body } = await seller.client.get('/api/credits/transfers/csv?kind=refund');
    expect(String(body).trim().split('\n')).toHaveLength(LINES + 1);
    expect((await seller.client.get('/api/credits/transfers/csv?bundled=true')).status).toBe(422);
  });

  test('have the same balances for each reader, on pages of any size and in either order', async () => {
    await sell();
    await renew(ids.slice(0, 4));
    const readers = [
      [seller.client, 'bundled=true'],
      [above.client, `account_id=${seller.id}&bundled=true`],
      [above.client, `account_id=${seller.id}&bundled=true&from=2020-01-01`],
      [panel.admin, `account_id=${seller.id}&bundled=true`],
    ] as const;
    const [whole, ...others] = await Promise.all(
      readers.map(async ([client, query]) => told(await pages(client, query))),
    );
    for (const other of others) expect(other).toEqual(whole);
    const [client, query] = readers[1];
    expect(told(await pages(client, query, 2))).toEqual(whole);
    expect(told(await pages(client, `${query}&sort=created_at`, 3))).toEqual(whole?.toReversed());
    const single = await pages(seller.client, '');
    const first = await seller.client.get('/api/credits/transfers?bundled=true&limit=3');
    expect(first.body.total).toBe(whole?.length);
    const sum = (await pages(seller.client, 'bundled=true')).reduce(
      (count, { bundle }) => count + (bundle?.count ?? 1),
      0,
    );
    expect(sum).toBe(single.length);
    // The transfers of all accounts, in the order of the first transfer of each bundle.
    const all = await pages(panel.admin, 'bundled=true');
    expect(told(all)).toEqual(expect.arrayContaining(whole ?? []));
  });

  test('are not to be seen in a bundle of somebody else', async () => {
    const [theirs] = await pages(seller.client, 'bundled=true&kind=refund');
    const stranger = await panel.reseller({ credits: 5 });
    expect(await pages(stranger.client, `bundle_id=${theirs?.id}`)).toEqual([]);
    expect((await stranger.client.get('/api/credits/transfers?bundle_id=x')).status).toBe(422);
  });
});
