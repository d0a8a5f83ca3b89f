import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isMailWaiting } from '../../testing/mail/mailbox.ts';
import { ADMIN, databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';
import { deleteOldSpam } from './inbox.ts';

const PATH = '/api/contact';
const sent = {
  name: 'Zoë Żak',
  email: 'zoe@visitor.example',
  subject: 'Prices for 20 lines',
  message: 'Good day,\n\nwhat do 20 lines cost?',
};
const another = (number: number) => ({ ...sent, message: `Question ${number}` });

describe.each(databases)('the contact form on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
  });
  beforeEach(async () => {
    await panel.services.db.deleteFrom('contact_messages').execute();
    await panel.services.db.deleteFrom('rate_limits').execute();
    await panel.services.db.deleteFrom('notifications').execute();
  });

  const write = (body: object = sent) => panel.anonymous().send('POST', PATH, body);
  const inbox = async (query = '') => (await panel.admin.get(PATH + query)).body;
  const first = async () => (await inbox()).items[0];

  test('keeps what a visitor writes and tells the administrators at once', async () => {
    const stream = await openEventStream(panel.admin);
    expect(await write()).toMatchObject({ status: 200, body: { success: true } });
    expect(await inbox()).toMatchObject({
      total: 1,
      items: [{ ...sent, status: 'open', account_id: null, account_email: null, answer: null }],
    });
    await stream.hears({ table: 'contact_messages', op: 'INSERT' });
    await stream.hears({ table: 'notifications', op: 'INSERT' });
    stream.close();
    const told = await panel.services.db
      .selectFrom('notifications')
      .selectAll()
      .select(isMailWaiting.as('is_mailed'))
      .execute();
    expect(told).toMatchObject([
      {
        kind: 'mail',
        title: 'Message from Zoë Żak',
        content: 'Prices for 20 lines (zoe@visitor.example)',
        link: '/support/contact',
        is_mailed: true,
      },
    ]);
  });

  test('keeps once what is sent again after a lost reply', async () => {
    const replies = await Promise.all([write(), write(), write()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await inbox()).total).toBe(1);
    await write({ ...sent, message: 'Something else' });
    expect((await inbox()).total).toBe(2);
  });

  test('takes ten messages of one address in an hour, then says how long to wait', async () => {
    for (let number = 1; number <= 10; number++) {
      expect((await write(another(number))).status).toBe(200);
    }
    const refused = await write(another(11));
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect((await inbox()).total).toBe(10);
  });

  test('lets a program that fills in every field believe that it was heard', async () => {
    const reply = await write({ ...sent, homepage: 'https://spam.example' });
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    expect((await inbox()).items).toEqual([]);
    expect((await inbox('?status=spam')).items).toMatchObject([{ status: 'spam' }]);
    expect(await panel.services.db.selectFrom('notifications').selectAll().execute()).toEqual([]);
  });

  test('keeps what is sent again without the field that a browser had filled in', async () => {
    await write({ ...sent, homepage: 'https://filled.example' });
    expect((await write()).status).toBe(200);
    expect((await inbox()).items).toMatchObject([{ message: sent.message }]);
  });

  test('does not count what accounts send against the address they share', async () => {
    for (let number = 1; number <= 10; number++) await write(another(number));
    const { client } = await panel.reseller();
    const { status, body } = await client.post('/api/contact', sent);
    expect([status, body.ticket]).toEqual([
      200,
      { id: expect.any(String), number: expect.any(Number) },
    ]);
  });

  test('deletes old spam and nothing else', async () => {
    await write();
    await write({ ...sent, subject: 'Old spam', homepage: 'x' });
    const { db } = panel.services;
    const old = new Date(Date.now() - 31 * 24 * 3600 * 1000);
    await db.updateTable('contact_messages').set({ created_at: old }).execute();
    await write({ ...sent, subject: 'New spam', homepage: 'x' });
    await deleteOldSpam(db);
    const kept = await db.selectFrom('contact_messages').select('subject').orderBy('id').execute();
    expect(kept.map(({ subject }) => subject)).toEqual([sent.subject, 'New spam']);
  });

  test.each([
    ['name', '', 'REQUIRED'],
    ['name', 'x'.repeat(101), 'TOO_LONG'],
    ['email', 'nobody', 'INVALID_EMAIL'],
    ['subject', 'two\nlines', 'HIDDEN_LETTERS'],
    ['subject', 'x'.repeat(151), 'TOO_LONG'],
    ['message', '   ', 'REQUIRED'],
    ['message', 'x'.repeat(5001), 'TOO_LONG'],
    ['language', 'xx', 'INVALID_VALUE'],
  ])('refuses the %s %.10s: %s', async (field, value, code) => {
    const reply = await write({ ...sent, [field]: value });
    expect([reply.status, reply.body.data.field_codes]).toEqual([422, { [field]: code }]);
    expect((await inbox()).total).toBe(0);
  });

  test('refuses fields that the server sets', async () => {
    for (const field of ['status', 'account_id', 'answer', 'created_at']) {
      expect((await write({ ...sent, [field]: 'x' })).status).toBe(422);
    }
  });

  test('is found by name, address, subject and message, and by status', async () => {
    await write();
    await write({ ...sent, name: 'Bo', email: 'bo@b.example', subject: 'Other', message: 'Wait' });
    for (const q of ['zoe', 'VISITOR', 'prices', '20 lines cost', 'zak']) {
      const { items } = await inbox(`?q=${encodeURIComponent(q)}`);
      expect([q, items.map(({ name }: { name: string }) => name)]).toEqual([q, [sent.name]]);
    }
    const [{ id }] = (await inbox('?q=Bo')).items;
    await panel.admin.patch(`${PATH}/${id}`, { closed: true });
    expect((await inbox('?status=closed')).items).toMatchObject([{ name: 'Bo' }]);
    expect((await inbox('?status=open')).items).toMatchObject([{ name: sent.name }]);
  });

  test('is read page by page, newest first', async () => {
    for (let number = 1; number <= 5; number++) await write(another(number));
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await inbox(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ message }: { message: string }) => message));
      if (!page.next_cursor) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map((number) => `Question ${number}`));
  });

  test('is answered once, closed and reopened, and the audit log tells it', async () => {
    await write();
    const { id } = await first();
    const edit = (body: object) => panel.admin.patch(`${PATH}/${id}`, body);
    expect((await edit({ answer: 'They cost 40 credits.' })).body.contact).toMatchObject({
      status: 'answered',
      answer: 'They cost 40 credits.',
      answered_by: ADMIN.email,
      // This panel sends no mail.
      answer_is_mailed: false,
    });
    expect(await edit({ answer: 'Or 50.' })).toMatchObject({
      status: 409,
      body: { code: 'CONTACT_ANSWERED' },
    });
    expect((await edit({ closed: true })).body.contact.status).toBe('closed');
    expect((await edit({ closed: true })).body.contact.status).toBe('closed');
    expect((await edit({ closed: false })).body.contact.status).toBe('answered');
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual([
      'contact.answer',
      'contact.close',
      'contact.reopen',
    ]);
    const { body } = await panel.admin.get('/api/audit?subject_type=contact');
    expect(body.items[0]).toMatchObject({ subject_name: sent.subject });
  });

  test('can be answered and closed in one, and spam is no more when it is reopened', async () => {
    await write();
    const { id } = await first();
    const both = await panel.admin.patch(`${PATH}/${id}`, { answer: 'Yes.', closed: true });
    expect(both.body.contact).toMatchObject({ status: 'closed', answer: 'Yes.' });
    await write({ ...sent, subject: 'Not spam', homepage: 'filled in by the browser' });
    const [spam] = (await inbox('?status=spam')).items;
    await panel.admin.patch(`${PATH}/${spam.id}`, { closed: false });
    expect((await inbox('?status=open')).items).toMatchObject([{ subject: 'Not spam' }]);
  });

  test('of two answers side by side keeps one', async () => {
    await write();
    const { id } = await first();
    const answer = (text: string) => panel.admin.patch(`${PATH}/${id}`, { answer: text });
    const replies = await Promise.all([answer('One'), answer('Two')]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [kept] = replies.filter(({ status }) => status === 200);
    expect((await first()).answer).toBe(kept?.body.contact.answer);
  });

  test('is answered by administrators only, and only where it is', async () => {
    await write();
    const { id } = await first();
    const seller = await panel.reseller();
    for (const client of [seller.client, panel.anonymous()]) {
      const status = client === seller.client ? 403 : 401;
      expect((await client.get(PATH)).status).toBe(status);
      expect((await client.patch(`${PATH}/${id}`, { answer: 'Mine' })).status).toBe(status);
    }
    const missing = await panel.admin.patch(`${PATH}/${crypto.randomUUID()}`, { closed: true });
    expect(missing).toMatchObject({ status: 404, body: { code: 'CONTACT_NOT_FOUND' } });
    expect((await first()).answer).toBeNull();
  });
});
