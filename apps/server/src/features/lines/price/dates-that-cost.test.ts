import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import { type SqlBool, sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { effects, jobEnd, previewBulk, requestBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { storeLines, storeTaken } from '../../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

describe('a date of one’s own', () => {
  let panel: TestPanel;
  let server: string;
  let seller: TestAccount;
  let today: string;
  let names = 0;
  beforeAll(async () => {
    const shop = await startTestShop();
    ({ panel, serverId: server } = shop);
    seller = await panel.reseller({ credits: 0 });
    today = panel.services.today();
    return shop.stop;
  });
  afterEach(() => expectBalancedBooks(panel.services.db));

  async function lineUntil(expiry_date: string, more: { is_trial?: boolean } = {}) {
    const row = { username: `dated${names++}`, expiry_date, ...more };
    const [id = ''] = await storeLines(panel.services.db, seller.id, server, [row]);
    await storeTaken(panel.services.db, server);
    return id;
  }
  const read = async (id: string) => (await panel.admin.get(`/api/lines/${id}`)).body;
  const owed = async (id: string) =>
    panel.services.db
      .selectFrom('server_accounts')
      .innerJoin('users', 'users.username', 'server_accounts.username')
      .select('server_accounts.username')
      .where('users.id', '=', id)
      .where(sql<SqlBool>`revision > synced_revision`)
      .execute();

  /** All ways in which a seller can set a date on an existing line. */
  const ways: Record<string, (id: string, expiry_date: string) => Promise<string | undefined>> = {
    'POST renew': async (id, expiry_date) =>
      codeOf(await seller.client.post(`/api/lines/${id}/renew`, { expiry_date })),
    PATCH: async (id, expiry_date) =>
      codeOf(await seller.client.patch(`/api/lines/${id}`, { expiry_date })),
    quote: async (line_id, expiry_date) =>
      codeOf(
        await seller.client.post('/api/lines/quote', { action: 'renew', line_id, expiry_date }),
      ),
    'bulk, by its preview': async (id, expiry_date) => {
      const job = await previewBulk(seller.client, {
        ...{ action: 'renew', ids: [id], expiry_date },
        include: ['trial'],
      });
      return job.items[0]?.error?.code;
    },
    bulk: async (id, expiry_date) => {
      // The file has another row that is refused for a different reason, so that the job as a whole is accepted.
      const { body } = await requestBulk(seller.client, {
        action: 'renew',
        ids: [id],
        expiry_date,
        include: ['trial'],
      });
      if (body.code !== 'NOTHING_TO_DO')
        return (await jobEnd(seller.client, body.job.id)).items[0]?.error?.code;
      return 'INVALID_EXPIRY_DATE';
    },
  };
  const codeOf = ({ status, body }: { status: number; body: { code?: string } }) =>
    status === 422 ? body.code : `${status}`;

  const dates = () => ({
    'an expired line, to today': [addDays(today, -1), today],
    'an expired line, to a day that is past': [addDays(today, -9), addDays(today, -3)],
    'a running line, to a day before its own': [addDays(today, 40), addDays(today, 20)],
    'a running line, to today': [addDays(today, 40), today],
    'a running line, to yesterday': [addDays(today, 40), addDays(today, -1)],
    'a line that ends today, to today': [today, today],
  });

  describe.each(Object.keys(ways))('%s', (way) => {
    test.each([
      'an expired line, to today',
      'an expired line, to a day that is past',
      'a running line, to a day before its own',
      'a running line, to today',
      'a running line, to yesterday',
      'a line that ends today, to today',
    ] as const)('does not move %s', async (what) => {
      const [from = '', to = ''] = dates()[what];
      const id = await lineUntil(from);
      const before = await read(id);
      // A change to the same date is no change, and has its own reply.
      const isNoMove = way === 'PATCH' && from === to;
      expect(await ways[way]?.(id, to)).toBe(isNoMove ? '200' : 'INVALID_EXPIRY_DATE');
      expect({ ...(await read(id)), updated_at: '' }).toEqual({ ...before, updated_at: '' });
      expect(await owed(id)).toEqual([]);
    });

    test('does not end a trial early', async () => {
      const id = await lineUntil(addDays(today, 2), { is_trial: true });
      expect(await ways[way]?.(id, addDays(today, 1))).toBe('INVALID_EXPIRY_DATE');
      expect(await read(id)).toMatchObject({ is_trial: true, expiry_date: addDays(today, 2) });
    });
  });

  test('is not free for a single day: a line at its end costs a month', async () => {
    const rich = await panel.reseller({ credits: 10 });
    const [id = ''] = await storeLines(panel.services.db, rich.id, server, [
      { username: `dated${names++}`, expiry_date: addDays(today, -1) },
    ]);
    const expiry_date = addDays(today, 1);
    const quote = { action: 'renew', line_id: id, expiry_date };
    expect((await rich.client.post('/api/lines/quote', quote)).body.cost).toBe(2);
    const reply = await rich.client.post(`/api/lines/${id}/renew`, { expiry_date });
    expect(reply.body).toMatchObject({ cost: 2, credits: 8, line: { expiry_date } });
    const broke = await seller.client.post(`/api/lines/${await lineUntil(today)}/renew`, {
      expiry_date,
    });
    expect(broke).toMatchObject({ status: 409, body: { code: 'INSUFFICIENT_CREDITS' } });
  });

  test('is an administrator’s to set, backwards too', async () => {
    const id = await lineUntil(addMonths(today, 12));
    for (const expiry_date of [addDays(today, 5), today, addDays(today, -30), today]) {
      const { status, body } = await panel.admin.post(`/api/lines/${id}/renew`, {
        expiry_date,
        may_shorten: true,
      });
      expect([status, body.cost, body.line.expiry_date]).toEqual([200, 0, expiry_date]);
    }
  });

  test('that repeats the old one beside other changes is no move', async () => {
    for (const expiry_date of [addDays(today, -5), today, addDays(today, 5)]) {
      const id = await lineUntil(expiry_date);
      const reply = await seller.client.patch(`/api/lines/${id}`, { expiry_date, notes: 'called' });
      expect(reply).toMatchObject({ status: 200, body: { cost: 0, line: { notes: 'called' } } });
      expect(reply.body.line.expiry_date).toBe(expiry_date);
    }
  });

  const fileOf = (...rows: object[]) => ({
    action: 'import',
    rows: rows.map((row, index) => ({
      username: `filed${names}-${index}`,
      password: 'pw',
      ...row,
    })),
  });

  test('in a file costs what covers it, as the preview says, and is taken back whole', async () => {
    const payer = await panel.reseller({ credits: 30 });
    const days = [
      addDays(today, 1),
      addMonths(today, 1),
      addMonths(today, 9),
      addMonths(today, 13),
    ];
    const file = fileOf(...days.map((expiry_date) => ({ expiry_date })));
    const preview = await previewBulk(payer.client, file);
    expect(preview.items.map(({ cost }) => cost)).toEqual([2, 2, 10, 12]);
    expect(preview).toMatchObject({ cost: 26, credits_after: 4 });
    const { body } = await requestBulk(payer.client, file);
    const job = await jobEnd(payer.client, body.job.id);
    expect(job).toMatchObject({ done: 4, cost: 26, credits: 4 });
    expect(effects(job)).toEqual(effects(preview));
    for (const [index, { line_id }] of job.items.entries()) {
      expect(await read(line_id ?? '')).toMatchObject({
        expiry_date: days[index],
        subscription_months: null,
      });
    }
    const undo = await payer.client.post(`/api/jobs/${body.job.id}/undo`);
    expect(await jobEnd(payer.client, undo.body.job.id)).toMatchObject({ done: 4, cost: -26 });
    expect((await payer.client.get('/api/me')).body.credits).toBe(30);
  });

  test.each([
    ['today', () => ({ expiry_date: today }), 'INVALID_EXPIRY_DATE'],
    ['a day that is past', () => ({ expiry_date: addDays(today, -1) }), 'INVALID_EXPIRY_DATE'],
    ['a day after 31-12-2099', () => ({ expiry_date: '01-01-2100' }), 'INVALID_EXPIRY_DATE'],
    [
      'a day and months at once',
      () => ({ expiry_date: addMonths(today, 24), subscription_months: 1 }),
      'MONTHS_OR_DATE',
    ],
    [
      'a day of a trial',
      () => ({ expiry_date: addDays(today, 9), is_trial: true }),
      'ADMIN_ONLY_FIELD',
    ],
  ])('in a file is not %s', async (_, row, code) => {
    const job = await previewBulk(seller.client, fileOf(row()));
    expect(job.items[0]?.error).toMatchObject({ code, field: 'expiry_date' });
  });

  test('in a file of an administrator is as given, for nothing', async () => {
    const days = [addDays(today, -9), addMonths(today, 30), '2099-12-31'];
    const file = fileOf(...days.map((expiry_date) => ({ expiry_date })), {
      expiry_date: '2100-01-01',
    });
    const job = await previewBulk(panel.admin, file);
    expect(job.items.map(({ after }) => after?.expiry_date)).toEqual([...days, undefined]);
    expect(job).toMatchObject({ cost: 0, skipped: 1 });
  });

  test('of one who is no administrator any more is not set by taking a job back', async () => {
    const boss = await panel.reseller({ credits: 0, group_id: '1' });
    const [id = ''] = await storeLines(panel.services.db, boss.id, server, [
      { username: `dated${names++}`, expiry_date: addMonths(today, 24) },
    ]);
    const shorter = {
      action: 'renew',
      ids: [id],
      expiry_date: addDays(today, 1),
      may_shorten: true,
    };
    const { body } = await requestBulk(boss.client, shorter);
    await jobEnd(boss.client, body.job.id);
    expect((await read(id)).expiry_date).toBe(addDays(today, 1));
    const { db } = panel.services;
    await db.updateTable('auth_users').set({ group_id: '2' }).where('id', '=', boss.id).execute();
    const undo = await boss.client.post(`/api/jobs/${body.job.id}/undo`);
    const job = await jobEnd(boss.client, undo.body.job.id);
    expect(job.items[0]?.error?.code).toBe('INVALID_EXPIRY_DATE');
    expect((await read(id)).expiry_date).toBe(addDays(today, 1));
  });

  test('an expired line that was renewed is not taken back for its credits', async () => {
    const payer = await panel.reseller({ credits: 4 });
    const row = { username: `dated${names++}`, expiry_date: addDays(today, -3) };
    const [expired = ''] = await storeLines(panel.services.db, payer.id, server, [row]);
    const [active = ''] = await storeLines(panel.services.db, payer.id, server, [
      { username: `dated${names++}`, expiry_date: addDays(today, 1) },
    ]);
    const renewal = { action: 'renew', ids: [expired, active], subscription_months: 1 };
    const { body } = await requestBulk(payer.client, renewal);
    await jobEnd(payer.client, body.job.id);
    const undo = await payer.client.post(`/api/jobs/${body.job.id}/undo`);
    const { items, cost } = await jobEnd(payer.client, undo.body.job.id);
    const errorOf = (id: string) => items.find(({ line_id }) => line_id === id)?.error;
    expect(errorOf(expired)?.code).toBe('UNDO_WOULD_EXPIRE');
    expect(errorOf(active)).toBeNull();
    expect(cost).toBe(-2);
    expect((await read(expired)).expiry_date).toBe(addMonths(today, 1));
    expect((await payer.client.get('/api/me')).body.credits).toBe(2);
  });
});
