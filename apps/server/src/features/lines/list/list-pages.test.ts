import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeLines } from '../../../testing/lines.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

type Row = { id: string; username: string; added_date: string; expiry_date: string };

describe.each(databases)('pages of lines on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  let serverId: string;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    seller = await panel.reseller({ credits: 0 });
    const { body } = await panel.admin.post('/api/servers', {
      server_name: 'S',
      host_ip: '10.1.2.3',
      port: 12000,
      username: 'panel',
      password: 'secret',
    });
    serverId = body.server.id;
    // Three dates among 23 lines, so most lines share their date with others.
    await storeLines(
      panel.services.db,
      seller.id,
      serverId,
      Array.from({ length: 23 }, (_, index) => ({
        username: `${['Z', 'a', 'ż', '_'][index % 4]}-${index}`,
        added_date: `2026-01-0${1 + (index % 3)}`,
        expiry_date: `2027-01-0${1 + (index % 2)}`,
      })),
    );
  });
  afterAll(() => panel?.stop());

  async function page(query: string) {
    const reply = await seller.client.get(`/api/lines?${query}`);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body as { items: Row[]; next_cursor: string | null; total: number | null };
  }

  /** Reads all pages; `between` runs after each. */
  async function walk(query: string, between = async (_: number) => {}): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = '';
    for (let number = 1; cursor !== null; number++) {
      const { items, next_cursor } = await page(`${query}${cursor && `&cursor=${cursor}`}`);
      rows.push(...items);
      cursor = next_cursor;
      await between(number);
    }
    return rows;
  }

  const inOrder = (rows: Row[], field: 'username' | 'added_date' | 'expiry_date', sign: 1 | -1) =>
    rows.toSorted((a, b) => {
      // Sorted by code point, as in the database: Z before a before ż.
      const [left, right] = [Buffer.from(a[field]), Buffer.from(b[field])];
      return sign * (Buffer.compare(left, right) || (a.id < b.id ? -1 : 1));
    });

  test.each(['username', 'added_date', 'expiry_date'] as const)(
    'sorted by %s, up and down, tied rows in a fixed order, none lost and none twice',
    async (field) => {
      const rows = await walk(`limit=4&sort=${field}`);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(23);
      expect(rows).toEqual(inOrder(rows, field, 1));
      expect(await walk(`limit=4&sort=-${field}`)).toEqual(inOrder(rows, field, -1));
    },
  );

  test('are newest first unless asked otherwise', { tags: ['spec:7.12'] }, async () => {
    const { items } = await page('limit=100');
    expect(items).toEqual(inOrder(items, 'added_date', -1));
  });

  test.each([1, 22, 23, 24])('of %i hold that many and end without a cursor', async (limit) => {
    const { items, next_cursor } = await page(`limit=${limit}`);
    expect(items).toHaveLength(Math.min(limit, 23));
    expect(next_cursor === null).toBe(limit >= 23);
  });

  test('count the total on the first page only, filters and all', async () => {
    const first = await page('limit=5');
    expect(first).toMatchObject({ total: 23, total_is_exact: true });
    expect(await page(`limit=5&cursor=${first.next_cursor}`)).toMatchObject({
      total: null,
      total_is_exact: null,
    });
    expect(await page('limit=1&q=a-')).toMatchObject({ total: 6, total_is_exact: true });
  });

  test('stay whole while lines are sold in between', async () => {
    const before = (await page('limit=100')).items.map(({ id }) => id);
    const rows = await walk('limit=3&sort=-added_date', async (number) => {
      await storeLines(panel.services.db, seller.id, serverId, [
        { username: `new-early-${number}`, added_date: '2025-01-01' },
        { username: `new-late-${number}`, added_date: '2026-12-31' },
        { username: `new-tied-${number}`, added_date: '2026-01-02' },
      ]);
      // The test fails instead of reading endlessly.
      if (number > 20) throw new Error('the pages never end');
    }).finally(() =>
      panel.services.db.deleteFrom('users').where('username', 'like', 'new-%').execute(),
    );
    const seen = rows.map(({ id }) => id);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(before));
  });

  test('a forged cursor is refused', async () => {
    const { next_cursor } = await page('limit=3&sort=-added_date');
    const forge = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const id = crypto.randomUUID();
    for (const query of [
      `sort=username&cursor=${next_cursor}`,
      `sort=added_date&cursor=${next_cursor}`,
      'cursor=nonsense',
      'cursor=bnVsbA',
      `cursor=${forge('-added_date', '2026-02-30', id)}`,
      `cursor=${forge('-added_date', "'; drop table users", id)}`,
      `cursor=${forge('-added_date', '2026-01-01', 'x'.repeat(36))}`,
      `cursor=${forge('-added_date', '2026-01-01', '-'.repeat(36))}`,
      `cursor=${forge('-added_date', 20260101, id)}`,
      `cursor=${forge('-added_date', '2026-01-01')}`,
      `sort=username&cursor=${forge('username', 'a\0', id)}`,
    ]) {
      expect(await seller.client.get(`/api/lines?${query}`), query).toMatchObject({
        status: 422,
        body: { code: 'INVALID_CURSOR', message: 'The page cursor is not valid' },
      });
    }
  });

  test('a limit outside of 1 to 100 and an unknown order are refused', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=ten', 'limit=']) {
      expect(await seller.client.get(`/api/lines?${query}`), query).toMatchObject({
        status: 422,
        body: { code: 'VALIDATION_FAILED', fields: { limit: expect.any(String) } },
      });
    }
    for (const sort of ['password', '-id', 'username desc', '']) {
      expect(await seller.client.get(`/api/lines?sort=${sort}`), sort).toMatchObject({
        status: 422,
        body: { fields: { sort: expect.any(String) } },
      });
    }
  });
});
