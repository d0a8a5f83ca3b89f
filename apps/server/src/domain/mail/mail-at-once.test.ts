import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Panel, startPanel } from '../../commands/panel.ts';
import { transact } from '../../db/transaction.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Mailbox, startMailbox } from '../../testing/mailbox.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { notify } from '../notices/notify.ts';
import { mailQueue, queueMail } from './mail-queue.ts';

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

test('a notice of another panel is mailed without its schedule, once', async () => {
  const { db } = panel.services;
  await db.deleteFrom('schedules').where('name', '=', 'mail notices').execute();
  const seller = await panel.reseller();
  for (const [number, { services }] of [panel, other, other].entries()) {
    const facts = { name: `Server ${number}` };
    const about = { account_id: seller.id, link: '/cccam-servers' };
    await transact(services.db, (tx) => notify(tx, [{ event: 'server_error', facts, ...about }]));
    const subjects = () => mailbox.lettersTo(seller.email).map(({ subject }) => subject);
    await eventually(() => expect(subjects()).toHaveLength(number + 1));
    expect(subjects().at(-1)).toContain(`Server error: ${facts.name}`);
  }
});

test('every panel is woken by the commit of another, and by nothing that is rolled back', async () => {
  const { id } = await panel.reseller();
  const woken: string[] = [];
  for (const [name, { services }] of Object.entries({ panel, other })) {
    const wake = services.jobQueue.wake.bind(services.jobQueue);
    services.jobQueue.wake = (queue) => {
      if (queue.name === mailQueue.name) woken.push(name);
      wake(queue);
    };
  }
  const mail = { kind: 'reset_password', account_id: id, language: 'en' } as const;
  const broken = transact(other.services.db, async (tx) => {
    await queueMail(tx, other.services, mail);
    throw new Error('and back');
  });
  await expect(broken).rejects.toThrow('and back');
  expect(woken).toEqual([]);
  await transact(other.services.db, (tx) => queueMail(tx, other.services, mail));
  await eventually(() => expect(woken.toSorted()).toEqual(['other', 'panel']));
});
