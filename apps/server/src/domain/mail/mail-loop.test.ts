import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Panel, startPanel } from '../../commands/panel.ts';
import { transact } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { ClaimLoop } from '../../platform/jobs/claim-loop.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Mailbox, startMailbox } from '../../testing/mailbox.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { notify } from '../notices/notify.ts';
import { queueMails } from '../notices/outbox.ts';
import { earlierQueue, takeOverNotices } from './earlier-mails.ts';

let mailbox: Mailbox;
let panel: TestPanel;
let other: Panel;
beforeAll(async () => {
  mailbox = await startMailbox();
  panel = await startTestPanel('postgres', {
    SMTP_URL: mailbox.url,
    PUBLIC_URL: 'http://panel.example',
  });
  other = await startPanel(panel.env, pino({ level: 'silent' }));
});
afterAll(async () => {
  await other?.close();
  await panel?.stop();
  await mailbox?.close();
});

const subjectsTo = (email: string) => mailbox.lettersTo(email).map(({ subject }) => subject);

test('a notice of another panel is mailed, once', async () => {
  const seller = await panel.reseller();
  for (const [number, { services }] of [panel, other, other].entries()) {
    const facts = { name: `Server ${number}` };
    const about = { account_id: seller.id, link: '/cccam-servers' };
    await transact(services.db, (tx) => notify(tx, [{ event: 'server_error', facts, ...about }]));
    await eventually(() => expect(subjectsTo(seller.email)).toHaveLength(number + 1));
    expect(subjectsTo(seller.email).at(-1)).toContain(`Server error: ${facts.name}`);
  }
});

test('every panel is woken by the commit of another, and by nothing that is rolled back', async () => {
  const { id } = await panel.reseller();
  const look = vi.spyOn(ClaimLoop.prototype, 'lookNow');
  const mail = { kind: 'reset_password', account_id: id, language: 'en' } as const;
  const broken = transact(other.services.db, async (tx) => {
    await queueMails(tx, other.services, [mail]);
    throw new Error('and back');
  });
  await expect(broken).rejects.toThrow('and back');
  expect(look).not.toHaveBeenCalled();
  await transact(other.services.db, (tx) => queueMails(tx, other.services, [mail]));
  await eventually(() => expect(new Set(look.mock.contexts).size).toBe(2));
  look.mockRestore();
});

test('what a panel of 1.1.0 queued or left is sent', async () => {
  const { db, jobQueue } = panel.services;
  const { id, email } = await panel.reseller();
  const row = { account_id: id, kind: 'mail', content: 'Anything', link: '/credits' } as const;
  const [queued, wanted] = [newId(), newId()];
  await db
    .insertInto('notifications')
    .values([
      { ...row, id: queued, title: 'Queued', said_once: null },
      { ...row, id: wanted, title: 'Wanted', said_once: null },
    ])
    .execute();
  await transact(db, (tx) =>
    jobQueue.send(tx, earlierQueue, {
      ...{ kind: 'notice', account_id: id, language: 'en', notification_id: queued },
    }),
  );
  await eventually(() => expect(subjectsTo(email)).toEqual(['Queued - Linekeeper']), 30_000);
  await sql`update notifications set mail_state = 'wanted' where id = ${wanted}`.execute(db);
  for (let time = 0; time < 2; time++) await takeOverNotices(db);
  await eventually(() => expect(subjectsTo(email)).toHaveLength(2));
  expect(subjectsTo(email).at(-1)).toBe('Wanted - Linekeeper');
});
