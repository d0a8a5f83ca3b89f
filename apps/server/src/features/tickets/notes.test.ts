import { beforeAll, expect, test } from 'vitest';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';

let panel: TestPanel;
let owner: TestAccount;
let id: string;
beforeAll(async () => {
  panel = await startTestPanel();
  owner = await panel.reseller();
  const body = { title: 'With notes', description: 'Text' };
  id = (await owner.client.post('/api/tickets', body)).body.ticket.id;
});

const SECRET = 'Pays late, watch the balance';
const note = (client = panel.admin) =>
  client.post(`/api/tickets/${id}/replies`, { content: SECRET, is_note: true });
const read = async (client = owner.client) => (await client.get(`/api/tickets/${id}`)).body.ticket;

test('a note is for administrators, and leaves nothing that its owner could notice', async () => {
  const other = await panel.reseller({ group_id: '1' });
  const author = (await panel.admin.get('/api/me')).body.id;
  // Notifications to other accounts, except those about credits. A note must add none.
  const notices = () =>
    panel.services.db
      .selectFrom('notifications')
      .selectAll()
      .where('account_id', '!=', author)
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
    { is_note: 'Only an administrator can set this field' },
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

test('cursors of its owner do not count notes', async () => {
  const { body } = await owner.client.post('/api/tickets', { title: 'Paged', description: 'Text' });
  const replies = `/api/tickets/${body.ticket.id}/replies`;
  const say = (content: string, is_note = false) =>
    panel.admin.post(replies, { content, ...(is_note ? { is_note } : {}) });
  await say('First');
  for (let count = 0; count < 4; count++) await say(SECRET, true);
  await say('Last');
  const seen: string[] = [];
  const places: string[] = [];
  for (let cursor = ''; ; ) {
    const page = (await owner.client.get(`${replies}?limit=1${cursor}`)).body;
    seen.push(...page.items.map((line: { content: string }) => line.content));
    if (!page.next_cursor) break;
    places.push(JSON.parse(Buffer.from(page.next_cursor, 'base64url').toString())[1]);
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(seen.filter(Boolean).sort()).toEqual(['First', 'Last']);
  const steps = places.slice(1).map((place, at) => Math.abs(Number(place) - Number(places[at])));
  expect(new Set(steps)).toEqual(new Set([1]));
});

test('an administrator without a name is no address to the owner', async () => {
  const other = await panel.reseller({ group_id: '1' });
  const [{ id: adminId }, email] = [(await other.client.get('/api/me')).body, other.email];
  const opened = await owner.client.post('/api/tickets', { title: 'Who?', description: 'Text' });
  const path = `/api/tickets/${opened.body.ticket.id}`;
  await panel.admin.patch(path, { assigned_to: adminId });
  await other.client.post(`${path}/replies`, { content: 'An answer' });
  const [ticket, replies, bell] = [
    await owner.client.get(path),
    await owner.client.get(`${path}/replies`),
    await owner.client.get('/api/notifications'),
  ];
  expect(ticket.body.ticket.assigned_to_name).toBe('Admin');
  expect(replies.body.items.some((line: { user_name: string }) => line.user_name === 'Admin')).toBe(
    true,
  );
  expect(JSON.stringify([ticket.body, replies.body, bell.body])).not.toContain(email);
  expect((await panel.admin.get(path)).body.ticket.assigned_to_name).toBe(email);
});

test('those above an account do not read in its activity that it wrote', async () => {
  const below = await panel.below(owner);
  await below.client.post('/api/tickets', { title: 'Mine', description: 'Text' });
  const history = async (client = owner.client) =>
    JSON.stringify((await client.get(`/api/accounts/${below.id}/activity`)).body.items);
  expect(await history()).toContain('account.create');
  expect(await history()).not.toContain('ticket.');
  expect(await history(below.client)).toContain('ticket.create');
  expect(await history(panel.admin)).toContain('ticket.create');
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
