import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import { addOscamServer, startOscamServer } from '../../testing/card-servers/oscam-server.ts';
import { newLine } from '../../testing/lines.ts';
import { checkById } from '../../testing/loops.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';

describe.each(databases)('a server that does not answer, on %s', (kind) => {
  let panel: TestPanel;
  let server: MemoryCardServer;
  let id = '';
  let seller: TestAccount;
  let below: TestAccount;
  let other: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    server = await startMemoryCardServer();
    ({ id } = await panel.addServer(server.url, 'Frankfurt 1'));
    // Otherwise the panel's own loop would check the server too.
    await sql`update cccam_servers set next_check_at = now() + interval '50 seconds'`.execute(
      panel.services.db,
    );
    seller = await panel.reseller();
    below = await panel.below(seller, { credits: 20 });
    other = await panel.reseller();
  });
  afterEach(async () => {
    server.answersWith = null;
  });

  const read = async ({ client }: Pick<TestAccount, 'client'>) =>
    (await client.get('/api/servers/outages')).body;
  const outages = async (account: Pick<TestAccount, 'client'>) => (await read(account)).items;
  const check = async (times: number, checked = id) => {
    for (let time = 0; time < times; time++) {
      await checkById(panel.services, checked);
    }
  };
  const told = async (account: TestAccount) =>
    (await account.client.get('/api/notifications')).body.items
      .filter(({ link }: { link: string }) => link === `/users/all?server=${id}`)
      .map(({ title, content }: { title: string; content: string }) => `${title}. ${content}`);

  test('is told to those with lines on it, and what waits, until it is back', async () => {
    const sold = [];
    for (const name of ['one', 'two']) {
      const line = newLine(`${name}-${kind}`, { server_id: id });
      sold.push((await seller.client.post('/api/lines', line)).body.line.id);
    }
    await below.client.post('/api/lines', newLine(`three-${kind}`, { server_id: id }));
    expect(await outages(seller)).toEqual([]);

    const stream = await openEventStream(seller.client);
    server.answersWith = { status: 503 };
    await check(3);
    await stream.hears({ table: 'cccam_servers' });
    await stream.hears({ table: 'notifications' });
    stream.close();
    await seller.client.post(`/api/lines/${sold[0]}/renew`, { subscription_months: 1 });
    const since = expect.any(String);
    const away = {
      server_id: id,
      server_name: 'Frankfurt 1',
      since,
      no_access: false,
      port_answers: false,
      finding: null,
    };
    // An account sees the lines of the accounts below it.
    expect(await outages(seller)).toEqual([
      { ...away, told_at: null, lines: 2, accounts: 1, waiting: 1 },
    ]);
    const first = { server_away_since: (await outages(seller))[0].since };
    expect((await seller.client.get(`/api/lines/${sold[1]}`)).body).toMatchObject(first);
    expect((await seller.client.get('/api/lines')).body.items).toMatchObject([first, first, first]);
    expect(await outages(below)).toEqual([
      { ...away, told_at: null, lines: 1, accounts: 1, waiting: 0 },
    ]);
    expect(await outages(other)).toEqual([]);
    expect(await read({ client: panel.admin })).toEqual({
      items: [
        {
          ...away,
          finding: { code: 'HEALTH_CHECK_FAILED', data: { status: 503, port_answers: false } },
          ...{ told_at: null, lines: 3, accounts: 2, waiting: 1 },
        },
      ],
      ...{ accounts: 2, new_sales_server: null, over: [] },
    });
    expect(await told(seller)).toEqual([
      'Frankfurt 1 is not responding. Lines on it: 3. Renewals and other changes are saved and will be sent automatically once it responds.',
    ]);
    expect(await told(below)).toHaveLength(1);
    expect(await told(other)).toEqual([]);

    // One change keeps waiting when the server responds again.
    server.keptByHand.set(`one-${kind}`, 'CCcam.cfg');
    server.answersWith = null;
    await check(5);
    expect(await told(seller)).toContain(
      'Frankfurt 1 is responding again. Lines on it: 3. Changes still pending: 1.',
    );
    expect(await told(other)).toEqual([]);
    const back = {
      ...{ server_id: id, server_name: 'Frankfurt 1', no_access: false },
      ...{ since, over_since: since },
    };
    expect(await read(seller)).toMatchObject({ items: [], over: [back] });
    server.keptByHand.clear();
    await seller.client.post(`/api/lines/${sold[0]}/sync`);
    expect((await read(seller)).over).toEqual([{ ...back, waiting: 0, sent: 1 }]);
    // Changes that are made later did not wait during the outage.
    await seller.client.post(`/api/lines/${sold[1]}/renew`, { subscription_months: 1 });
    expect((await read(seller)).over).toEqual([{ ...back, waiting: 0, sent: 1 }]);
    expect((await read(below)).over).toEqual([{ ...back, waiting: 0, sent: 0 }]);
    expect((await read(other)).over).toEqual([]);
    await sql`update cccam_servers set back_at = back_at - interval '10 minutes'`.execute(
      panel.services.db,
    );
    expect((await read(seller)).over).toEqual([]);
  });

  test('is told back to everybody who was told that it is away, and then told again', async () => {
    const here = await panel.reseller();
    const left = await panel.reseller();
    const names = [`five-${kind}`, `six-${kind}`];
    const [, gone] = await Promise.all(
      [here, left].map(async ({ client }, index) => {
        const line = newLine(names[index] ?? '', { server_id: id });
        return (await client.post('/api/lines', line)).body.line.id;
      }),
    );
    const titles = async (account: TestAccount) =>
      (await told(account)).map((text: string) => text.split('.')[0]);
    const [away, back] = ['Frankfurt 1 is not responding', 'Frankfurt 1 is responding again'];

    server.answersWith = { status: 503 };
    await check(3);
    // The server responds for less than five checks and then stops again, so no further notification is sent.
    server.answersWith = null;
    await check(4);
    expect(await outages(here)).toEqual([]);
    server.answersWith = { status: 503 };
    await check(3);
    expect(await outages(here)).toHaveLength(1);
    for (const account of [here, left]) expect(await titles(account)).toEqual([away]);

    server.answersWith = null;
    await left.client.delete(`/api/lines/${gone}`);
    await check(5);
    for (const account of [here, left]) expect(await titles(account)).toEqual([back, away]);

    server.answersWith = { status: 503 };
    await check(3);
    expect(await titles(here)).toEqual([away, back, away]);
    expect(await titles(left)).toEqual([back, away]);
    server.answersWith = null;
    await check(5);
    expect(await titles(here)).toEqual([back, away, back, away]);
    expect(await titles(left)).toEqual([back, away]);
  });

  test('is one entry of the bell, an administrator’s message if there is one, and told back to its readers', async () => {
    const stays = await panel.reseller();
    const leaves = await panel.reseller();
    const mine = newLine(`stays-${kind}`, { server_id: id });
    await stays.client.post('/api/lines', mine);
    const other = newLine(`leaves-${kind}`, { server_id: id });
    const { line } = (await leaves.client.post('/api/lines', other)).body;
    server.answersWith = { status: 503 };
    await check(3);
    for (const account of [stays, leaves]) expect(await told(account)).toHaveLength(1);
    const words = { title: 'We are on it', content: 'Back at noon.' };
    await panel.admin.post('/api/messages', { ...words, is_global: false, server_id: id });
    for (const account of [stays, leaves]) {
      const { items } = (await account.client.get('/api/notifications')).body;
      expect(items.map(({ title }: { title: string }) => title)).toEqual(['We are on it']);
    }
    server.answersWith = null;
    await leaves.client.delete(`/api/lines/${line.id}`);
    await check(5);
    for (const account of [stays, leaves])
      expect((await told(account))[0]).toMatch(/^Frankfurt 1 is responding again/);
  });

  test('is there after three changes that do not reach it, and says where new sales go', async () => {
    const gone = await startMemoryCardServer();
    const { id: goneId } = await panel.addServer(gone.url, 'Warsaw 2');
    const made = await other.client.post(
      '/api/lines',
      newLine(`four-${kind}`, { server_id: goneId }),
    );
    expect(made.body.sync.ok).toBe(true);
    await panel.services.db
      .updateTable('cccam_servers')
      .set({ api_port: 1 })
      .where('id', '=', goneId)
      .execute();
    const line = `/api/lines/${made.body.line.id}`;
    await other.client.post(`${line}/renew`, { subscription_months: 1 });
    expect(await outages(other)).toEqual([]);
    for (let time = 0; time < 2; time++) await other.client.post(`${line}/sync`);
    expect(await read(other)).toMatchObject({
      items: [{ server_name: 'Warsaw 2', lines: 1, waiting: 1 }],
      new_sales_server: 'Frankfurt 1',
    });
    expect(await outages(seller)).toEqual([]);
    await panel.admin.patch(`/api/servers/${id}`, { closed_to_new_lines: true });
    expect((await read(other)).new_sales_server).toBeNull();
    await panel.admin.patch(`/api/servers/${id}`, { closed_to_new_lines: false });
  });

  test('whose port for customers still answers only takes no changes', async () => {
    const line = newLine(`port-${kind}`, { server_id: id });
    await seller.client.post('/api/lines', line);
    const clients = createServer().listen(0, '127.0.0.1');
    await once(clients, 'listening');
    const { port } = clients.address() as AddressInfo;
    await sql`update cccam_servers set port = ${port} where id = ${id}`.execute(panel.services.db);
    server.answersWith = { status: 503 };
    await check(3);
    expect(await outages(seller)).toMatchObject([{ no_access: true, port_answers: true }]);
    clients.close();
    await once(clients, 'close');
    await check(1);
    expect(await outages(seller)).toMatchObject([{ no_access: false, port_answers: false }]);
    server.answersWith = null;
    await check(5);
  });

  test('is another matter than one that does not let the panel in', async () => {
    const oscam = await startOscamServer();
    const { id: closed } = await addOscamServer(panel, oscam);
    await other.client.post('/api/lines', newLine(`seven-${kind}`, { server_id: closed }));
    oscam.faults.forbids = true;
    await panel.admin.post(`/api/servers/${closed}/test`);
    const seen = async (account: Pick<TestAccount, 'client'>) =>
      (await outages(account)).find(({ server_id }: { server_id: string }) => server_id === closed);
    expect(await seen(other)).toMatchObject({ no_access: true, finding: null });
    const line = async () => (await other.client.get('/api/lines?q=seven-')).body.items[0];
    expect(await line()).toMatchObject({ server_away_since: null, taken: 'taken' });
    expect(await seen({ client: panel.admin })).toMatchObject({
      no_access: true,
      finding: { code: 'OSCAM_FORBIDDEN' },
    });
    await check(5, closed);
    oscam.faults.forbids = false;
    await check(5, closed);
    const over = (await read(other)).over as { server_id: string }[];
    expect(over.find(({ server_id }) => server_id === closed)).toMatchObject({ no_access: true });
    await oscam.stop();
    await panel.admin.post(`/api/servers/${closed}/test`);
    expect(await seen(other)).toMatchObject({ no_access: false });
    expect(await line()).toMatchObject({ server_away_since: (await seen(other))?.since });
  });
});
