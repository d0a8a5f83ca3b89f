import { beforeAll, expect, test, vi } from 'vitest';
import type { Panel } from '../../commands/panel.ts';
import { transact } from '../../db/transaction.ts';
import { ClaimLoop } from '../../platform/jobs/claim-loop.ts';
import { eventually } from '../../testing/eventually.ts';
import type { Mailbox } from '../../testing/mail/mailbox.ts';
import { startMailingPanel } from '../../testing/mail/mailing-panel.ts';
import { startSecondPanel, type TestPanel } from '../../testing/panel.ts';
import { notify } from '../notices/notify.ts';
import { queueMails } from '../notices/outbox.ts';

let mailbox: Mailbox;
let panel: TestPanel;
let other: Panel;
beforeAll(async () => {
  ({ panel, mailbox } = await startMailingPanel());
  other = await startSecondPanel(panel);
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
