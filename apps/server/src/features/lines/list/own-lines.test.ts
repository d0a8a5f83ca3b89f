import { beforeAll, expect, test } from 'vitest';
import { jobEnd, previewBulk, requestBulk, runBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { newLine } from '../../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
let seller: TestAccount;
let below: TestAccount;
const ids: Record<string, string> = {};

beforeAll(async () => {
  const shop = await startTestShop();
  panel = shop.panel;
  seller = await panel.reseller({ credits: 100 });
  below = await panel.below(seller, { credits: 20 });
  const trial = { is_trial: true, subscription_months: undefined };
  const sales = [
    [seller, 'own', {}],
    [seller, 'own-trial', trial],
    [below, 'below', {}],
    [below, 'below-trial', trial],
  ] as const;
  for (const [{ client }, username, more] of sales) {
    const { body } = await client.post('/api/lines', newLine(username, more));
    ids[username] = body.line.id;
  }
  return shop.stop;
});

const all = ['below', 'below-trial', 'own', 'own-trial'];

async function listed(query: string, { client } = seller): Promise<string[]> {
  const { body } = await client.get(`/api/lines?sort=username&${query}`);
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ username }: { username: string }) => username);
}

test('a list has the lines of accounts below unless it is told not to', async () => {
  expect(await listed('')).toEqual(all);
  expect(await listed('with_below=true')).toEqual(all);
  expect(await listed('with_below=false')).toEqual(['own', 'own-trial']);
  expect(await listed('with_below=false&is_trial=true&q=own')).toEqual(['own-trial']);
  // A filter by owner finds the lines of an account below, even without the lines of the accounts below.
  expect(await listed(`with_below=false&owner_id=${below.id}`)).toEqual(['below', 'below-trial']);
  const csv = await seller.client.get('/api/lines/csv?with_below=false&sort=username');
  const rows = csv.body.split('\r\n').slice(1, -1);
  expect(rows.map((row: string) => row.split(',')[0])).toEqual(['"own"', '"own-trial"']);
});

test('an account that sees all lines has no others below', async () => {
  const { body } = await panel.admin.get('/api/lines?with_below=false&sort=username');
  expect(body.items.map(({ username }: { username: string }) => username)).toEqual(all);
  const counts = await panel.admin.get('/api/lines/counts?with_below=false');
  expect(counts.body).toMatchObject({ all: 4, has_below: false });
});

test('tabs, filters, start page and strip count what the list has', async () => {
  const read = async (path: string) => (await seller.client.get(path)).body;
  expect(await read('/api/lines/counts')).toMatchObject({ all: 4, trials: 2, has_below: true });
  const own = { all: 2, active: 2, trials: 1, expiring: 1, has_below: true };
  expect(await read('/api/lines/counts?with_below=false')).toMatchObject(own);
  expect((await below.client.get('/api/lines/counts')).body).toMatchObject({ has_below: false });
  const choices = await read('/api/lines/counts/choices?with_below=false');
  expect(choices).toMatchObject({ status: { active: 2 }, is_trial: { true: 1 } });
  const { lines } = await read('/api/dashboard');
  const counted = (total: number) => ({ total, total_is_exact: true });
  expect(lines).toMatchObject({ active: counted(2), expiring: counted(1), trials: counted(1) });

  const { db } = panel.services;
  await db.updateTable('cccam_servers').set({ status: 'error', away_at: new Date() }).execute();
  expect((await read('/api/servers/outages')).items).toMatchObject([{ lines: 2 }]);
  expect((await panel.admin.get('/api/servers/outages')).body.items).toMatchObject([{ lines: 4 }]);
  await db.updateTable('cccam_servers').set({ status: 'active', away_at: null }).execute();
});

test('a renewal of many says whose lines are in it, and leaves trials out', async () => {
  const months = { action: 'renew', subscription_months: 1 };
  const job = await previewBulk(seller.client, { ...months, filter: {} });
  expect(job).toMatchObject({ kinds: { trial: 2 }, cost: 4, skipped: 2 });
  expect(job.of_others).toEqual([{ account_id: below.id, name: expect.any(String), lines: 1 }]);
  const left = job.items.filter(({ state }) => state === 'skipped');
  expect(left.map(({ username, error }) => [username, error?.code]).sort()).toEqual([
    ['below-trial', 'LEFT_OUT_TRIAL'],
    ['own-trial', 'LEFT_OUT_TRIAL'],
  ]);

  const own = await previewBulk(seller.client, { ...months, filter: { with_below: false } });
  expect(own).toMatchObject({ total: 2, skipped: 1, cost: 2, of_others: [] });
  const done = await runBulk(seller.client, { ...months, filter: { with_below: false } });
  expect(done).toMatchObject({ done: 1, skipped: 1, cost: 2 });
  const read = async (name: string) => (await panel.admin.get(`/api/lines/${ids[name]}`)).body;
  expect(await read('own-trial')).toMatchObject({ is_trial: true });

  const wanted = { ...months, ids: [ids['own-trial']], include: ['trial'] };
  expect(await runBulk(seller.client, wanted)).toMatchObject({ done: 1, cost: 2 });
  expect(await read('own-trial')).toMatchObject({ is_trial: false, subscription_months: 1 });

  const onlyTrial = { ...months, ids: [ids['below-trial']] };
  expect(await requestBulk(seller.client, onlyTrial)).toMatchObject({
    status: 409,
    body: { code: 'NOTHING_TO_DO' },
  });
  const unfit = await requestBulk(seller.client, { ...wanted, include: ['expired'] });
  expect(unfit).toMatchObject({ status: 422, body: { fields: { include: 'Invalid value' } } });
  await expectBalancedBooks(panel.services.db);
});

test('work on all that match leaves out what the list leaves out', async () => {
  const note = { action: 'edit', notes: 'mine', filter: { with_below: false } };
  const { body } = await requestBulk(seller.client, note);
  expect(await jobEnd(seller.client, body.job.id)).toMatchObject({ total: 2, done: 2 });
});
