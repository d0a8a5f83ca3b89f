import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobEnd, previewBulk, requestBulk, runBulk, undoBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { storeLines } from '../../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';

let shop: Awaited<ReturnType<typeof startTestShop>>;
let panel: TestPanel;
let seller: TestAccount;
let today: string;
let names = 0;
beforeAll(async () => {
  shop = await startTestShop();
  ({ panel } = shop);
  today = panel.services.today();
  seller = await panel.reseller({ credits: 20 });
});
afterAll(() => shop?.stop());

const label = (text: string) => JSON.stringify([{ label: text, color: 'info' }]);

async function lines(...rows: object[]): Promise<string[]> {
  const all = rows.map((row) => ({ username: `days-${names++}`, ...row }));
  return storeLines(panel.services.db, seller.id, shop.serverId, all);
}
const read = async (id: string) => (await panel.admin.get(`/api/lines/${id}`)).body;
const daysOf = (ids: string[], more: object = {}) => ({ action: 'renew', ids, days: 3, ...more });
const allKinds = ['expired', 'suspended', 'trial'];

/** Creates lines of all kinds: active, expired, suspended, a trial, and one that is all of these. */
const mixed = () =>
  lines(
    { expiry_date: addDays(today, 10) },
    { expiry_date: addDays(today, -5) },
    { expiry_date: addDays(today, 10), status: label('suspended') },
    { expiry_date: addDays(today, 1), is_trial: true },
    { expiry_date: addDays(today, -1), is_trial: true, status: label('suspended') },
  );

test('more days leave out expired, suspended and trial lines, by name and number', async () => {
  const ids = await mixed();
  const job = await previewBulk(panel.admin, daysOf(ids));
  expect(job.kinds).toEqual({ expired: 2, suspended: 2, trial: 2 });
  expect(job.items.map(({ error }) => error?.code ?? null)).toEqual([
    null,
    'LEFT_OUT_EXPIRED',
    'LEFT_OUT_SUSPENDED',
    'LEFT_OUT_TRIAL',
    'LEFT_OUT_EXPIRED',
  ]);
  expect(job.items[0]).toMatchObject({ after: { expiry_date: addDays(today, 13) }, cost: 0 });
  await runBulk(panel.admin, daysOf(ids));
  const after = await Promise.all(ids.map(async (id) => (await read(id)).expiry_date));
  const left = [10, -5, 10, 1, -1].map((days) => addDays(today, days));
  expect(after).toEqual([addDays(today, 13), ...left.slice(1)]);
});

test('each kind gets them if it is chosen: from today where it has expired, and stays what it is', async () => {
  const ids = await mixed();
  const one = await previewBulk(panel.admin, daysOf(ids, { include: ['trial', 'expired'] }));
  expect(one.items.map(({ state }) => state)).toEqual([
    'waiting',
    'waiting',
    'skipped',
    'waiting',
    'skipped',
  ]);
  expect(one.kinds).toEqual({ expired: 2, suspended: 2, trial: 2 });
  const done = await runBulk(panel.admin, daysOf(ids, { include: allKinds }));
  expect(done).toMatchObject({ done: 5, cost: 0 });
  const after = await Promise.all(ids.map(read));
  expect(after.map(({ expiry_date }) => expiry_date)).toEqual(
    [13, 3, 13, 4, 3].map((days) => addDays(today, days)),
  );
  expect(after.map(({ is_trial }) => is_trial)).toEqual([false, false, false, true, true]);
  expect(after.map(({ suspension }) => suspension !== null)).toEqual([
    false,
    false,
    true,
    false,
    true,
  ]);
  await undoBulk(panel.admin, done.id ?? '');
  const back = await Promise.all(ids.map(async (id) => (await read(id)).expiry_date));
  expect(back).toEqual([10, -5, 10, 1, -1].map((days) => addDays(today, days)));
  await expectBalancedBooks(panel.services.db);
});

