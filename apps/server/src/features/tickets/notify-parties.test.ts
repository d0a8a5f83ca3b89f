import { beforeAll, describe, expect, test } from 'vitest';
import { uploadText } from '../../testing/files/files.ts';
import { isMailWaiting } from '../../testing/mail/mailbox.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';

let panel: TestPanel;
let owner: TestAccount;
let colleague: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  owner = await panel.reseller();
  colleague = await panel.reseller({ group_id: '1' });
});

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
    .select(['email', 'kind', 'title', 'content', isMailWaiting.as('is_mailed')])
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
    is_mailed: false,
  });
  expect(mine?.content.endsWith(`${'x'.repeat(500)}…`)).toBe(true);
  expect(all.find(({ email }) => email !== colleague.email)?.is_mailed).toBe(true);
});

test('of an answer the owner is told; of what the owner writes the assignee, else all', async () => {
  const { id } = await open();
  const since = async () => (await told(id)).slice(2);
  await reply(id, '**Looking** into [it](/articles)', panel.admin);
  const [answered, ...others] = await since();
  expect(answered).toMatchObject({ email: owner.email, is_mailed: true });
  expect(answered?.content.endsWith(': Looking into it'), answered?.content).toBe(true);
  expect(others).toEqual([]);
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

describe('a reply without a text', () => {
  const send = (id: string, body: object, client = owner.client) =>
    client.post(`/api/tickets/${id}/replies`, body);

  test('is one where files are sent with it, which it is told by, in each language', async () => {
    const { id } = await open();
    const said = {
      en: ' attached: shot.txt, log.txt',
      de: ' hat angehängt: shot.txt, log.txt',
      pl: ', załączniki: shot.txt, log.txt',
      pt: ', em anexo: shot.txt, log.txt',
    };
    for (const [language, text] of Object.entries(said)) {
      await owner.client.patch('/api/me/settings', { language });
      const attachment_ids = [
        await uploadText(panel.admin, 'a', 'shot.txt'),
        await uploadText(panel.admin, 'b', 'log.txt'),
      ];
      const { status, body } = await send(id, { content: ' ', attachment_ids }, panel.admin);
      expect([status, body.reply?.content, body.reply?.attachments.length]).toEqual([201, '', 2]);
      const newest = (await told(id)).at(-1);
      expect(newest?.email).toBe(owner.email);
      expect(newest?.content.endsWith(text), newest?.content).toBe(true);
    }
    const { body } = await owner.client.get(`/api/tickets/${id}/replies`);
    expect(body.items.filter(({ kind }: { kind: string }) => kind === 'reply')).toHaveLength(4);
  });

  test('may leave it out, and may be a note', async () => {
    const { id } = await open();
    const upload = () => uploadText(panel.admin);
    const own = await send(id, { attachment_ids: [await upload()] }, panel.admin);
    expect([own.status, own.body.reply.content]).toEqual([201, '']);
    const before = (await told(id)).length;
    const note = await send(id, { attachment_ids: [await upload()], is_note: true }, panel.admin);
    expect([note.status, note.body.reply.kind, note.body.reply.content]).toEqual([201, 'note', '']);
    expect(await told(id)).toHaveLength(before);
  });

  test('is refused without files, or with files that are none of its own', async () => {
    const { id } = await open();
    for (const body of [{}, { content: '' }, { content: ' \n' }, { attachment_ids: [] }]) {
      const { status, body: refused } = await send(id, body);
      expect([status, refused.fields]).toEqual([
        422,
        { content: 'Write something or attach a file' },
      ]);
    }
    const attachment_ids = [await uploadText(panel.admin)];
    expect((await send(id, { attachment_ids })).body.fields).toMatchObject({
      attachment_ids:
        'Attachment not found. Attachments that are not sent are deleted after a day.',
    });
    const { body } = await owner.client.get(`/api/tickets/${id}/replies`);
    expect(body.items).toEqual([]);
  });
});

const unreadInBell = async (client = owner.client) =>
  (await client.get('/api/notifications?limit=50')).body.items.filter(
    ({ is_read }: { is_read: boolean }) => !is_read,
  );

test('who reads a ticket has nothing new of it in the bell; of others it has', async () => {
  const [read, other] = [await open(), await open()];
  for (const { id } of [read, other]) await reply(id, 'An answer', panel.admin);
  const before = await unreadInBell();
  expect((await owner.client.post(`/api/tickets/${read.id}/read`)).status).toBe(200);
  const after = await unreadInBell();
  expect(after).toHaveLength(before.length - 1);
  expect(after.map(({ link }: { link: string }) => link)).toContain(`/tickets/${other.id}`);
  expect(after.map(({ link }: { link: string }) => link)).not.toContain(`/tickets/${read.id}`);
});

test('who is no administrator any more is told nothing of the tickets of others', async () => {
  const former = await panel.reseller({ group_id: '1' });
  const own = (await former.client.post('/api/tickets', { title: 'Mine', description: 'x' })).body;
  await reply(own.ticket.id, 'An answer', panel.admin);
  const { id } = await open('secret');
  const links = async () =>
    (await former.client.get('/api/notifications?limit=50')).body.items.map(
      ({ link }: { link: string }) => link,
    );
  expect(await links()).toEqual([`/tickets/${id}`, `/tickets/${own.ticket.id}`]);
  const path = `/api/accounts/${former.id}`;
  expect((await panel.admin.patch(path, { group_id: '2' })).status).toBe(200);
  expect(await links()).toEqual([`/tickets/${own.ticket.id}`]);
});
