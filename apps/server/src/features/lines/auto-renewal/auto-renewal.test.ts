import { addDays, addMonths, type Day } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Panel, startPanel } from '../../../commands/panel.ts';
import type { Services } from '../../../domain/context/context.ts';
import { eventually } from '../../../testing/eventually.ts';
import { newLine } from '../../../testing/lines.ts';
import {
  databases,
  startTestShop,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';
import { renewDue } from './renew-due.ts';

vi.setConfig({ testTimeout: 240_000 });

describe.each(databases)('automatic renewal on %s', (database) => {
  let shop: Awaited<ReturnType<typeof startTestShop>>;
  let panel: TestPanel;
  let second: Panel | null = null;
  let today: Day;
  let names = 0;
  beforeAll(async () => {
    shop = await startTestShop(database);
    ({ panel } = shop);
    if (database === 'postgres') second = await startPanel(panel.env, pino({ level: 'silent' }));
    today = panel.services.today();
  });
  afterAll(async () => {
    await second?.close();
    await shop?.stop();
  });

  const db = () => panel.services.db;
  const balance = async ({ id }: TestAccount) =>
    (
      await db()
        .selectFrom('auth_users')
        .select('credits')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).credits;
  const setDay = (id: string, expiry_date: Day) =>
    db().updateTable('users').set({ expiry_date }).where('id', '=', id).execute();
  const expiryOf = async (id: string) =>
    (await db().selectFrom('users').select('expiry_date').where('id', '=', id).executeTakeFirst())
      ?.expiry_date;
  const toldTo = async ({ id }: TestAccount) =>
    (
      await db().selectFrom('notifications').select('title').where('account_id', '=', id).execute()
    ).map(({ title }) => title);

  /** Sells a line that ends on this day; `months` turns its automatic renewal on. */
  async function sell({ client }: TestAccount, expiry: Day, months: number | null) {
    const { body } = await client.post('/api/lines', newLine(`auto-${database}-${names++}`));
    const { id } = body.line;
    if (months !== null) {
      const set = await client.send('PUT', `/api/lines/${id}/auto-renew`, { months });
      expect(set.status).toBe(200);
      expect(set.body.line.auto_renew_months).toBe(months);
    }
    await setDay(id, expiry);
    return id as string;
  }
  const setPriceOfMonth = (credits: number) =>
    sql`update plans set terms = (
      select jsonb_agg(case when (term ->> 'months')::integer = 1
          then term || jsonb_build_object('credits', ${credits}::integer) else term end)
        from jsonb_array_elements(terms) as term)`.execute(db());
  const renew = (day = today, services: Services = panel.services) =>
    renewDue({ ...services, today: () => day }, day, () => false);

  test('renews lines from the day before their last, as their owner pays by hand, once', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const due = await sell(seller, addDays(today, 1), 3);
    const later = await sell(seller, addDays(today, 2), 1);
    const off = await sell(seller, today, null);
    const before = await balance(seller);
    await renew();
    await renew();
    expect(await expiryOf(due)).toBe(addMonths(addDays(today, 1), 3));
    expect(await expiryOf(later)).toBe(addDays(today, 2));
    expect(await expiryOf(off)).toBe(today);
    expect(before - (await balance(seller))).toBe(4);
    const [entry] = (await panel.admin.get('/api/audit?action=line.renew')).body.items;
    expect(entry).toMatchObject({ actor_id: seller.id, subject_id: due });
    // It can be undone like one by hand, and is not paid again for the same day.
    const [job] = (await seller.client.get('/api/jobs')).body.items;
    expect((await seller.client.post(`/api/jobs/${job.id}/undo`, {})).status).toBe(200);
    await eventually(async () => expect(await expiryOf(due)).toBe(addDays(today, 1)));
    await renew();
    expect(await expiryOf(due)).toBe(addDays(today, 1));
  });

  test('stops at the credits that the account keeps, soonest expiry first, and says so once', async () => {
    const seller = await panel.reseller({ credits: 10 });
    const first = await sell(seller, addDays(today, -1), 1);
    const next = await sell(seller, today, 1);
    await seller.client.patch('/api/me/settings', { kept_credits: 3 });
    expect(await balance(seller)).toBe(6);
    await renew();
    await renew();
    expect(await balance(seller)).toBe(4);
    expect(await expiryOf(first)).not.toBe(addDays(today, -1));
    expect(await expiryOf(next)).toBe(today);
    const told = await toldTo(seller);
    expect(told.filter((title) => title.includes('was not renewed automatically'))).toHaveLength(1);
    expect(
      told.filter((title) => title === 'Credits needed for automatic renewals: 2'),
    ).toHaveLength(1);
    const { auto_renewals } = (await seller.client.get('/api/dashboard')).body;
    expect(auto_renewals).toEqual({ lines: 1, needed: 2, available: 1, first_line_id: next });
    await panel.admin.post(`/api/accounts/${seller.id}/credits`, { amount: 5 });
    expect((await seller.client.get('/api/dashboard')).body.auto_renewals).toBeNull();
    await renew();
    expect(await expiryOf(next)).not.toBe(today);
  });

  test('is turned on by the owner alone, for a term on sale, and ends with the owner', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const line = await sell(seller, today, 1);
    const path = `/api/lines/${line}/auto-renew`;
    expect((await panel.admin.send('PUT', path, { months: 1 })).body.code).toBe('OWNER_ONLY');
    const stranger = await panel.reseller({ credits: 20 });
    expect((await stranger.client.send('PUT', path, { months: 1 })).status).toBe(404);
    expect((await seller.client.send('PUT', path, { months: 5 })).body.code).toBe(
      'INVALID_SUBSCRIPTION_MONTHS',
    );
    expect((await seller.client.send('PUT', path, { months: 0 })).status).toBe(422);
    expect((await seller.client.get(`/api/lines/${line}`)).body.auto_renew_months).toBe(1);
    await panel.admin.patch(`/api/lines/${line}`, { owner_id: stranger.id });
    expect((await stranger.client.get(`/api/lines/${line}`)).body.auto_renew_months).toBeNull();
    await renew();
    expect(await expiryOf(line)).toBe(today);
    expect(await balance(stranger)).toBe(20);
  });

  test('never renews suspended lines, nor those of a banned account or of long ago', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const suspended = await sell(seller, today, 1);
    await seller.client.post(`/api/lines/${suspended}/suspend`, {});
    const old = await sell(seller, addDays(today, -4), 1);
    const banned = await panel.reseller({ credits: 20 });
    const ofBanned = await sell(banned, today, 1);
    await panel.admin.post(`/api/accounts/${banned.id}/ban`, {});
    await renew();
    expect(await expiryOf(suspended)).toBe(today);
    expect(await expiryOf(old)).toBe(addDays(today, -4));
    expect(await expiryOf(ofBanned)).toBe(today);
  });

  test('a term that is no longer on sale is told, and not renewed', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const line = await sell(seller, today, 1);
    await db().updateTable('users').set({ auto_renew_months: 7 }).where('id', '=', line).execute();
    await renew();
    expect(await expiryOf(line)).toBe(today);
    expect(await toldTo(seller)).toHaveLength(1);
  });

  test('50 runs with two panels, jumping clocks, a ban and a changed price debit each period once', async () => {
    const seller = await panel.reseller({ credits: 500 });
    const lines: string[] = [];
    for (let n = 0; n < 4; n++) lines.push(await sell(seller, addDays(today, n), 1));
    const [gone = '', off = ''] = lines;
    const start = await balance(seller);
    let day = today;
    const panels = [panel.services, (second ?? panel).services];
    for (let run = 0; run < 50; run++) {
      // The clock goes on by days, and jumps ahead and back.
      day = run % 7 === 3 ? addDays(today, (run * 37) % 200) : addDays(today, run * 2);
      if (run === 10) await seller.client.delete(`/api/lines/${gone}`);
      if (run === 12) await seller.client.post(`/api/lines/${off}/suspend`, {});
      if (run === 11) await panel.admin.post(`/api/accounts/${seller.id}/ban`, {});
      if (run === 13) await panel.admin.post(`/api/accounts/${seller.id}/unban`, {});
      if (run === 25) await setPriceOfMonth(5);
      await Promise.all(panels.map((services) => renew(day, services)));
    }
    const { rows } = await sql<{
      line_id: string;
      months: number;
      expiry_date: Day;
      amount: number;
    }>`
      select line_id, months, expiry_date, amount from credit_transfers
        join sold_terms on transfer_id = credit_transfers.id
        where from_id = ${seller.id} and kind = 'renewal'`.execute(db());
    const spent = rows.reduce((sum, { amount }) => sum + amount, 0);
    expect(start - (await balance(seller))).toBe(spent);
    // Each debit made its line one month longer, so no two of a line end on the same day.
    const ends = rows.map(({ line_id, expiry_date }) => `${line_id} ${expiry_date}`);
    expect(new Set(ends).size).toBe(ends.length);
    expect(rows.length).toBeGreaterThan(3);
    expect(new Set(rows.map(({ amount }) => amount))).toEqual(new Set([2, 5]));
    await setPriceOfMonth(2);
    expect((await panel.admin.get('/api/credits/verify')).body.ok).toBe(true);
  });
});
