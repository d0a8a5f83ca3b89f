import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { upload, uploadText } from '../../testing/files/files.ts';
import {
  jobEnd,
  previewBulk,
  readJob,
  requestBulk,
  runBulk,
  undoBulk,
} from '../../testing/jobs.ts';
import { newLine } from '../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { bankDetails } from '../../testing/payments/top-ups.ts';

let panel: TestPanel;
beforeAll(async () => {
  const shop = await startTestShop();
  panel = shop.panel;
  return shop.stop;
});

let names = 0;
const sell = async ({ client }: TestAccount): Promise<string> =>
  (await client.post('/api/lines', newLine(`daily${names++}`))).body.line.id;
/** Sets the counted amount of today for the account and for the accounts below it. */
const setCount = ({ id }: TestAccount, scope: string, count: number) =>
  sql`insert into rate_limits (scope, subject, count, window_ends_at)
    values (${scope}, ${id}, ${count}, now() + interval '1 hour')
    on conflict (scope, subject) do update set count = excluded.count`.execute(panel.services.db);
const countOf = async ({ id }: TestAccount, scope: string) => {
  const { rows } = await sql<{ count: number }>`
    select count from rate_limits where scope = ${scope} and subject = ${id}`.execute(
    panel.services.db,
  );
  return rows[0]?.count ?? 0;
};
const refused = (limit: number, unit: string) => ({
  status: 409,
  body: { code: 'DAILY_LIMIT_REACHED', data: { limit, unit } },
});

test('rows of a job that name no line are counted, not stored', async () => {
  const seller = await panel.reseller({ credits: 10 });
  const ids = [await sell(seller), ...Array.from({ length: 5000 }, () => crypto.randomUUID())];
  const request = { action: 'edit', ids, notes: 'many' };
  const preview = await previewBulk(seller.client, request);
  expect(preview).toMatchObject({ total: 5001, skipped: 5000 });
  const job = await runBulk(seller.client, request);
  expect(job).toMatchObject({ total: 5001, done: 1, skipped: 5000, failed: 0 });
  expect(job.items.map(({ position }) => position)).toEqual([1]);
  const { rows } = await sql`select from job_items where job_id = ${job.id}`.execute(
    panel.services.db,
  );
  expect(rows).toHaveLength(1);
  expect(await countOf(seller, 'job-rows-a-day')).toBe(1);
  expect((await readJob(seller.client, job.id)).skipped).toBe(5000);
});

describe('an account and all below it', () => {
  test('have so many jobs in a day, and undo them as often', async () => {
    const top = await panel.reseller({ credits: 20 });
    const [below, sibling] = [
      await panel.below(top, { credits: 4 }),
      await panel.below(top, { credits: 4 }),
    ];
    const edit = async (account: TestAccount, notes: string) =>
      requestBulk(account.client, { action: 'edit', ids: [await sell(account)], notes });
    await setCount(top, 'jobs-a-day', 998);
    const { body, status } = await edit(below, 'the 999th');
    expect(status).toBe(200);
    await jobEnd(below.client, body.job.id);
    await undoBulk(below.client, body.job.id);
    expect(await countOf(top, 'jobs-a-day')).toBe(1000);
    for (const account of [top, below, sibling]) {
      expect(await edit(account, 'one more')).toMatchObject(refused(1000, 'jobs'));
    }
    // Refused jobs are not counted, and neither are previews.
    expect(await countOf(top, 'jobs-a-day')).toBe(1000);
    expect(await countOf(sibling, 'jobs-a-day')).toBe(0);
    const stranger = await panel.reseller({ credits: 4 });
    expect((await edit(stranger, 'mine')).status).toBe(200);
    expect((await edit({ client: panel.admin } as TestAccount, 'an admin’s')).status).toBe(200);
  });

  test('have so many rows', async () => {
    const top = await panel.reseller({ credits: 20 });
    const below = await panel.below(top, { credits: 10 });
    const ids = [await sell(below), await sell(below)];
    const edit = (account: TestAccount) =>
      requestBulk(account.client, { action: 'edit', ids, notes: `${names++}` });
    await setCount(top, 'job-rows-a-day', 199_998);
    expect((await edit(below)).status).toBe(200);
    expect(await edit(below)).toMatchObject(refused(200_000, 'rows'));
    expect(await edit(top)).toMatchObject(refused(200_000, 'rows'));
  });

  test('make so many accounts, side by side too', async () => {
    const top = await panel.reseller({ credits: 0 });
    const siblings = await Promise.all(Array.from({ length: 6 }, () => panel.below(top)));
    await setCount(top, 'new-accounts-a-day', 197);
    const make = ({ client }: TestAccount) =>
      client.post('/api/accounts', {
        email: `daily-${crypto.randomUUID()}@panel.example`,
        password: 'a good pass phrase',
      });
    const replies = await Promise.all([...siblings, top].map(make));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(replies.find(({ status }) => status !== 201)).toMatchObject(refused(200, 'accounts'));
    expect((await make(await panel.reseller())).status).toBe(201);
  });

  test('upload so many megabytes, each file at least one', async () => {
    const top = await panel.reseller({ credits: 0 });
    const below = await panel.below(top);
    await setCount(top, 'uploaded-a-day', 998);
    await uploadText(below.client);
    await uploadText(top.client);
    for (const { client } of [top, below]) {
      expect((await upload(client, 'text', 'a.txt')).body).toMatchObject({
        code: 'DAILY_LIMIT_REACHED',
      });
    }
  });

  test('order so often, also what is withdrawn', async () => {
    await panel.admin.patch('/api/settings', bankDetails);
    const sample = { name: 'Small', credits: 50, price_minor: 5000, currency: 'EUR' };
    const { id: package_id } = (await panel.admin.post('/api/packages', sample)).body.package;
    const top = await panel.reseller({ credits: 0 });
    const below = await panel.below(top);
    const order = ({ client }: TestAccount) => client.post('/api/topups', { package_id });
    await setCount(top, 'orders-a-day', 49);
    const { status, body } = await order(below);
    expect(status).toBe(201);
    expect((await below.client.post(`/api/topups/${body.id}/withdraw`)).status).toBe(200);
    for (const account of [top, below])
      expect(await order(account)).toMatchObject(refused(50, 'orders'));
    expect(await countOf(top, 'orders-a-day')).toBe(50);
  });

  test('again when the day is over', async () => {
    const top = await panel.reseller({ credits: 4 });
    await setCount(top, 'jobs-a-day', 1000);
    await sql`update rate_limits set window_ends_at = now() - interval '1 second'
      where subject = ${top.id}`.execute(panel.services.db);
    const ids = [await sell(top)];
    const edit = await requestBulk(top.client, { action: 'edit', ids, notes: 'tomorrow' });
    expect(edit.status).toBe(200);
    expect(await countOf(top, 'jobs-a-day')).toBe(1);
  });
});
