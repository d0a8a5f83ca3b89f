// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Panel } from '../../commands/panel.ts';
import {
  databases,
  startSecondPanel,
  startTestPanel,
  type TestPanel,
} from '../../testing/panel.ts';
import { publishMessages, queueMessageMails } from './publish-messages.ts';

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe('two panels', () => {
  let panel: TestPanel;
  let second: Panel;
  beforeAll(async () => {
    panel = await startTestPanel('postgres', { SMTP_URL: 'smtp://127.0.0.1:1' });
    second = await startSecondPanel(panel);
  });

  test('publish and mail each message once, to those who want mails of it', async () => {
    const { db } = panel.services;
    const readers = await Promise.all(Array.from({ length: 3 }, () => panel.reseller()));
    const [silent] = readers;
    await silent?.client.patch('/api/me/settings', { mails: { message: false } });
    const { body } = await panel.admin.post('/api/messages', {
      ...{ title: 'Once', content: 'Content', is_global: true, publish_at: inAnHour() },
    });
    const { id } = body.message;
    const mails = async () => {
      const { rows } = await sql<{ account: string }>`select account_id as account
        from mails where mail ->> 'message_id' = ${id}`.execute(db);
      return rows.map(({ account }) => account).toSorted();
    };
    await queueMessageMails(panel.services);
    expect(await mails()).toEqual([]);
    await sql`update messages set publish_at = clock_timestamp()`.execute(db);
    const both = [panel.services, second.services];
    const published = await Promise.all(both.map((services) => publishMessages(services)));
    expect(published.toSorted()).toEqual([0, 1]);
    await Promise.all(both.map((services) => queueMessageMails(services)));
    await queueMessageMails(panel.services);
    const wanting = readers.slice(1).map((reader) => reader.id);
    expect(await mails()).toEqual(expect.arrayContaining(wanting.toSorted()));
    expect(await mails()).not.toContain(silent?.id);
    expect(new Set(await mails()).size).toBe((await mails()).length);
    expect(await db.selectFrom('message_mails').selectAll().execute()).toEqual([]);
  });
});

describe.each(databases)('on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind, { SMTP_URL: 'smtp://127.0.0.1:1' });
  });

  /** A message that should have been shown between these two times, in seconds before now. */
  async function missed(title: string, from: number, to: number): Promise<string> {
    const { body } = await panel.admin.post('/api/messages', {
      ...{ title, content: 'Content', is_global: true, publish_at: inAnHour() },
    });
    await sql`update messages set publish_at = now() - make_interval(secs => ${from}),
      expires_at = now() - make_interval(secs => ${to})
      where id = ${body.message.id}`.execute(panel.services.db);
    return body.message.id;
  }
  const wishedMails = async () =>
    (await panel.services.db.selectFrom('message_mails').select('message_id').execute()).map(
      ({ message_id }) => message_id,
    );

  test('what ended while no panel ran is neither shown nor mailed', async () => {
    await panel.services.db.deleteFrom('message_mails').execute();
    const id = await missed('Yesterday', 90_000, 86_400);
    const brief = await missed('Brief', 14, 2);
    expect(await publishMessages(panel.services)).toBe(0);
    for (const one of [id, brief]) {
      expect((await panel.admin.get(`/api/messages/${one}`)).body.message.state).toBe('expired');
    }
    expect(await wishedMails()).toEqual([]);
  });

  test('a longer end stays as it was chosen', async () => {
    const id = await missed('Long', 14, -3600);
    const { expires_at } = (await panel.admin.get(`/api/messages/${id}`)).body.message;
    expect(await publishMessages(panel.services)).toBe(1);
    expect((await panel.admin.get(`/api/messages/${id}`)).body.message).toMatchObject({
      state: 'published',
      expires_at,
    });
  });
});
