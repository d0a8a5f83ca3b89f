import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import { isMailWaiting } from '../../testing/mail/mailbox.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let names = 0;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  await panel.addServer(agent.url);
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

/** Sells a line for two credits. */
const sell = ({ client }: TestAccount) => client.post('/api/lines', newLine(`low${names++}`));
const mark = ({ client }: TestAccount, low_balance: number | null) =>
  client.patch('/api/me/settings', { low_balance });
const noticesOf = ({ id }: TestAccount) =>
  panel.services.db
    .selectFrom('notifications')
    .select(['kind', 'title', 'content', isMailWaiting.as('is_mailed')])
    .where('account_id', '=', id)
    .where('link', '=', '/payments/pricing')
    .orderBy('id')
    .execute();

test('an account hears once that its credits fell below its mark, and again after they rose', async () => {
  const seller = await panel.reseller({ credits: 10 });
  await sell(seller);
  expect((await mark(seller, 7)).body.low_balance).toBe(7);
  await sell(seller);
  expect(await noticesOf(seller)).toEqual([
    {
      kind: 'mail',
      title: 'Low balance',
      content: 'Credits: 6. You asked for a warning below 7.',
      is_mailed: true,
    },
  ]);
  await sell(seller);
  expect(await noticesOf(seller)).toHaveLength(1);
  await panel.admin.post(`/api/accounts/${seller.id}/credits`, { amount: 3 });
  expect(await noticesOf(seller)).toHaveLength(1);
  await sell(seller);
  expect(await noticesOf(seller)).toHaveLength(2);
});

test('exactly at the mark is not below it, and without a mark nothing is said', async () => {
  const [exact, silent] = [
    await panel.reseller({ credits: 6 }),
    await panel.reseller({ credits: 2 }),
  ];
  await mark(exact, 4);
  await mark(silent, null);
  await sell(exact);
  await sell(silent);
  expect([await noticesOf(exact), await noticesOf(silent)]).toEqual([[], []]);
});

test('credits given to an account below or taken back count as well', async () => {
  const seller = await panel.reseller({ credits: 10 });
  const below = await panel.below(seller);
  await panel.services.db.deleteFrom('notifications').execute();
  await mark(seller, 8);
  await mark(below, 3);
  await seller.client.post(`/api/accounts/${below.id}/credits`, { amount: 5 });
  expect(await noticesOf(seller)).toMatchObject([
    { content: 'Credits: 5. You asked for a warning below 8.' },
  ]);
  await seller.client.post(`/api/accounts/${below.id}/credits/take-back`, { amount: 4 });
  expect(await noticesOf(below)).toMatchObject([
    { content: 'Credits: 1. You asked for a warning below 3.' },
  ]);
});

test('twenty sales at once cross it once, and one that is refused says nothing', async () => {
  const seller = await panel.reseller({ credits: 20 });
  await mark(seller, 10);
  const replies = await Promise.all(Array.from({ length: 20 }, () => sell(seller)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(await noticesOf(seller)).toHaveLength(1);
  await expectBalancedBooks(panel.services.db);
});

test('the mark is a whole number above 0', async () => {
  const seller = await panel.reseller();
  for (const low_balance of [0, -1, 1.5, '5']) {
    const reply = await seller.client.patch('/api/me/settings', { low_balance });
    expect([reply.status, Object.keys(reply.body.fields)]).toEqual([422, ['low_balance']]);
  }
});
