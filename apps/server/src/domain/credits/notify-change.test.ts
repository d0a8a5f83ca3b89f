import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { runBulk, undoBulk } from '../../testing/jobs.ts';
import { newLine } from '../../testing/lines.ts';
import { isMailWaiting, type Mailbox, startMailbox } from '../../testing/mail/mailbox.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

let mailbox: Mailbox;
let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
beforeAll(async () => {
  mailbox = await startMailbox();
  agent = await startTestAgent();
  panel = await startTestPanel('postgres', {
    SMTP_URL: mailbox.url,
    PUBLIC_URL: 'http://panel.example',
  });
  await panel.addServer(agent.url);
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
  await mailbox?.close();
});

const credits = ({ id }: { id: string }, more = '') => `/api/accounts/${id}/credits${more}`;
const set = ({ id }: { id: string }, balance: number) =>
  panel.admin.send(
    'PUT',
    credits({ id }),
    { credits: balance, note: 'Counted' },
    {
      'idempotency-key': crypto.randomUUID(),
    },
  );
const noticesOf = async ({ id }: { id: string }) =>
  panel.services.db
    .selectFrom('notifications')
    .select(['kind', 'title', 'content', 'link', isMailWaiting.as('is_mailed')])
    .where('account_id', '=', id)
    .orderBy('id')
    .execute();
/** Stops all pushes and emails until the spy is restored. */
const pauseLoops = () => vi.spyOn(panel.services.connection, 'isDiskLow').mockReturnValue(true);
async function silentAccount(above?: TestAccount, balance = 10): Promise<TestAccount> {
  const made = above ? await panel.below(above) : await panel.reseller({ credits: balance });
  await panel.services.db.deleteFrom('notifications').execute();
  return made;
}

test('credits added or taken by somebody else are told and mailed, in the account’s language', async () => {
  const seller = await silentAccount();
  await panel.admin.post(credits(seller), { amount: 5, note: 'June' });
  await seller.client.patch('/api/me/settings', { language: 'de' });
  await panel.admin.post(credits(seller, '/take-back'), { amount: 3 });
  const about = { kind: 'order-placed', link: '/credits' };
  expect(await noticesOf(seller)).toMatchObject([
    { ...about, title: 'Credits added: 5', content: 'Balance now: 15. Note: June' },
    { ...about, title: 'Zurückgeholte Credits: 3', content: 'Guthaben jetzt: 12.' },
  ]);
  await eventually(() => expect(mailbox.lettersTo(seller.email)).toHaveLength(2), 60_000);
  const letter = mailbox.lettersTo(seller.email).find(({ subject }) => subject.includes('Zurück'));
  expect(letter?.text).toContain('Guthaben jetzt: 12.');
  expect(letter?.text).toContain('http://panel.example/credits');
});

test('a set balance and a refund are told as what they did', async () => {
  const seller = await silentAccount();
  await set(seller, 4);
  await set(seller, 9);
  await seller.client.post('/api/lines', newLine('told'));
  const { body } = await seller.client.get('/api/credits/transfers?kind=sale');
  await panel.admin.post(`/api/credits/transfers/${body.items[0].id}/refund`, {});
  expect((await noticesOf(seller)).map(({ title }) => title)).toEqual([
    'Credits taken back: 6',
    'Credits added: 5',
    'Credits added: 2',
  ]);
});

test('what a reseller gives is told to the account below alone, without naming the reseller', async () => {
  const above = await silentAccount();
  const below = await silentAccount(above);
  await above.client.post(credits(below), { amount: 4 });
  expect(await noticesOf(above)).toEqual([]);
  const [notice] = await noticesOf(below);
  expect(notice?.content).toBe('Balance now: 4.');
  expect(JSON.stringify(notice)).not.toContain(above.email);
});

test('the credits that a new account begins with are no news to it', async () => {
  const above = await silentAccount();
  const sample = { email: 'opened@panel.example', password: 'opening-credits-1', credits: 7 };
  const { body } = await above.client.post('/api/accounts', sample);
  expect(body.account.credits).toBe(7);
  expect(await noticesOf(body.account)).toEqual([]);
});

test('the undo of a job is nobody else’s act, so it tells nobody', async () => {
  const seller = await silentAccount();
  const rows = [newLine('undone-1'), newLine('undone-2')];
  const sold = await runBulk(seller.client, { action: 'import', rows, only_valid: true });
  const byOther = await panel.admin.post(`/api/jobs/${sold.id}/undo`);
  expect(byOther.body.code).toBe('CANNOT_UNDO');
  const undone = await undoBulk(seller.client, sold.id);
  expect(undone.items.map(({ cost }) => cost)).toEqual([-2, -2]);
  expect(await noticesOf(seller)).toEqual([]);
});

test('nobody is told what they did themselves, nor what was refused', async () => {
  const { id } = (await panel.admin.get('/api/me')).body;
  const seller = await silentAccount();
  await panel.admin.post(credits({ id }), { amount: 4 });
  const refused = await panel.admin.post(credits(seller, '/take-back'), { amount: 400 });
  expect(refused.body.code).toBe('INSUFFICIENT_CREDITS');
  const [code] = (await panel.admin.post('/api/redeem-codes', { credits: 1 })).body.codes;
  await seller.client.post('/api/redeem', { code: code.code });
  await seller.client.post('/api/lines', newLine('own'));
  expect([await noticesOf({ id }), await noticesOf(seller)]).toEqual([[], []]);
});

test('the mails are chosen one by one; the notification comes anyway', async () => {
  const seller = await silentAccount();
  const chosen = await seller.client.patch('/api/me/settings', { mails: { credits_added: false } });
  expect(chosen.body.mails).toMatchObject({ credits_added: false, credits_taken_back: true });
  const pause = pauseLoops();
  await panel.admin.post(credits(seller), { amount: 1 });
  await panel.admin.post(credits(seller, '/take-back'), { amount: 1 });
  const mailed = (await noticesOf(seller)).map(({ is_mailed }) => is_mailed);
  pause.mockRestore();
  expect(mailed).toEqual([false, true]);
  await eventually(() => expect(mailbox.lettersTo(seller.email)).toHaveLength(1), 60_000);
});
