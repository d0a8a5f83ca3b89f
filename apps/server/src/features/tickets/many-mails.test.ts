// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { transact } from '../../db/transaction.ts';
import { notifyAdministrators, ORDERED, queueNotices } from '../../domain/notices/notify.ts';
import { eventually } from '../../testing/eventually.ts';
import type { Mailbox } from '../../testing/mail/mailbox.ts';
import { startMailingPanel } from '../../testing/mail/mailing-panel.ts';
import { ADMIN, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let mailbox: Mailbox;
beforeAll(async () => {
  ({ panel, mailbox } = await startMailingPanel());
});

const subjects = () => mailbox.lettersTo(ADMIN.email).map(({ subject }) => subject);
const alarms = (name: string) => subjects().filter((subject) => subject.includes(name));
const waiting = async () => {
  const mails = await panel.services.db.selectFrom('mails').select('key').execute();
  return mails.length;
};

test('tickets of many strangers become few mails, and keep no alarm away', async () => {
  let made = 0;
  for (let number = 0; number < 5; number++) {
    const { client } = await panel.reseller({ credits: 0, group_id: '3' });
    for (let ticket = 0; ticket < 8; ticket++) {
      const about = { title: `Noise ${number}-${ticket}`, description: 'Anything' };
      expect((await client.post('/api/tickets', about)).status).toBe(201);
      made++;
      await eventually(() => expect(subjects()).toHaveLength(Math.min(made, 3)));
    }
  }
  expect(subjects()).toHaveLength(3);
  expect(await waiting()).toBeGreaterThanOrEqual(34);
  // Each of these notifications is a separate email, which is sent immediately.
  for (let number = 0; number < 5; number++) {
    const facts = { name: `Alarm ${number}` };
    const link = `/cccam-servers/health/${number}`;
    await transact(panel.services.db, (tx) =>
      notifyAdministrators(tx, { event: 'server_error', facts, link }),
    );
  }
  await eventually(() => expect(alarms('Alarm')).toHaveLength(5));
  expect(subjects()).toHaveLength(8);

  // A mail leaves the queue after it has arrived.
  await eventually(async () => expect(await waiting()).toBe(40 - 3));
  await sql`delete from rate_limits where scope = 'written-mails'`.execute(panel.services.db);
  const left = 40 - 3;
  await eventually(() => expect(alarms('new messages')).toHaveLength(1));
  await eventually(async () => expect(await waiting()).toBe(0));
  const gathered = mailbox
    .lettersTo(ADMIN.email)
    .find(({ subject }) => /new messages/.test(subject));
  expect(gathered?.subject).toBe(`${left} new messages - Linekeeper`);
  expect(gathered?.text.match(/- New ticket #\d+: Noise \d-\d/g)).toHaveLength(left);
  expect(gathered?.text).toContain('http://panel.example/tickets\n');
});

test('what strangers cause by the hour is counted apart from alarms', async () => {
  const { db } = panel.services;
  // Stores that 29 of the 30 mails of this hour were sent.
  await sql`insert into rate_limits (scope, subject, count, window_ends_at)
    values ('mail', ${`notice /topups ${ADMIN.email}`}, 29, now() + interval '1 hour')`.execute(db);
  await sql`with written as (
    insert into notifications (id, account_id, kind, title, content, link)
      select gen_random_uuid(), id, 'order-placed', 'Order ' || number, 'Anything',
          '/topups?order=' || number
        from auth_users, generate_series(1, 3) as number where email = ${ADMIN.email}
      returning id, account_id, link)
    ${queueNotices(sql`written`)}`.execute(db);
  await eventually(() => expect(alarms('Order')).toHaveLength(1));
  const facts = { name: 'Outage' };
  await transact(db, (tx) =>
    notifyAdministrators(tx, { event: 'server_error', facts, link: '/cccam-servers/health/1' }),
  );
  await eventually(() => expect(alarms('Outage')).toHaveLength(1));
  expect(alarms('Order')).toHaveLength(1);
});

test('orders by the dozen keep no mail about a disputed payment away', async () => {
  const { db } = panel.services;
  const seller = await panel.reseller({ credits: 0 });
  const ordered = async (number: number) => {
    const price = { minor: 100, currency: 'EUR' };
    await transact(db, (tx) =>
      notifyAdministrators(tx, {
        event: 'top_up_ordered',
        facts: { number: `LK-${number}`, email: seller.email, credits: 10, price },
        link: `/payments/top-ups?q=LK-${number}`,
        said_once: `${ORDERED}LK-${number}`,
      }),
    );
  };
  for (let number = 1; number <= 40; number++) await ordered(number);
  await eventually(() => expect(alarms('ordered')).toHaveLength(30));
  await transact(db, (tx) =>
    notifyAdministrators(tx, {
      event: 'top_up_flagged',
      facts: { number: 'LK-41', why: 'owed' },
      link: '/payments/top-ups?q=LK-41',
    }),
  );
  await eventually(() => expect(alarms('LK-41')).toHaveLength(1));
});
