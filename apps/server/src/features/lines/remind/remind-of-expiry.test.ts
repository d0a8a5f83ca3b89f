import { addDays, formatDay } from '@linekeeper/contract/dates.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Panel, startPanel } from '../../../commands/panel.ts';
import { healClock } from '../../../heal-clock.ts';
import { eventually } from '../../../testing/eventually.ts';
import { storeLines } from '../../../testing/lines.ts';
import { type Mailbox, startMailbox } from '../../../testing/mail/mailbox.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../../testing/panel.ts';
import { remindOfExpiry } from './remind-of-expiry.ts';

vi.setConfig({ testTimeout: 120_000 });

let mailbox: Mailbox;
let panel: TestPanel;
let second: Panel;
let server: string;
let today: string;
let names = 0;
beforeAll(async () => {
  mailbox = await startMailbox();
  panel = await startTestPanel('postgres', {
    SMTP_URL: mailbox.url,
    PUBLIC_URL: 'http://panel.example',
  });
  second = await startPanel(panel.env, pino({ level: 'silent' }));
  ({ id: server } = await panel.addServer('http://127.0.0.1:1'));
  today = panel.services.today();
});
afterAll(async () => {
  await second?.close();
  await panel?.stop();
  await mailbox?.close();
});

const db = () => panel.services.db;
const remind = (day = today) => remindOfExpiry(db(), day);
const nothingWaits = () =>
  eventually(async () => {
    expect(await db().selectFrom('mails').select('key').execute()).toEqual([]);
  }, 60_000);
const told = ({ id }: TestAccount) =>
  db()
    .selectFrom('notifications')
    .select(['kind', 'title', 'content', 'link'])
    .where('account_id', '=', id)
    .orderBy('id')
    .execute();

/** Stores lines of an owner, with these numbers of days left. */
async function store(owner: TestAccount, left: number[], more: object = {}): Promise<string[]> {
  const rows = left.map((days) => ({
    username: `remind-${String(names++).padStart(3, '0')}`,
    expiry_date: addDays(today, days),
    ...more,
  }));
  await storeLines(db(), owner.id, server, rows);
  return rows.map(({ username }) => username);
}

test('an owner gets one digest of all that came due, as a notification and as a mail', async () => {
  const seller = await panel.reseller();
  const [week, , tomorrow] = await store(seller, [7, 8, 1]);
  await store(seller, [3], { is_trial: true });
  await store(seller, [3], { status: JSON.stringify([{ label: 'suspended', color: 'error' }]) });
  await store(seller, [-1, 40]);
  await remind();
  const content = `${tomorrow} (${formatDay(addDays(today, 1))}), ${week} (${formatDay(addDays(today, 7))})`;
  expect(await told(seller)).toEqual([
    { kind: 'mail', title: '2 lines expire soon', content, link: '/users/all?expires=7d' },
  ]);
  await eventually(() => expect(mailbox.lettersTo(seller.email)).toHaveLength(1), 60_000);
  const [letter] = mailbox.lettersTo(seller.email);
  expect(letter?.subject).toContain('2 lines expire soon');
  expect(letter?.text).toContain('http://panel.example/users/all?expires=7d');
  await nothingWaits();
  expect(mailbox.lettersTo(seller.email)).toHaveLength(1);
});

test('a label of words keeps nothing from being told', async () => {
  const seller = await panel.reseller();
  const labels = ['VIP', 'inactive', 'expired', 'pays in cash'];
  for (const label of labels) {
    await store(seller, [3], { status: JSON.stringify([{ label, color: 'info' }]) });
  }
  await store(seller, [3], { status: '[]' });
  await store(seller, [3], { status: JSON.stringify([{ label: 'suspended', color: 'error' }]) });
  await remind();
  expect((await told(seller)).map(({ title }) => title)).toEqual(['5 lines expire soon']);
});

test('however often the job runs, and on two panels at once, it is one a day', async () => {
  const seller = await panel.reseller();
  await store(seller, [3]);
  const runs = [panel, second, panel, second].map(({ services }) =>
    remindOfExpiry(services.db, today),
  );
  await Promise.all(runs);
  await store(seller, [2]);
  await remind();
  expect(await told(seller)).toHaveLength(1);
  await remind(addDays(today, 1));
  expect(await told(seller)).toHaveLength(2);
});

test('a line is told on each of the days, and a missed day is told late, once', async () => {
  const seller = await panel.reseller();
  const [name = ''] = await store(seller, [7]);
  const days = async (...after: number[]) => {
    for (const day of after) await remind(addDays(today, day));
    return (await told(seller)).length;
  };
  expect(await days(0, 1, 2, 3)).toBe(1);
  // The reminder with 3 days left was missed.
  expect(await days(5, 5)).toBe(2);
  expect(await days(6, 7, 8, 9)).toBe(3);
  const all = await told(seller);
  expect(
    all.every(({ title, content }) => title === '1 line expires soon' && content.includes(name)),
  ).toBe(true);
  expect(all[0]?.link).toMatch(/^\/users\/edit\//);
});

test('a clock that was ahead is not waited for', async () => {
  const seller = await panel.reseller();
  await store(seller, [3]);
  await db()
    .insertInto('reminded_owners')
    .values({ account_id: seller.id, reminded_on: addDays(today, 300) })
    .execute();
  await healClock(panel.services);
  await remind();
  await remind();
  expect(await told(seller)).toHaveLength(1);
});

describe('the owner chooses', () => {
  const choose = ({ client }: TestAccount, body: object) => client.patch('/api/me/settings', body);

  test('the days, or none', async () => {
    const [early, never] = [await panel.reseller(), await panel.reseller()];
    expect((await choose(early, { reminder_days: [14] })).body.reminder_days).toEqual([14]);
    await choose(never, { reminder_days: [] });
    await store(early, [14, 7]);
    await store(never, [1]);
    await remind();
    expect((await told(early))[0]?.title).toBe('2 lines expire soon');
    expect(await told(never)).toEqual([]);
  });

  test('the language, and no mails', async () => {
    const seller = await panel.reseller();
    await choose(seller, { language: 'pl', mails: { lines_expiring: false } });
    await store(seller, [1]);
    await remind();
    await nothingWaits();
    expect((await told(seller))[0]?.title).toBe('Wkrótce wygaśnie 1 linia');
    expect(mailbox.lettersTo(seller.email)).toEqual([]);
  });

  test.each([[[-1]], [[31]], [[1.5]], [[3, 3]], [[0, 1, 2, 3, 4, 5, 6]], ['7']])(
    'not %j',
    async (reminder_days) => {
      const seller = await panel.reseller();
      const reply = await choose(seller, { reminder_days });
      expect([reply.status, Object.keys(reply.body.fields)[0]?.split('.')[0]]).toEqual([
        422,
        'reminder_days',
      ]);
    },
  );
});
