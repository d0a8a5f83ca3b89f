import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEventStream } from '../../testing/event-stream.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let owner: TestAccount;
let id: string;
beforeAll(async () => {
  panel = await startTestPanel();
  owner = await panel.reseller();
  const body = { title: 'With notes', description: 'Text' };
  id = (await owner.client.post('/api/tickets', body)).body.ticket.id;
});
afterAll(() => panel?.stop());

const SECRET = 'Pays late, watch the balance';
const note = (client = panel.admin) =>
  client.post(`/api/tickets/${id}/replies`, { content: SECRET, is_note: true });
const read = async (client = owner.client) => (await client.get(`/api/tickets/${id}`)).body.ticket;

test('a note is for administrators, and leaves nothing that its owner could notice', async () => {
  const other = await panel.reseller({ group_id: '1' });
  // Of the credits below its owner hears; of a note nobody does.
  const notices = () =>
    panel.services.db
      .selectFrom('notifications')
      .selectAll()
      .where('title', 'not like', 'Credits added%')
      .execute();
  const [before, told] = [await read(), await notices()];
  const [own, of] = [await openEventStream(owner.client), await openEventStream(other.client)];
  const { status, body } = await note();
  expect([status, body.reply.kind, body.reply.content]).toEqual([201, 'note', SECRET]);

  await of.hears({ table: 'ticket_notes', id });
  // Announcements arrive in order, so an event of the note would have arrived before this one.
  await panel.admin.post(`/api/accounts/${owner.id}/credits`, { amount: 1 });
  await own.hears({ table: 'auth_users' });
  expect(own.events.map(({ table }) => table)).not.toContain('ticket_notes');
  expect(own.events.map(({ table }) => table)).not.toContain('tickets');
  for (const stream of [own, of]) stream.close();

  expect(await read()).toEqual(before);
  const seen = await owner.client.get(`/api/tickets/${id}/replies`);
  expect(seen.body).toMatchObject({ items: [], total: 0 });
  const found = await owner.client.get('/api/tickets?q=Pays%20late');
  expect(found.body.items).toEqual([]);
  expect((await owner.client.get('/api/tickets/counts')).body.unread).toBe(0);
  expect(await notices()).toEqual(told);
});

test('a note is unread by other administrators, who find the ticket by it', async () => {
  const other = await panel.reseller({ group_id: '1' });
  await other.client.post(`/api/tickets/${id}/read`);
  await note();
  expect((await read(other.client)).is_read).toBe(false);
  expect((await read(panel.admin)).is_read).toBe(true);
  const found = await other.client.get('/api/tickets?q=PAYS%20late');
  expect(found.body.items.map((ticket: { id: string }) => ticket.id)).toEqual([id]);
  const { items } = (await other.client.get(`/api/tickets/${id}/replies`)).body;
  expect(items.every(({ kind }: { kind: string }) => kind === 'note')).toBe(true);
});

test('owners write no notes', async () => {
  const { status, body } = await note(owner.client);
  expect([status, body.fields]).toEqual([
    422,
    { is_note: 'Only an administrator may set this field' },
  ]);
});

test('a reply after notes stands behind them and is unread by its owner', async () => {
  await note();
  const { body } = await panel.admin.post(`/api/tickets/${id}/replies`, { content: 'Done' });
  expect((await read()).is_read).toBe(false);
  const { items } = (await panel.admin.get(`/api/tickets/${id}/replies`)).body;
  expect(items.at(-2).id).toBe(body.reply.id);
  expect(items.at(-1).event).toEqual({ field: 'status', from: 'open', to: 'in_progress' });
  await owner.client.post(`/api/tickets/${id}/read`);
  await note();
  expect((await read()).is_read).toBe(true);
});

test('the audit log says that there is a note, and not what it says', async () => {
  const entries = await panel.services.db
    .selectFrom('audit_log')
    .selectAll()
    .where('subject_id', '=', id)
    .execute();
  expect(entries.filter(({ action }) => action === 'ticket.note')).toHaveLength(4);
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});
