import { addDays, addMonths, formatDay } from '@linekeeper/contract/dates.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Panel, startPanel } from '../../../commands/panel.ts';
import { transact } from '../../../db/transaction.ts';
import { queueMails } from '../../../domain/notices/outbox.ts';
import { eventually } from '../../../testing/eventually.ts';
import { storedSuspension, storeLines } from '../../../testing/lines.ts';
import { type Mailbox, startMailbox } from '../../../testing/mail/mailbox.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../../testing/panel.ts';
import { sendRaw } from '../../../testing/wire/raw.ts';
import { remindCustomers } from './remind-customers.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let mailbox: Mailbox;
let panel: TestPanel;
let other: Panel;
let agent: TestAgent;
let serverId: string;
let seller: TestAccount;
beforeAll(async () => {
  mailbox = await startMailbox();
  agent = await startTestAgent();
  panel = await startTestPanel('postgres', {
    SMTP_URL: mailbox.url,
    PUBLIC_URL: 'http://panel.example',
  });
  other = await startPanel(panel.env, pino({ level: 'silent' }));
  ({ id: serverId } = await panel.addServer(agent.url));
  seller = await newSeller();
});
afterAll(async () => {
  await other?.close();
  await panel?.stop();
  await agent?.close();
  await mailbox?.close();
});

const customer_mails = { days: [7, 3, 1], hours: [22, 8] };
const today = () => panel.services.today();
const remind = (day = today(), services = panel.services, hour = 12) =>
  remindCustomers(services, { day, hour });

async function newSeller() {
  const account = await panel.reseller({ credits: 50 });
  const { status } = await account.client.patch('/api/me/settings', { customer_mails });
  expect(status).toBe(200);
  return account;
}

let names = 0;
/** Adds a line that ends in so many days, with the address of its customer. */
async function addLine({ id }: TestAccount, days: number, more: object = {}) {
  const email = `customer-${names++}@home.example`;
  const row = { username: `remind${names}`, expiry_date: addDays(today(), days), email, ...more };
  const [line = ''] = await storeLines(panel.services.db, id, serverId, [row]);
  return { id: line, ...row };
}

const logOf = async ({ client }: TestAccount, id: string) =>
  (await client.get(`/api/lines/${id}/reminders`)).body;

