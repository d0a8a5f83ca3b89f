import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { SALES } from '../../../domain/credits/credits.ts';
import { expectBalancedBooks, transfersOf } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  databases,
  startTestShop,
  type TestAgent,
  type TestPanel,
} from '../../../testing/panel.ts';

describe.each(databases)('a sale on %s', (kind) => {
  let panel: TestPanel;
  let agent: TestAgent;
  let serverId: string;
  beforeAll(async () => {
    const shop = await startTestShop(kind);
    ({ panel, agent, serverId } = shop);
    return shop.stop;
  });

  test('debits once, stores the line and reaches the card server', {
    tags: ['spec:1.4', 'spec:3.11', 'spec:6.9', 'spec:7.13'],
  }, async () => {
    const { client, id, email } = await panel.reseller();
    await client.send('PATCH', '/api/me', { full_name: 'Jürgen Großmann' });
    const today = panel.services.today();
    const reply = await client.post('/api/lines', newLine('anna', { subscription_months: 3 }));
    expect(reply).toMatchObject({ status: 201, body: { cost: 4, credits: 96 } });
    expect(reply.body.sync).toEqual({ ok: true, message: null });
    expect(reply.body.line).toMatchObject({
      username: 'anna',
      password: null,
      protocol: 'cccam',
      host_port: ['127.0.0.1:12000'],
      added_date: today,
      expiry_date: addMonths(today, 3),
      live_channel: 'Info',
      info: 'Info',
      status: [{ label: 'active', color: 'success' }],
      owner_id: id,
      owner_email: email,
      owner_name: 'Jürgen Großmann',
      server_id: serverId,
      is_trial: false,
      subscription_months: 3,
      sync_state: 'synced',
      sync_message: null,
      notes: null,
      name: null,
    });

    const transfers = await transfersOf(panel.services.db, id);
    expect(transfers.map(({ kind }) => kind)).toEqual(['mint', 'sale']);
    expect(transfers[1]).toMatchObject({
      from_id: id,
      to_id: SALES,
      amount: 4,
      actor_id: id,
      line_id: reply.body.line.id,
      username: 'anna',
    });
    await expectBalancedBooks(panel.services.db);

    const { cccam, oscam } = await readServerFiles(agent);
    expect(cccam).toContain('F: anna pw-anna\n');
    expect(oscam).toContain(
      `[account]\nuser = anna\npwd = pw-anna\nexpdate = ${addMonths(today, 3)}\n`,
    );

    const list = await client.get('/api/lines');
    expect(list.body).toMatchObject({ items: [reply.body.line], total: 1, total_is_exact: true });
    expect((await client.get(`/api/lines/${reply.body.line.id}`)).body).toEqual(reply.body.line);
    expect((await client.get('/api/me')).body.credits).toBe(96);
  });

  test('costs an administrator nothing: no transfer, but a note in the audit log', {
    tags: ['spec:6.5'],
  }, async () => {
    const { body: me } = await panel.admin.get('/api/me');
    const reply = await panel.admin.post('/api/lines', newLine('by-admin'));
    expect(reply).toMatchObject({ status: 201, body: { cost: 0, credits: 1000 } });
    expect(await transfersOf(panel.services.db, me.id)).toEqual([]);
    const noted = await panel.services.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action'])
      .where('subject_id', '=', reply.body.line.id)
      .execute();
    expect(noted).toEqual([{ actor_id: me.id, action: 'line.create' }]);
  });

  test('keeps everything the seller wrote down', { tags: ['spec:3.9', 'spec:3.12'] }, async () => {
    const { client } = await panel.reseller();
    const about = {
      protocol: 'newcamd',
      host_port: ['cards.example:15000', '10.0.0.1:15001'],
      user_value: 'group 7',
      live_channel: 'Das Erste',
      info: 'two boxes',
      name: 'Jürgen Żółw',
      company: "O'Neil; drop table users",
      role: 'guest',
      avatar_url: 'https://pictures.example/a.png',
      email: 'jurgen@example.com',
      notes: 'first line\nsecond line',
    };
    const { body } = await client.post(
      '/api/lines',
      newLine('juergen', { ...about, status: 'Paused' }),
    );
    const stored = (await client.get(`/api/lines/${body.line.id}`)).body;
    expect(stored).toMatchObject({ ...about, status: [{ label: 'Paused', color: 'info' }] });
  });

  test('of a trial is free and lasts the days of the setting', {
    tags: ['spec:1.4', 'spec:4.7', 'spec:9.7'],
  }, async () => {
    const { client, id } = await panel.reseller({ credits: 1 });
    const body = newLine('tryout', { subscription_months: undefined, is_trial: true });
    const reply = await client.post('/api/lines', body);
    expect(reply).toMatchObject({
      status: 201,
      body: {
        cost: 0,
        credits: 1,
        sync: { ok: true },
        line: {
          is_trial: true,
          subscription_months: null,
          expiry_date: addDays(panel.services.today(), 2),
        },
      },
    });
    expect((await transfersOf(panel.services.db, id)).map(({ kind }) => kind)).toEqual(['mint']);
  });
});
