import type { ListedTransfer } from '@linekeeper/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ISSUANCE, moveCredits, SALES } from '../../core/credits.ts';
import { transact } from '../../db/transaction.ts';
import type { TestClient } from '../../testing/client.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { withoutTriggers } from '../../testing/tamper.ts';

describe.each(databases)('transfers on %s', (kind) => {
  let panel: TestPanel;
  /** top → middle → bottom; beside them a stranger. */
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

  /** Follows the cursors to the end. */
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
      // It came to the one who asks.
      'take_back 5: middle 21',
      'sale 4: middle 16',
      'sale 2: bottom 15',
      'transfer 10: middle 20',
      // The giver stands above.
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
  });

  test('are filtered by days of the panel’s time zone, both included', async () => {
    // In Berlin the year began at 23:00.
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

  test.each(['from=yesterday', 'to=2026-02-30', 'kind=gift', 'account_id=me', 'sort=amount'])(
    '%s is refused',
    async (query) => {
      expect((await panel.admin.get(`/api/credits/transfers?${query}`)).status).toBe(422);
    },
  );

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
      // Nobody ever spent what was not there.
      expect(balance).toBeGreaterThanOrEqual(0);
    }
    expect((await busy.client.get('/api/me')).body.credits).toBe(balance);
  });
});