describe('emails to customers', () => {
  test("have the seller's words and address, and a link that ends them", async () => {
    await seller.client.send('PUT', '/api/me/texts', {
      reminder: {
        pl: 'Cześć {name}, {username} do {expiry}. Dług: {owes}. Hasło {password}.\n{page}',
      },
    });
    const line = await addLine(seller, 3, { name: 'Ola', language: 'pl' });
    const payment = { state: 'owes', amount_minor: 1250, currency: 'PLN' };
    await seller.client.patch(`/api/lines/${line.id}`, { payment });
    const { url } = (await seller.client.post(`/api/lines/${line.id}/page`)).body;
    expect(await remind()).toBe(1);
    await eventually(() => expect(mailbox.lettersTo(line.email)).toHaveLength(1));
    const [letter] = mailbox.lettersTo(line.email);
    const text = `Cześć Ola, ${line.username} do ${formatDay(line.expiry_date)}. Dług: 12,50\u00a0PLN.`;
    expect(letter?.text).toContain(text);
    expect(letter?.text).not.toContain('Hasło');
    expect(letter?.text).toContain(`\n${url}\n`);
    expect(letter?.subject).toContain(line.username);
    const header = (key: string) => letter?.headers.find((one) => one.key === key)?.value;
    expect(header('reply-to')).toContain(seller.email);
    const link = /http:\/\/panel\.example\/stop-reminders\?token=\S+/.exec(letter?.text ?? '')?.[0];
    expect(header('list-unsubscribe')).toBe(`<${link}>`);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect((await logOf(seller, line.id)).items).toMatchObject([
      { way: 'mail', day: 3, expiry_date: line.expiry_date, reason: null },
    ]);

    const token = new URL(link ?? '').searchParams.get('token') ?? '';
    const follow = (method: string, token: string) =>
      sendRaw(panel.url, { method, path: `/stop-reminders?token=${token}` });
    const isStopped = async () => (await logOf(seller, line.id)).is_stopped;
    const foreign = await addLine(seller, 3);
    for (const forged of [
      `${token}x`,
      token.slice(0, -1),
      token.replace(line.id, foreign.id),
      '',
      '%00',
      `${line.id}.`,
    ]) {
      const { status, text } = await follow('POST', forged);
      expect([status, text.includes('no longer valid')]).toEqual([404, true]);
    }
    // Programs that open the link stop nothing.
    const asked = await follow('GET', token);
    expect([asked.status, asked.headers['referrer-policy']]).toEqual([200, 'no-referrer']);
    expect(asked.text).toContain('<html lang="pl">');
    expect(asked.text).toContain('<form method="post"><button>Zrezygnuj</button></form>');
    expect(await isStopped()).toBe(false);
    for (let times = 0; times < 2; times++) {
      const { status, text } = await follow('POST', token);
      expect([status, text.includes('nie będą już przychodzić')]).toEqual([200, true]);
      expect(await isStopped()).toBe(true);
    }
    expect((await logOf(seller, foreign.id)).is_stopped).toBe(false);
    await seller.client.delete(`/api/lines/${foreign.id}`);
    await panel.services.db
      .updateTable('users')
      .set({ expiry_date: addDays(today(), 1) })
      .where('id', '=', line.id)
      .execute();
    expect(await remind()).toBe(0);
    // The address decides, however it is written: another one is another reader.
    await seller.client.patch(`/api/lines/${line.id}`, { email: line.email.toUpperCase() });
    expect(await isStopped()).toBe(true);
    expect(await remind()).toBe(0);
    await seller.client.patch(`/api/lines/${line.id}`, { email: `new-${line.email}` });
    expect((await logOf(seller, line.id)).is_stopped).toBe(false);
    expect(await remind()).toBe(1);
  });

  test('leave out trials, suspended lines, quiet hours, and sellers that did not turn them on', async () => {
    const account = await newSeller();
    await addLine(account, 2, { is_trial: true });
    await addLine(account, 2, {
      suspension: storedSuspension,
      status: JSON.stringify([{ label: 'suspended', color: 'error' }]),
    });
    await addLine(account, 2, { email: null });
    await addLine(account, 9);
    await addLine(account, -1);
    await addLine(await panel.reseller(), 2);
    expect(await remind()).toBe(0);
    await addLine(account, 2);
    expect(await remind(today(), panel.services, 23)).toBe(0);
    expect(await remind(today(), panel.services, 7)).toBe(0);
    expect(await remind(today(), panel.services, 8)).toBe(1);
  });

  test('have the same Message-ID if a killed panel had sent them already', async () => {
    const account = await newSeller();
    const line = await addLine(account, 3);
    await remind();
    await eventually(() => expect(mailbox.lettersTo(line.email)).toHaveLength(1));
    const { db } = panel.services;
    const { id: message_id } = await db
      .selectFrom('reminders')
      .select('id')
      .where('line_id', '=', line.id)
      .executeTakeFirstOrThrow();
    // What such a panel leaves behind: the email is still queued.
    const left = { kind: 'customer_reminder', account_id: account.id, message_id } as const;
    await transact(db, (tx) => queueMails(tx, panel.services, [{ ...left, language: 'en' }]));
    await eventually(() => expect(mailbox.lettersTo(line.email)).toHaveLength(2));
    const ids = mailbox
      .lettersTo(line.email)
      .map(({ headers }) => headers.find(({ key }) => key === 'message-id')?.value);
    expect(ids[0]).toContain(message_id);
    expect(ids[1]).toBe(ids[0]);
  });

  test('are refused by their server, which the log of the line says', async () => {
    mailbox.answerRecipient((address) => (address.startsWith('no-') ? '550 unknown' : undefined));
    const line = await addLine(seller, 1, { email: 'no-such@home.example' });
    await remind();
    await eventually(async () =>
      expect((await logOf(seller, line.id)).items).toMatchObject([{ reason: 'refused' }]),
    );
    mailbox.answerRecipient(() => undefined);
  });

  test('are sent once for each line, expiry and day in 50 runs of two panels with clocks that jump', async () => {
    const account = await newSeller();
    const lines = await Promise.all([0, 1, 3, 7, 12].map((days) => addLine(account, days)));
    const [first] = lines;
    const panels = [panel.services, other.services];
    for (let run = 0; run < 50; run++) {
      const day = addDays(today(), run % 7 === 3 ? (run * 37) % 200 : (run * 5) % 13);
      if (run === 20) {
        // A renewal begins another series.
        await panel.services.db
          .updateTable('users')
          .set({ expiry_date: addMonths(today(), 1) })
          .where('id', '=', first?.id ?? '')
          .execute();
      }
      await Promise.all(panels.map((services) => remind(day, services)));
    }
    const rows = await panel.services.db
      .selectFrom('reminders')
      .select(['line_id', 'expiry_date', 'day'])
      .where(
        'line_id',
        'in',
        lines.map(({ id }) => id),
      )
      .execute();
    const keys = rows.map(({ line_id, expiry_date, day }) => `${line_id} ${expiry_date} ${day}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThanOrEqual(5);
    await eventually(async () => {
      const waiting = await panel.services.db.selectFrom('mails').select('key').execute();
      expect(waiting).toEqual([]);
    });
    for (const line of lines) {
      const noted = rows.filter(({ line_id }) => line_id === line.id).length;
      const unsent = (await logOf(account, line.id)).items.filter(
        ({ reason }: { reason: string | null }) => reason !== null,
      ).length;
      expect(mailbox.lettersTo(line.email)).toHaveLength(noted - unsent);
    }
  });
});

test('a reminder by hand is noted once for its way, and seen until the line is renewed', async () => {
  const line = await addLine(seller, 2, { email: null });
  const path = `/api/lines/${line.id}/reminders`;
  for (const way of ['sms', 'sms', 'share']) {
    expect((await seller.client.post(path, { way })).status).toBe(200);
  }
  expect((await logOf(seller, line.id)).items).toHaveLength(2);
  const listed = async () =>
    (await seller.client.get('/api/reminders')).body.items.filter(
      ({ line_id }: { line_id: string }) => line_id === line.id,
    );
  expect(await listed()).toMatchObject([{ way: 'share' }]);
  await seller.client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 });
  expect(await listed()).toEqual([]);
  const stranger = await panel.reseller();
  expect((await stranger.client.post(path, { way: 'sms' })).status).toBe(404);
  expect((await stranger.client.get(path)).status).toBe(404);
});