test.each([
  ['a reseller', { days: 3 }, { days: 'Only an administrator can set this field' }],
  [
    'months beside them',
    { days: 3, subscription_months: 1 },
    { subscription_months: expect.any(String) },
  ],
  [
    'a day beside them',
    { days: 3, expiry_date: '2099-01-01' },
    { subscription_months: expect.any(String) },
  ],
  ['none', { days: 0 }, { days: 'Invalid value' }],
  ['parts of one', { days: 1.5 }, { days: 'Invalid value' }],
  ['more than a year of them', { days: 367 }, { days: 'Invalid value' }],
  [
    'kinds without them',
    { subscription_months: 1, include: ['expired'] },
    { include: 'Invalid value' },
  ],
  ['a kind that is none', { days: 3, include: ['vip'] }, { 'include.0': 'Invalid value' }],
])('more days are refused: %s', async (what, more, fields) => {
  const ids = await lines({ expiry_date: addDays(today, 10) });
  const client = what === 'a reseller' ? seller.client : panel.admin;
  for (const preview of [true, false]) {
    const reply = await requestBulk(client, { action: 'renew', ids, ...more, preview });
    expect([reply.status, reply.body.fields]).toEqual([422, fields]);
  }
  expect((await read(ids[0] ?? '')).expiry_date).toBe(addDays(today, 10));
});

test('who is no administrator any more gives no days', async () => {
  const boss = await panel.reseller({ credits: 0, group_id: '1' });
  const ids = await lines({ expiry_date: addDays(today, 10) });
  const job = await requestBulk(boss.client, daysOf(ids, { preview: true }));
  expect(job.status).toBe(200);
  await panel.services.db
    .updateTable('auth_users')
    .set({ group_id: '2' })
    .where('id', '=', boss.id)
    .execute();
  expect((await requestBulk(boss.client, daysOf(ids))).status).toBe(422);
});

test('a renewal to a day shortens no line unless that is asked for', async () => {
  const [long = '', short = ''] = await lines(
    { expiry_date: addMonths(today, 12) },
    { expiry_date: addDays(today, 2) },
  );
  const expiry_date = addDays(today, 30);
  const bulk = { action: 'renew', ids: [long, short], expiry_date };
  const preview = await previewBulk(panel.admin, bulk);
  expect(preview.items.map(({ error }) => error?.code ?? null)).toEqual(['WOULD_SHORTEN', null]);
  const { body } = await requestBulk(panel.admin, bulk);
  await jobEnd(panel.admin, body.job.id);
  expect((await read(long)).expiry_date).toBe(addMonths(today, 12));
  expect((await read(short)).expiry_date).toBe(expiry_date);

  const one = await panel.admin.post(`/api/lines/${long}/renew`, { expiry_date });
  expect([one.status, one.body.code, Object.keys(one.body.fields)]).toEqual([
    422,
    'WOULD_SHORTEN',
    ['expiry_date'],
  ]);
  const quote = { action: 'renew', line_id: long, expiry_date };
  expect((await panel.admin.post('/api/lines/quote', quote)).status).toBe(422);
  const asked = { expiry_date, may_shorten: true };
  expect((await panel.admin.post('/api/lines/quote', { ...quote, ...asked })).status).toBe(200);
  await runBulk(panel.admin, { action: 'renew', ids: [long], ...asked });
  expect((await read(long)).expiry_date).toBe(expiry_date);
  const shorter = { expiry_date: addDays(today, 1), may_shorten: true };
  expect((await panel.admin.post(`/api/lines/${long}/renew`, shorter)).body).toMatchObject({
    line: { expiry_date: addDays(today, 1) },
  });
});

test('asking for it gives nobody else the right to shorten', async () => {
  const [id = ''] = await lines({ expiry_date: addMonths(today, 12) });
  const body = { expiry_date: addDays(today, 30), may_shorten: true };
  const reply = await seller.client.post(`/api/lines/${id}/renew`, body);
  expect(reply.body.fields).toEqual({
    expiry_date: 'Invalid expiry date format. Expected DD-MM-YYYY format.',
  });
});
