import { beforeAll, describe, expect, test } from 'vitest';
import { newLine } from '../../testing/lines.ts';
import { databases, startTestShop, type TestPanel } from '../../testing/panel.ts';

const PATH = '/api/settings';
const defaults = {
  site_name: 'Linekeeper',
  legal_notice: '',
  bank_details: '',
  sign_up_open: true,
  trial_days: 2,
  trial_limit: 5,
  trial_daily_limit: 20,
  trial_name_days: 30,
  undo_daily_limit: 20,
  articles_public: false,
  reminder_hour: 8,
  kept_addresses: 'network',
  sharing_connections: 1,
  sharing_suspend_hours: 0,
};

describe.each(databases)('settings on %s', (database) => {
  let panel: TestPanel;
  beforeAll(async () => {
    ({ panel } = await startTestShop(database));
  });

  test('are read even if the database has a value that no change may give', async () => {
    const { db } = panel.services;
    const setTo = (value: number) =>
      db
        .updateTable('settings')
        .set({ value: JSON.stringify(value) })
        .where('key', '=', 'trial_days')
        .execute();
    await setTo(60);
    const { status, body } = await panel.admin.get(PATH);
    await setTo(defaults.trial_days);
    expect([status, body.trial_days]).toEqual([200, 60]);
    expect((await panel.admin.patch(PATH, { trial_days: 60 })).body.code).toBe('NUMBER_TOO_LARGE');
  });

  test('take effect at once, and the audit log says what was before', async () => {
    const seller = await panel.reseller({ credits: 0 });
    const trial = (name: string) =>
      seller.client.post(
        '/api/lines',
        newLine(name, { subscription_months: undefined, is_trial: true }),
      );
    await panel.admin.patch(PATH, { trial_daily_limit: 1 });
    expect((await trial('first')).status).toBe(201);
    const refused = await trial('second');
    expect([refused.body.code, refused.body.data]).toEqual([
      'TRIAL_DAILY_LIMIT_REACHED',
      { limit: 1, count: 1 },
    ]);
    await panel.admin.patch(PATH, { trial_daily_limit: 2, trial_limit: 5 });
    expect((await trial('second')).status).toBe(201);
    await panel.admin.patch(PATH, { trial_daily_limit: 20, sign_up_open: false });
    const stranger = { email: 'new@panel.example', password: 'a long password' };
    const closed = await panel.anonymous().post('/api/auth/sign-up/email', stranger);
    expect(closed.body.code).toBe('SIGN_UP_CLOSED');
    await panel.admin.patch(PATH, { sign_up_open: true });
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'settings.edit')
      .orderBy('created_at')
      .execute();
    expect(entries.at(-1)).toEqual({
      before: { sign_up_open: false },
      after: { sign_up_open: true },
    });
  });

  // Limits are checked without the database.
  if (database === 'embedded') return;

  test('are read and set by administrators alone; what is left out stays', async () => {
    const seller = await panel.reseller();
    for (const client of [seller.client, panel.anonymous()]) {
      const replies = [await client.get(PATH), await client.patch(PATH, { trial_limit: 9 })];
      for (const { status } of replies) expect([401, 403]).toContain(status);
    }
    expect((await panel.admin.get(PATH)).body).toEqual(defaults);
    const changed = { trial_days: 3, site_name: 'Lines & Co', legal_notice: 'Ours.' };
    const reply = await panel.admin.patch(PATH, changed);
    expect([reply.status, reply.body]).toEqual([200, { ...defaults, ...changed }]);
    expect((await panel.anonymous().get('/api/settings/public')).body).toMatchObject(changed);
    const back = await panel.admin.patch(PATH, defaults);
    expect(back.body).toEqual(defaults);
  });

  test.each([
    { trial_days: 0 },
    { trial_days: 31 },
    { trial_limit: -1 },
    { trial_daily_limit: 1.5 },
    { trial_daily_limit: '20' },
    { trial_name_days: -1 },
    { trial_name_days: 366 },
    { undo_daily_limit: -1 },
    { site_name: ' ' },
    { site_name: 'a\u202eb' },
    { sign_up_open: 'yes' },
    { articles_public: 1 },
    { reminder_hour: -1 },
    { reminder_hour: 24 },
    { reminder_hour: 7.5 },
    { kept_addresses: 'all' },
    { sharing_connections: 0 },
    { sharing_suspend_hours: 721 },
    { time_zone: 'UTC' },
  ])('refuse %j', async (body) => {
    const { status, body: refusal } = await panel.admin.patch(PATH, body);
    expect([status, Object.keys(refusal.fields)]).toEqual([422, Object.keys(body)]);
    expect((await panel.admin.get(PATH)).body).toEqual(defaults);
  });
});
