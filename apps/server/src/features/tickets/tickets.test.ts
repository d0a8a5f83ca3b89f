import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

describe.each(databases)('tickets on %s', (kind) => {
  let panel: TestPanel;
  let owner: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    owner = await panel.reseller();
  });

  const open = async (fields: object = {}, { client } = owner) => {
    const body = { title: 'Not on server', description: '**jaskolka** is gone', ...fields };
    return (await client.post('/api/tickets', body)).body.ticket;
  };
  const read = async (id: string, client = owner.client) =>
    (await client.get(`/api/tickets/${id}`)).body.ticket;
  const lines = async (id: string, client = owner.client) =>
    (await client.get(`/api/tickets/${id}/replies`)).body.items;
  const reply = (id: string, content: string, client = owner.client, more: object = {}) =>
    client.post(`/api/tickets/${id}/replies`, { content, ...more });
  const counts = async (client = owner.client) => (await client.get('/api/tickets/counts')).body;

  test('are opened with what is given, and unread by administrators only', {
    tags: ['spec:3.25', 'spec:4.22', 'spec:7.25'],
  }, async () => {
    const plain = await open();
    expect(plain).toMatchObject({
      title: 'Not on server',
      description: '**jaskolka** is gone',
      status: 'open',
      priority: 'medium',
      category: 'general',
      user_id: owner.id,
      assigned_to: null,
      is_read: true,
      replies: 0,
    });
    const given = { status: 'pending', priority: 'urgent', category: 'billing' };
    const chosen = await open(given);
    expect(chosen).toMatchObject(given);
    expect(chosen.number).toBe(plain.number + 1);
    expect((await read(chosen.id, panel.admin)).is_read).toBe(false);
  });

  test('take neither owner nor assignee from whoever opens them', {
    tags: ['spec:7.25'],
  }, async () => {
    for (const more of [{ user_id: owner.id }, { assigned_to: owner.id }, { is_read: true }]) {
      const body = { title: 'Mine', description: 'Text', ...more };
      expect((await owner.client.post('/api/tickets', body)).status).toBe(422);
    }
  });

  test('are opened once by requests with one key', async () => {
    const before = (await counts()).all;
    const body = { title: 'Once', description: 'Pressed twice' };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const replies = await Promise.all(
      [1, 2, 3].map(() => owner.client.post('/api/tickets', body, headers)),
    );
    expect(new Set(replies.map((one) => one.body.ticket.id)).size).toBe(1);
    expect((await counts()).all).toBe(before + 1);
  });

  test('are for their owner and administrators: those above see none of them', {
    tags: ['spec:5.25', 'spec:6.3', 'spec:6.14', 'spec:8.31', 'spec:8.32'],
  }, async () => {
    const below = await panel.below(owner);
    const { id } = await open({}, below);
    for (const { client } of [owner, await panel.reseller()]) {
      expect((await client.get(`/api/tickets/${id}`)).body.message).toBe('Ticket not found');
      expect((await client.get(`/api/tickets/${id}/replies`)).status).toBe(404);
      expect((await reply(id, 'Let me in', client)).status).toBe(404);
      expect((await client.post(`/api/tickets/${id}/read`)).status).toBe(404);
      expect((await client.patch(`/api/tickets/${id}`, { status: 'closed' })).status).toBe(404);
      const { items } = (await client.get('/api/tickets')).body;
      expect(items.map((ticket: { id: string }) => ticket.id)).not.toContain(id);
    }
    expect((await read(id, panel.admin)).user_id).toBe(below.id);
  });

  test('say it in the words of their own calls where nobody is signed in', {
    tags: ['spec:5.25', 'spec:8.28', 'spec:8.30'],
  }, async () => {
    const { id } = await open();
    const nobody = panel.anonymous();
    const said = async (call: Promise<{ status: number; body: { message: string } }>) => {
      const { status, body } = await call;
      return [status, body.message];
    };
    expect(await said(nobody.get('/api/tickets'))).toEqual([401, 'User not authenticated']);
    expect(await said(reply(id, 'Hello', nobody))).toEqual([
      401,
      'You must be logged in to add a reply',
    ]);
    expect(await said(owner.client.delete(`/api/tickets/${id}`))).toEqual([
      403,
      'You do not have permission to access this page. This page is only accessible to administrators.',
    ]);
  });

  test('are in progress once an administrator replies, and open again once the owner does', {
    tags: ['spec:4.23', 'spec:4.24', 'spec:6.14', 'spec:7.27', 'spec:7.28'],
  }, async () => {
    const { id, updated_at } = await open();
    expect((await reply(id, 'Looking', panel.admin)).body.reply).toMatchObject({
      kind: 'reply',
      is_admin: true,
      content: 'Looking',
    });
    const answered = await read(id);
    expect(answered).toMatchObject({ status: 'in_progress', is_read: false, replies: 1 });
    expect(answered.updated_at > updated_at).toBe(true);
    expect((await lines(id)).map((line: { kind: string }) => line.kind)).toEqual([
      'reply',
      'event',
    ]);
    await owner.client.patch(`/api/tickets/${id}`, { status: 'closed' });
    await reply(id, 'Not yet', panel.admin);
    expect((await read(id)).status).toBe('closed');
    expect((await reply(id, 'Still gone')).body.reply.is_admin).toBe(false);
    expect((await read(id)).status).toBe('open');
    const events = (await lines(id)).flatMap((line: { event: unknown }) => line.event ?? []);
    expect(events).toEqual([
      { field: 'status', from: 'open', to: 'in_progress' },
      { field: 'status', from: 'in_progress', to: 'closed' },
      { field: 'status', from: 'closed', to: 'open' },
    ]);
  });

  test('are closed and opened again by their owner, who may change nothing else', async () => {
    const { id } = await open();
    const patch = async (body: object) =>
      (await owner.client.patch(`/api/tickets/${id}`, body)).body;
    expect((await patch({ status: 'closed' })).ticket.status).toBe('closed');
    expect((await patch({ status: 'open' })).ticket.status).toBe('open');
    for (const body of [
      { status: 'pending' },
      { status: 'in_progress' },
      { priority: 'urgent' },
      { category: 'billing' },
      { assigned_to: null },
      { status: 'closed', priority: 'low' },
    ]) {
      expect((await patch(body)).code, JSON.stringify(body)).toBe('ADMIN_ONLY_FIELD');
    }
    expect(await read(id)).toMatchObject({ status: 'open', priority: 'medium' });
  });

  test('are assigned to administrators, and each change is a line that names what was', {
    tags: ['spec:7.26'],
  }, async () => {
    const { id, updated_at } = await open();
    const me = (await panel.admin.get('/api/me')).body;
    const patch = (body: object) => panel.admin.patch(`/api/tickets/${id}`, body);
    expect((await patch({ assigned_to: owner.id })).body.fields).toEqual({
      assigned_to: 'A ticket can only be assigned to an administrator',
    });
    await patch({ assigned_to: me.id, priority: 'high', category: 'technical' });
    await patch({ assigned_to: me.id });
    const seen = await read(id, panel.admin);
    expect(seen.updated_at > updated_at).toBe(true);
    expect(seen).toMatchObject({ assigned_to: me.id, priority: 'high', category: 'technical' });
    // The administrator had not opened the ticket, and a change does not count as reading.
    expect(seen.is_read).toBe(false);
    const events = (await lines(id)).map((line: { event: object }) => line.event);
    expect(events).toEqual([
      { field: 'priority', from: 'medium', to: 'high' },
      { field: 'category', from: 'general', to: 'technical' },
      { field: 'assigned_to', from: null, to: me.full_name || me.username || expect.any(String) },
    ]);
  });

  test('keep what each reader has read', { tags: ['spec:4.27', 'spec:7.29'] }, async () => {
    const other = await panel.reseller({ group_id: '1' });
    const { id } = await open();
    await panel.admin.post(`/api/tickets/${id}/read`);
    expect((await read(id, panel.admin)).is_read).toBe(true);
    expect((await read(id, other.client)).is_read).toBe(false);
    await reply(id, 'Answer', other.client);
    expect((await read(id, other.client)).is_read).toBe(true);
    expect((await read(id, panel.admin)).is_read).toBe(false);
    expect((await lines(id))[0].is_read).toBe(false);
    const { unread } = await counts();
    await owner.client.post(`/api/tickets/${id}/read`);
    expect((await lines(id))[0].is_read).toBe(true);
    expect((await counts()).unread).toBe(unread - 1);
  });

  test('are counted by what is not closed', { tags: ['spec:4.25'] }, async () => {
    const somebody = await panel.reseller();
    const made = [];
    for (const status of ['open', 'in_progress', 'pending', 'closed']) {
      made.push(await open({ status }, somebody));
    }
    expect(await counts(somebody.client)).toEqual({
      all: 4,
      active: 3,
      closed: 1,
      unread: 0,
      assigned_to_me: 0,
      unassigned: 3,
    });
    await reply(made[0].id, 'Answer', panel.admin);
    expect(await counts(somebody.client)).toMatchObject({ unread: 1, active: 3 });
  });

  test('are deleted by administrators with all that was said in and of them', {
    tags: ['spec:7.26'],
  }, async () => {
    const { id } = await open();
    await reply(id, 'Answer', panel.admin);
    await reply(id, 'Between us', panel.admin, { is_note: true });
    expect((await panel.admin.delete(`/api/tickets/${id}`)).status).toBe(200);
    expect((await owner.client.get(`/api/tickets/${id}`)).status).toBe(404);
    const { db } = panel.services;
    for (const table of ['ticket_replies', 'ticket_notes', 'ticket_reads'] as const) {
      expect(await db.selectFrom(table).selectAll().where('ticket_id', '=', id).execute()).toEqual(
        [],
      );
    }
    const told = await db
      .selectFrom('notifications')
      .selectAll()
      .where('link', '=', `/tickets/${id}`)
      .execute();
    expect(told).toEqual([]);
  });

  test('are refused in hundreds from one account, and replies likewise', async () => {
    const loud = await panel.reseller();
    const { id } = await open({}, loud);
    const { db } = panel.services;
    await sql`update rate_limits set count = 1000 where subject = ${loud.id}`.execute(db);
    const body = { title: 'More', description: 'More' };
    expect((await loud.client.post('/api/tickets', body)).status).toBe(429);
    for (let count = 0; count < 120; count++) await reply(id, `${count}`, loud.client);
    expect((await reply(id, 'One too many', loud.client)).status).toBe(429);
    expect((await reply(id, 'Of an administrator', panel.admin)).status).toBe(201);
    const first = (await loud.client.get(`/api/tickets/${id}/replies?sort=-created_at&limit=50`))
      .body;
    expect(first.items[0].kind).toBe('event');
    expect(first.items[1].content).toBe('Of an administrator');
    const next = await loud.client.get(
      `/api/tickets/${id}/replies?sort=-created_at&limit=100&cursor=${first.next_cursor}`,
    );
    expect(next.body.items.at(-1).content).toBe('0');
    expect(next.body.next_cursor).toBeNull();
  });
});
