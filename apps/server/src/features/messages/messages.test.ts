import type { Message } from '@linekeeper/contract/messages.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { startMemoryCardServer } from '../../testing/card-servers/memory-card-server.ts';
import { newLine } from '../../testing/lines.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';
import { publishMessages } from './publish-messages.ts';

type Client = TestAccount['client'];

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe.each(databases)('messages on %s', (kind) => {
  let panel: TestPanel;
  let one: TestAccount;
  let other: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    [one, other] = [await panel.reseller(), await panel.reseller({ group_id: '3' })];
  });

  const create = (body: object, client = panel.admin) =>
    client.post('/api/messages', {
      title: 'Title',
      content: 'Content',
      is_global: true,
      ...body,
    });
  const send = async (body: object = {}): Promise<Message> => {
    const reply = await create(body);
    expect([reply.status, reply.body]).toEqual([201, expect.anything()]);
    return reply.body.message;
  };
  const toOne = (body: object = {}) => send({ is_global: false, recipient_id: one.id, ...body });
  const listed = async (client: Client, query = ''): Promise<string[]> =>
    (await client.get(`/api/messages?limit=100${query}`)).body.items.map(({ id }: Message) => id);
  const inBell = async (client: Client) =>
    (await client.get('/api/notifications?limit=100')).body.items.map(({ id }: Message) => id);
  const unread = async (client: Client) =>
    (await client.get('/api/messages/unread-count')).body.count;
  const ring = async (client: Client) =>
    (await client.get('/api/notifications/unread-count')).body.count;
  const get = (client: Client, id: string) => client.get(`/api/messages/${id}`);
  /** Moves the time of a message into the past, as if it had come. */
  const setBack = (id: string, column: 'publish_at' | 'expires_at') =>
    sql`update messages set ${sql.ref(column)} = clock_timestamp() - interval '1 second'
      where id = ${id}::uuid`.execute(panel.services.db);

  test('one to the accounts with lines on a server is theirs, each in the language of the account', async () => {
    const server = await startMemoryCardServer();
    const { id: server_id } = await panel.addServer(server.url, 'Gdynia 1');
    const above = await panel.reseller();
    const seller = await panel.below(above, { credits: 20 });
    const line = newLine(`told-${kind}`, { server_id });
    await seller.client.post('/api/lines', line);
    await seller.client.patch('/api/me/settings', { language: 'pl' });
    const stream = await openEventStream(seller.client);
    const texts = {
      en: { title: 'Gdynia 1 is away', content: 'It will be back.' },
      pl: { title: 'Gdynia 1 nie działa', content: 'Wkrótce wróci.' },
    };
    const message = await send({ ...texts.en, is_global: false, server_id, texts });
    await stream.hears({ table: 'messages' });
    stream.close();
    expect(message).toMatchObject({ server_id, server_name: 'Gdynia 1', reader_count: 2 });
    for (const { client } of [above, seller]) {
      expect(await listed(client)).toContain(message.id);
      expect(await listed(client, '&unread=true')).toContain(message.id);
      expect((await inBell(client))[0]).toBe(message.id);
    }
    expect(await unread(seller.client)).toBe(await ring(seller.client));
    for (const client of [one.client, other.client]) {
      expect(await listed(client)).not.toContain(message.id);
      expect((await get(client, message.id)).status).toBe(404);
    }
    const read = await get(seller.client, message.id);
    expect(read.body.message).toMatchObject(texts.pl);
    expect((await get(above.client, message.id)).body.message).toMatchObject(texts.en);
    expect((await seller.client.get('/api/notifications')).body.items[0]).toMatchObject(texts.pl);
    await seller.client.post(`/api/messages/${message.id}/read`);
    expect((await get(panel.admin, message.id)).body.message.read_count).toBe(1);

    // The readers of the message are determined when it is published.
    const later = await send({ is_global: false, server_id, publish_at: inAnHour() });
    await one.client.post('/api/lines', newLine(`later-${kind}`, { server_id }));
    await setBack(later.id, 'publish_at');
    await publishMessages(panel.services);
    expect(await listed(one.client)).toContain(later.id);

    const refused = { is_global: true, server_id };
    expect((await create(refused)).body.fields).toHaveProperty('server_id');
    const gone = { is_global: false, server_id: crypto.randomUUID() };
    expect((await create(gone)).body.code).toBe('SERVER_NOT_FOUND');
  });

  test('one to everyone is one row that each reads for themselves', {
    tags: ['spec:1.7', 'spec:4.26', 'spec:7.22'],
  }, async () => {
    const [before, beforeOther] = [await unread(one.client), await unread(other.client)];
    const { id } = await send({ title: 'To all' });
    expect([await unread(one.client), await unread(other.client)]).toEqual([
      before + 1,
      beforeOther + 1,
    ]);
    expect((await get(one.client, id)).body.message).toMatchObject({
      title: 'To all',
      is_global: true,
      is_read: false,
      state: 'published',
      recipient_name: null,
      read_count: null,
      reader_count: null,
    });
    expect((await one.client.post(`/api/messages/${id}/read`)).status).toBe(200);
    expect((await one.client.post(`/api/messages/${id}/read`)).status).toBe(200);
    expect([await unread(one.client), await unread(other.client)]).toEqual([
      before,
      beforeOther + 1,
    ]);
    expect((await get(one.client, id)).body.message.is_read).toBe(true);
    const { body } = await get(panel.admin, id);
    const { accounts } = await panel.services.db
      .selectFrom('auth_users')
      .select((of) => of.fn.countAll<number>().as('accounts'))
      .executeTakeFirstOrThrow();
    expect(body.message).toMatchObject({ read_count: 1, reader_count: Number(accounts) - 1 });
    const rows = await panel.services.db
      .selectFrom('notifications')
      .select('id')
      .where('title', '=', 'To all')
      .execute();
    expect(rows).toEqual([]);
  });

  test('one to an account is seen by it and by administrators alone', {
    tags: ['spec:1.7', 'spec:6.4', 'spec:6.11', 'spec:7.19', 'spec:7.20'],
  }, async () => {
    const { id } = await toOne({ title: 'For one' });
    expect(await listed(one.client)).toContain(id);
    expect(await listed(panel.admin)).toContain(id);
    expect(await listed(other.client)).not.toContain(id);
    expect(await inBell(other.client)).not.toContain(id);
    expect(await inBell(panel.admin)).not.toContain(id);
    for (const reply of [
      await get(other.client, id),
      await other.client.post(`/api/messages/${id}/read`),
    ]) {
      expect([reply.status, reply.body.message]).toEqual([404, 'Message not found']);
    }
    expect((await panel.admin.get('/api/messages?limit=1')).body.items[0]).toMatchObject({
      id,
      recipient_id: one.id,
      recipient_name: one.email,
      is_read: true,
    });
  });

  test('only administrators create and delete', {
    tags: ['spec:5.24', 'spec:6.7', 'spec:8.28', 'spec:8.29'],
  }, async () => {
    const refused = await create({}, one.client);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only admins can create messages',
    ]);
    const visitor = await panel.anonymous().get('/api/messages');
    expect([visitor.status, visitor.body.message]).toEqual([401, 'User not authenticated']);
    const { id } = await send();
    expect((await one.client.delete(`/api/messages/${id}`)).status).toBe(403);
    expect((await panel.admin.delete(`/api/messages/${id}`)).status).toBe(200);
    expect((await panel.admin.delete(`/api/messages/${id}`)).status).toBe(404);
    expect(await listed(one.client)).not.toContain(id);
    expect(await inBell(one.client)).not.toContain(id);
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('subject_type', '=', 'message')
      .where('subject_id', '=', id)
      .execute();
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'message.create',
      'message.delete',
    ]);
    expect(JSON.stringify(entries)).not.toContain('Content');
  });

  test.each([
    [{ title: '' }, 'title', 'This field is required'],
    [{ content: ' ' }, 'content', 'This field is required'],
    [{ title: 'x'.repeat(121) }, 'title', expect.stringContaining('At most')],
    [
      { is_global: false },
      'recipient_id',
      'Choose everyone, one account or one server as the recipient',
    ],
    [{ expires_at: '2020-01-01' }, 'expires_at', 'The end must be after the start'],
    [
      { publish_at: '2030-01-02', expires_at: '2030-01-01' },
      'expires_at',
      'The end must be after the start',
    ],
    [{ created_by: crypto.randomUUID() }, 'created_by', 'Unknown field'],
  ])('%j is refused', async (body, field, text) => {
    const reply = await create(body);
    expect([reply.status, reply.body.fields]).toEqual([422, { [field]: text }]);
  });

  test('one to nobody is refused', async () => {
    const reply = await create({ is_global: false, recipient_id: crypto.randomUUID() });
    expect([reply.status, reply.body]).toEqual([
      404,
      { code: 'USER_NOT_FOUND', message: 'User not found', data: {} },
    ]);
  });

  test('a scheduled one is the administrators’ alone until its moment has come', async () => {
    const { id, state } = await toOne({ title: 'Later', publish_at: inAnHour() });
    expect(state).toBe('scheduled');
    await publishMessages(panel.services);
    expect((await get(one.client, id)).status).toBe(404);
    expect(await listed(one.client, '&state=scheduled')).toEqual([]);
    expect(await inBell(one.client)).not.toContain(id);
    expect(await listed(panel.admin)).not.toContain(id);
    expect(await listed(panel.admin, '&state=scheduled')).toContain(id);
    const before = await unread(one.client);
    await setBack(id, 'publish_at');
    expect(await publishMessages(panel.services)).toBe(1);
    expect(await publishMessages(panel.services)).toBe(0);
    expect(await unread(one.client)).toBe(before + 1);
    expect((await inBell(one.client))[0]).toBe(id);
    expect((await listed(one.client))[0]).toBe(id);
  });

  test('one that ends leaves list, bell and badge at once', async () => {
    const { id } = await send({ expires_at: inAnHour() });
    const [messages, all] = [await unread(one.client), await ring(one.client)];
    expect(await inBell(one.client)).toContain(id);
    await setBack(id, 'expires_at');
    const gone = async () => {
      expect(await unread(one.client)).toBe(messages - 1);
      expect(await ring(one.client)).toBe(all - 1);
      expect(await inBell(one.client)).not.toContain(id);
      expect(await listed(one.client)).not.toContain(id);
      expect(await listed(panel.admin)).not.toContain(id);
      expect(await listed(panel.admin, '&state=expired')).toContain(id);
      expect(await listed(one.client, '&state=expired')).toEqual([]);
      expect((await get(one.client, id)).status).toBe(404);
    };
    await gone();
    await publishMessages(panel.services);
    await gone();
  });

  test('all are read at once, and a later one is unread again', async () => {
    await send();
    await toOne();
    expect(await unread(one.client)).toBeGreaterThan(1);
    expect((await one.client.post('/api/messages/read-all')).status).toBe(200);
    expect(await unread(one.client)).toBe(0);
    expect(await listed(one.client, '&unread=true')).toEqual([]);
    const { id } = await send();
    expect(await unread(one.client)).toBe(1);
    expect(await listed(one.client, '&unread=true')).toEqual([id]);
    expect(await listed(panel.admin, '&unread=true')).not.toContain(id);
    await one.client.post('/api/notifications/read-all');
    expect((await get(panel.admin, id)).body.message.read_count).toBe(1);
  });

  test('the count ends at 100', async () => {
    const late = await panel.reseller();
    await late.client.post('/api/messages/read-all');
    const { id: created_by } = (await panel.admin.get('/api/me')).body;
    await sql`insert into messages (id, title, content, is_global, recipient_id, created_by, state)
      select gen_random_uuid(), 'Many', 'Content', false, ${late.id}::uuid, ${created_by}::uuid,
        'published' from generate_series(1, 150)`.execute(panel.services.db);
    expect([await unread(late.client), await ring(late.client)]).toEqual([100, 100]);
    const paged: string[] = [];
    let cursor = '';
    do {
      const { body } = await late.client.get(`/api/notifications?limit=40${cursor}`);
      paged.push(...body.items.map(({ id }: Message) => id));
      cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : '';
    } while (cursor);
    expect(paged).toHaveLength(new Set(paged).size);
    expect(paged.toSorted()).toEqual(
      (await inBell(late.client)).concat(paged.slice(100)).toSorted(),
    );
    await late.client.post('/api/notifications/read-all');
    expect([await unread(late.client), await ring(late.client)]).toEqual([0, 0]);
  });

  test('are found by words of title and content', async () => {
    const { id } = await send({ title: 'Wartung', content: 'Żółta wiadomość' });
    expect(await listed(other.client, `&q=${encodeURIComponent('zolta')}`)).toEqual([id]);
    expect(await listed(other.client, '&q=wart')).toEqual([id]);
    expect(await listed(other.client, '&q=%25')).toEqual([]);
  });

  test('are heard by those they are to, and by nobody before they are published', {
    tags: ['spec:7.23'],
  }, async () => {
    const streams = await Promise.all(
      [one.client, other.client, panel.admin].map((client) => openEventStream(client)),
    );
    const [mine, theirs, admins] = streams;
    const { id } = await toOne();
    await mine?.hears({ table: 'messages', op: 'INSERT', id });
    const { id: later } = await toOne({ publish_at: inAnHour() });
    await admins?.hears({ table: 'messages', op: 'INSERT', id: later });
    const { id: all } = await send();
    for (const stream of streams) await stream.hears({ table: 'messages', op: 'INSERT', id: all });
    // Messages that were sent before the streams were opened may arrive only now.
    const ours = (stream: typeof mine) =>
      stream?.events.map((event) => event.id).filter((one) => [id, later, all].includes(one ?? ''));
    expect(ours(theirs)).toEqual([all]);
    expect(ours(mine)).toEqual([id, all]);
    await setBack(later, 'publish_at');
    await publishMessages(panel.services);
    await mine?.hears({ table: 'messages', op: 'UPDATE', id: later });
    await other.client.post(`/api/messages/${all}/read`);
    await theirs?.hears({ table: 'message_reads', op: 'INSERT', id: all });
    await panel.admin.delete(`/api/messages/${all}`);
    for (const stream of streams) await stream.hears({ table: 'messages', op: 'DELETE', id: all });
    expect(mine?.events.filter(({ table }) => table === 'message_reads')).toEqual([]);
    expect(theirs?.events.map((event) => event.id)).not.toContain(later);
    for (const stream of streams) stream.close();
  });

  test('the bell marks notifications and messages as read, of the own account alone', async () => {
    const reader = await panel.reseller();
    await panel.below(await panel.below(reader));
    const { body } = await reader.client.get('/api/notifications');
    const told = body.items.find(({ kind }: { kind: string }) => kind === 'friend-interactive');
    expect(told.is_read).toBe(false);
    const { id } = await send({ title: 'In the bell', content: 'x'.repeat(500) });
    const [newest] = (await reader.client.get('/api/notifications?limit=1')).body.items;
    expect(newest).toMatchObject({
      id,
      kind: 'message',
      title: 'In the bell',
      link: `/messages?message=${id}`,
      is_read: false,
    });
    expect(newest.content).toHaveLength(200);
    const before = await ring(reader.client);
    const read = (client: Client, which: string) =>
      client.post(`/api/notifications/${which}/read`).then(({ status }) => status);
    expect(await read(other.client, told.id)).toBe(404);
    expect(await read(panel.admin, told.id)).toBe(404);
    expect([await read(reader.client, told.id), await read(reader.client, id)]).toEqual([200, 200]);
    expect(await ring(reader.client)).toBe(before - 2);
    expect(await read(reader.client, crypto.randomUUID())).toBe(404);
  });
});
