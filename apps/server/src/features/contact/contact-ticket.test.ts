import { beforeAll, expect, test } from 'vitest';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

const PATH = '/api/contact';
const typed = { subject: 'Invoice of May', message: 'Good day,\nwhere is it?\n\nThank you' };

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
});

const write = async (changes: object = {}) => {
  await panel.services.db.deleteFrom('rate_limits').where('scope', '=', 'contact').execute();
  const sender = { name: 'Sarah Seller', email: seller.email };
  return seller.client.post(PATH, { ...sender, ...typed, ...changes });
};
const ticketsOf = async ({ client }: TestAccount) => (await client.get('/api/tickets')).body.items;
const inbox = async () => (await panel.admin.get(PATH)).body.items;

test('what an account writes is a ticket of its own, of which administrators are told', async () => {
  seller = await panel.reseller();
  const { status, body } = await write();
  expect([status, body.success]).toEqual([200, true]);
  expect(await ticketsOf(seller)).toMatchObject([
    {
      ...body.ticket,
      title: typed.subject,
      description: typed.message,
      status: 'open',
      user_id: seller.id,
      is_read: true,
    },
  ]);
  expect(await inbox()).toEqual([]);
  const { db } = panel.services;
  const link = `/tickets/${body.ticket.id}`;
  const told = db.selectFrom('notifications').selectAll().where('link', '=', link);
  expect(await told.execute()).toMatchObject([{ kind: 'chat-message' }]);
  const audited = db.selectFrom('audit_log').selectAll().where('subject_id', '=', body.ticket.id);
  expect(await audited.execute()).toMatchObject([
    { action: 'ticket.create', actor_id: seller.id, after: { title: typed.subject } },
  ]);
});

test('another name and address than those of the account are kept with it', async () => {
  seller = await panel.reseller();
  await write({ name: 'Zoë', email: 'zoe@shop.example' });
  const [{ description }] = await ticketsOf(seller);
  expect(description.endsWith('\n\nZoë, zoe@shop.example')).toBe(true);
});

test('what is sent again after a lost reply opens no second ticket', async () => {
  seller = await panel.reseller();
  const replies = await Promise.all([write(), write(), write()]);
  const numbers = replies.map(({ body }) => body.ticket.number);
  expect(new Set(numbers).size).toBe(1);
  expect(await ticketsOf(seller)).toHaveLength(1);
  await write({ message: 'Something else' });
  expect(await ticketsOf(seller)).toHaveLength(2);
});

test('counts as a ticket, of which an account may open twenty an hour', async () => {
  seller = await panel.reseller();
  for (let number = 1; number <= 20; number++) {
    expect((await write({ message: `Question ${number}` })).status).toBe(200);
  }
  expect(await write({ message: 'One too many' })).toMatchObject({
    status: 429,
    body: { code: 'TOO_MANY_ATTEMPTS' },
  });
});

test('a field that only programs fill in makes no ticket, and the reply does not say so', async () => {
  seller = await panel.reseller();
  expect(await write({ homepage: 'https://spam.example' })).toMatchObject({
    status: 200,
    body: { success: true },
  });
  expect(await ticketsOf(seller)).toEqual([]);
  expect((await panel.admin.get(`${PATH}?status=spam`)).body.items).toMatchObject([
    { account_id: seller.id, account_email: seller.email },
  ]);
});
