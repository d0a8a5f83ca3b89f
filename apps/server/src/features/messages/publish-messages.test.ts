import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Panel, startPanel } from '../../panel.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { queueMessageMails } from './message-mails.ts';
import { publishMessages } from './publish-messages.ts';

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe('two panels', () => {
  let panel: TestPanel;
  let second: Panel;
  beforeAll(async () => {
    panel = await startTestPanel('postgres', { SMTP_URL: 'smtp://127.0.0.1:1' });
    second = await startPanel(panel.env, pino({ level: 'silent' }));
  });
  afterAll(async () => {
    await second?.close();
    await panel?.stop();
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
      const { rows } = await sql<{ account: string }>`select data ->> 'account_id' as account
        from pgboss.job where data ->> 'message_id' = ${id}`.execute(db);
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
