import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import { sql } from 'kysely';
import papaparse from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../db/transaction.ts';
import { ISSUANCE, moveCredits, SALES } from '../../domain/credits/credits.ts';
import type { TestClient } from '../../testing/client.ts';
import { withoutTriggers } from '../../testing/database/tamper.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

describe.each(databases)('transfers on %s', (kind) => {
  let panel: TestPanel;
  /** The accounts form a chain, top → middle → bottom; the stranger is outside it. */
  let top: TestAccount;
  let middle: TestAccount;
  let bottom: TestAccount;
  let stranger: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind, { TIME_ZONE: 'Europe/Berlin' });
    top = await panel.reseller({ credits: 100 });
    middle = await panel.below(top, { credits: 30 });
    bottom = await panel.below(middle);
    stranger = await panel.reseller({ credits: 5 });
    await give(top, bottom, 7);
    await give(middle, bottom, 10);
    await sell(bottom, 2);
    await sell(middle, 4);
    await bottom.client.post(`/api/accounts/${bottom.id}/credits`, { amount: 1 });
    await middle.client.post(`/api/accounts/${bottom.id}/credits/take-back`, { amount: 5 });
    await sell(bottom, 6);
    await sell(top, 10);
  });
  afterAll(() => panel?.stop());

  const give = (from: TestAccount, to: TestAccount, amount: number) =>
    from.client.post(`/api/accounts/${to.id}/credits`, { amount });

  function sell({ id }: TestAccount, amount: number) {
    const about = { kind: 'sale', from_id: id, to_id: SALES, amount, actor_id: id } as const;
    return transact(panel.services.db, (tx) => moveCredits(tx, about));
  }

  async function list(client: TestClient, query = ''): Promise<ListedTransfer[]> {
    const { status, body } = await client.get(`/api/credits/transfers?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.items;
  }

  /** Reads all pages of a list. */
  async function walk(client: TestClient, query: string): Promise<ListedTransfer[]> {
    const rows: ListedTransfer[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await client.get(
        `/api/credits/transfers?${query}${cursor && `&cursor=${cursor}`}`,
      );
      rows.push(...body.items);
      cursor = body.next_cursor;
    }
    return rows;
  }

  const told = (rows: ListedTransfer[]) =>
    rows.map((row) => `${row.kind} ${row.amount} -> ${row.balance_after}`);

  test('are those of the own subtree, newest first; an administrator sees all', async () => {
    expect(told(await list(bottom.client))).toEqual([
      'sale 6 -> 4',
      'take_back 5 -> 10',
      'sale 2 -> 15',
      'transfer 10 -> 17',
      'transfer 7 -> 7',
    ]);
    expect((await list(middle.client)).length).toBe(7);
    expect((await list(top.client)).length).toBe(9);
    expect((await list(panel.admin)).length).toBe(10);
    expect(told(await list(stranger.client))).toEqual(['mint 5 -> 5']);
  });

  test('show the own balance first, else the giver’s, never one that is not to be seen', async () => {
    const names = new Map([
      [top.id, 'top'],
      [middle.id, 'middle'],
      [bottom.id, 'bottom'],
    ]);
    const owners = (rows: ListedTransfer[]) =>
      rows.map(
        (row) =>
          `${row.kind} ${row.amount}: ${names.get(row.balance_of ?? '')} ${row.balance_after}`,
      );
    expect(owners(await list(middle.client))).toEqual([
      'sale 6: bottom 4',
      // The receiver is the calling account.
      'take_back 5: middle 21',
      'sale 4: middle 16',
      'sale 2: bottom 15',
      'transfer 10: middle 20',
      // The sender is above the calling account, so the receiver's balance is shown.
      'transfer 7: bottom 7',
      'transfer 30: middle 30',
    ]);
    expect(owners(await list(panel.admin)).slice(1, 3)).toEqual([
      'sale 6: bottom 4',
      'take_back 5: bottom 10',
    ]);
  });

  test('of one account show that account’s balance, whoever asks', async () => {
    for (const client of [panel.admin, top.client, middle.client]) {
      const rows = await list(client, `account_id=${middle.id}`);
      expect(told(rows)).toEqual([
        'take_back 5 -> 21',
        'sale 4 -> 16',
        'transfer 10 -> 20',
        'transfer 30 -> 30',
      ]);
      expect(new Set(rows.map((row) => row.balance_of))).toEqual(new Set([middle.id]));
    }
    for (const id of [top.id, stranger.id, crypto.randomUUID()]) {
      const { body } = await middle.client.get(`/api/credits/transfers?account_id=${id}`);
      expect(body).toMatchObject({ items: [], total: 0 });
    }
  });

  test('of issuance and sales have no balance', async () => {
    const rows = await list(panel.admin, `account_id=${SALES}`);
    expect(told(rows)).toEqual([
      'sale 10 -> null',
      'sale 6 -> null',
      'sale 4 -> null',
      'sale 2 -> null',
    ]);
    const before = await list(panel.admin, `account_id=${ISSUANCE}`);
    const { id } = (await panel.admin.get('/api/me')).body;
    await panel.admin.post(`/api/accounts/${id}/credits`, { amount: 3 });
    const [newest] = await list(panel.admin);
    expect(newest).toMatchObject({ to_id: id, balance_after: null, balance_of: null });
    expect(before).toHaveLength(2);
  });

  test('have the same balances on pages of any size, filtered and in either order', async () => {
    for (const [client, query] of [
      [panel.admin, ''],
      [top.client, ''],
      [middle.client, `account_id=${bottom.id}`],
      [top.client, 'kind=sale'],
    ] as const) {
      const whole = await list(client, query);
      expect(await walk(client, `${query}&limit=1`)).toEqual(whole);
      expect(await walk(client, `${query}&limit=3`)).toEqual(whole);
      expect(await walk(client, `${query}&limit=2&sort=created_at`)).toEqual(whole.toReversed());
    }
    expect(told(await list(top.client, 'kind=sale'))).toEqual([
      'sale 10 -> 53',
      'sale 6 -> 4',
      'sale 4 -> 16',
      'sale 2 -> 15',
    ]);
    const sold = await list(top.client, 'kind=sale');
    const given = await list(top.client, 'kind=transfer');
    expect(given.length).toBeGreaterThan(0);
    const both = await list(top.client, 'kind=transfer,sale');
    expect(both).toHaveLength(sold.length + given.length);
    expect(both).toEqual(expect.arrayContaining([...sold, ...given]));
  });

  test('are filtered by days of the panel’s time zone, both included', async () => {
    // In Berlin the year began at 23:00 UTC.
    const moments = [
      '2025-12-31T22:59:59.999Z',
      '2025-12-31T23:00:00Z',
      '2026-01-01T22:59:59.999Z',
    ];
    const account = await panel.reseller({ credits: 0 });
    await withoutTriggers(panel.services.db, async (tx) => {
      for (const [index, moment] of moments.entries()) {
        await sql`insert into credit_transfers (id, kind, from_id, to_id, amount, created_at)
          values (gen_random_uuid(), 'mint', ${ISSUANCE}, ${account.id}, ${index + 1}, ${moment})`.execute(
          tx,
        );
      }
      await sql`update auth_users set credits = 6 where id = ${account.id}`.execute(tx);
    });
    const amounts = async (query: string) =>
      (await list(account.client, query)).map(({ amount }) => amount);
    expect(await amounts('from=2026-01-01')).toEqual([3, 2]);
    expect(await amounts('to=31-12-2025')).toEqual([1]);
    expect(await amounts('from=2026-01-01&to=2026-01-01')).toEqual([3, 2]);
    expect(await amounts('from=2026-01-02')).toEqual([]);
    expect(told(await list(account.client, 'to=2025-12-31'))).toEqual(['mint 1 -> 1']);
  });

  test('are searched by note and by the name of the line', async () => {
    const { client, id } = await panel.reseller({ credits: 9 });
    await panel.admin.post(`/api/accounts/${id}/credits`, { amount: 2, note: '50% Rabatt' });
    await transact(panel.services.db, (tx) =>
      moveCredits(tx, {
        kind: 'sale',
        from_id: id,
        to_id: SALES,
        amount: 4,
        actor_id: id,
        username: 'Anna_1',
      }),
    );
    expect(told(await list(client, 'q=rabatt'))).toEqual(['mint 2 -> 11']);
    expect(told(await list(client, 'q=ANNA_'))).toEqual(['sale 4 -> 7']);
    expect(told(await list(client, 'q=0%25'))).toEqual(['mint 2 -> 11']);
    expect(await list(client, 'q=a%25')).toEqual([]);
  });

  test('name who acted and took part, as far as each may know, and the line where it is', async () => {
    const [given] = await list(middle.client, `account_id=${bottom.id}&kind=transfer&limit=1`);
    expect(given).toMatchObject({
      from_name: middle.email,
      to_name: bottom.email,
      actor_name: middle.email,
      line_exists: false,
      is_refundable: false,
    });
    const [received] = await list(bottom.client, 'kind=transfer&limit=1');
    expect(received).toMatchObject({
      from_name: null,
      to_name: bottom.email,
      actor_name: null,
    });
    const [sale] = await list(panel.admin, `kind=sale&account_id=${top.id}`);
    expect(sale).toMatchObject({ to_name: null, from_name: top.email, is_refundable: true });
    await panel.admin.post(`/api/credits/transfers/${sale?.id}/refund`, {});
    const [refund] = await list(panel.admin, 'kind=refund');
    expect(refund).toMatchObject({ refund_of: sale?.id, is_refundable: false });
    const refunded = (await list(panel.admin, `kind=sale&account_id=${top.id}`))[0];
    expect(refunded).toMatchObject({ id: sale?.id, is_refundable: false });
  });

  test('are downloaded as they are filtered, with no more than the list shows', async () => {
    const csv = async (client: TestClient, query: string) => {
      const { body } = await client.get(`/api/credits/transfers/csv?${query}`);
      const text = String(body).slice(1).trim();
      return papaparse.parse<Record<string, string>>(text, { header: true }).data;
    };
    const rows = await csv(bottom.client, 'kind=sale,transfer&sort=created_at');
    expect(rows).toMatchObject([
      { kind: 'transfer', from: '', to: bottom.email, amount: '7', balance_after: '7' },
      { kind: 'transfer', from: '', to: bottom.email, amount: '10', balance_after: '17' },
      { kind: 'sale', from: bottom.email, to: 'sales', amount: '2', balance_of: bottom.email },
      { kind: 'sale', from: bottom.email, to: 'sales', amount: '6', balance_after: '4' },
    ]);
    expect(await csv(stranger.client, `account_id=${bottom.id}`)).toEqual([]);
    const all = await csv(panel.admin, '');
    const { body } = await panel.admin.get('/api/credits/transfers?limit=100');
    expect(all.map(({ amount }) => Number(amount))).toEqual(
      body.items.map(({ amount }: ListedTransfer) => amount),
    );
  });

  test.each([
    'from=yesterday',
    'to=2026-02-30',
    'kind=gift',
    'kind=sale,',
    'account_id=me',
    'sort=amount',
  ])('%s is refused', async (query) => {
    expect((await panel.admin.get(`/api/credits/transfers?${query}`)).status).toBe(422);
  });

  test('made at once are told in the order in which they took effect', async () => {
    const busy = await panel.reseller({ credits: 3 });
    await Promise.allSettled([
      ...Array.from({ length: 12 }, () => sell(busy, 1)),
      ...Array.from({ length: 6 }, () =>
        panel.admin.post(`/api/accounts/${busy.id}/credits`, { amount: 1 }),
      ),
    ]);
    const rows = await list(busy.client);
    let balance = 0;
    for (const row of rows.toReversed()) {
      balance += row.to_id === busy.id ? row.amount : -row.amount;
      expect(row.balance_after).toBe(balance);
      // No balance was ever negative.
      expect(balance).toBeGreaterThanOrEqual(0);
    }
    expect((await busy.client.get('/api/me')).body.credits).toBe(balance);
  });
});
