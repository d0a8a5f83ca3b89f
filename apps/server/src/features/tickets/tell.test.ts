import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEventStream } from '../../testing/event-stream.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let owner: TestAccount;
let colleague: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  owner = await panel.reseller();
  colleague = await panel.reseller({ group_id: '1' });
});
afterAll(() => panel?.stop());

const open = async (description = 'Text') => {
  const body = { title: 'Slow', description };
  return (await owner.client.post('/api/tickets', body)).body.ticket;
};
const reply = (id: string, content: string, client = owner.client) =>
  client.post(`/api/tickets/${id}/replies`, { content });
const told = async (id: string) =>
  panel.services.db
    .selectFrom('notifications')
    .innerJoin('auth_users', 'auth_users.id', 'notifications.account_id')
    .select(['email', 'kind', 'title', 'content', 'mail_state'])
    .where('link', '=', `/tickets/${id}`)
    .orderBy('notifications.id')
    .execute();

test('of a new ticket all administrators are told, and mailed as they chose', async () => {
  await colleague.client.patch('/api/me/settings', {
    language: 'de',
    mails: { new_tickets: false },
  });
  const { id, number } = await open('x'.repeat(600));
  const all = await told(id);
  expect(all.map(({ email }) => email).sort()).toEqual(
    ['admin@panel.example', colleague.email].sort(),
  );
  const [mine] = all.filter(({ email }) => email === colleague.email);
  expect(mine).toMatchObject({
    kind: 'chat-message',
    title: `Neues Ticket #${number}: Slow`,
    mail_state: null,
  });
  expect(mine?.content.endsWith(`${'x'.repeat(500)}…`)).toBe(true);
  expect(all.find(({ email }) => email !== colleague.email)?.mail_state).toBe('wanted');
});

test('of an answer the owner is told; of what the owner writes the assignee, else all', async () => {
  const { id } = await open();
  const since = async () => (await told(id)).slice(2);
  await reply(id, 'Looking into it', panel.admin);
  expect(await since()).toMatchObject([{ email: owner.email, mail_state: 'wanted' }]);
  await reply(id, 'Thanks');
  expect((await since()).slice(1)).toHaveLength(2);
  await panel.admin.patch(`/api/tickets/${id}`, {
    assigned_to: (await colleague.client.get('/api/me')).body.id,
  });
  await reply(id, 'And now?');
  expect((await since()).slice(3).map(({ email }) => email)).toEqual([colleague.email]);
});

test('each change is heard by its owner and by administrators, and by nobody else', async () => {
  const below = await panel.below(owner);
  const stranger = await panel.reseller();
  const streams = await Promise.all(
    [owner, colleague, stranger, below].map(({ client }) => openEventStream(client)),
  );
  const { id } = await open();
  await reply(id, 'Answer', panel.admin);
  for (const stream of streams.slice(0, 2)) {
    await stream.hears({ table: 'tickets', op: 'INSERT', id });
    await stream.hears({ table: 'tickets', op: 'UPDATE', id });
  }
  for (const { id: account } of [stranger, below]) {
    await panel.admin.post(`/api/accounts/${account}/credits`, { amount: 1 });
  }
  for (const [index, stream] of streams.slice(2).entries()) {
    await stream.hears({ table: 'auth_users', id: [stranger, below][index]?.id });
    expect(stream.events.filter(({ table }) => table.startsWith('ticket'))).toEqual([]);
  }
  for (const stream of streams) stream.close();
});
