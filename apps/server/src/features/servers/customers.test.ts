// @module-tag thorough
import { sql } from 'kysely';
import papaparse from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../db/transaction.ts';
import { eventually } from '../../testing/eventually.ts';
import { jobEnd, previewBulk, runBulk, undoBulk } from '../../testing/jobs.ts';
import { newLine } from '../../testing/lines.ts';
import {
  databases,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../testing/panel.ts';

const parse = (text: string) =>
  papaparse.parse<Record<string, string>>(text.replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: true,
  }).data;

describe.each(databases)('the address for customers on %s', (kind) => {
  let panel: TestPanel;
  let agent: TestAgent;
  let sellers: [TestAccount, TestAccount];
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel(kind);
    sellers = [await panel.reseller({ credits: 100 }), await panel.reseller({ credits: 100 })];
  });

  /** Adds a server. All servers of this file have the same agent. */
  async function addServer(more: Record<string, unknown> = {}): Promise<string> {
    const { id } = await panel.addServer(agent.url, 'One');
    await panel.admin.patch(`/api/servers/${id}`, more);
    return id;
  }

  async function sell(
    client: TestAccount['client'],
    username: string,
    more: Record<string, unknown>,
  ) {
    const reply = await client.post('/api/lines', newLine(username, more));
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return reply.body.line as { id: string; host_port: string[] };
  }

  const addressesOf = async ({ id }: { id: string }): Promise<string[]> =>
    (await panel.admin.get(`/api/lines/${id}`)).body.host_port;
  const edit = async (id: string, body: object) =>
    (await panel.admin.patch(`/api/servers/${id}`, body)).body;
  const moveAll = (from: string, to_server_id: string) =>
    panel.admin.post(`/api/servers/${from}/move-lines`, { to_server_id });
  const customersOf = async (jobId: string) =>
    parse((await panel.admin.get(`/api/jobs/${jobId}/csv?list=customers`)).body);

  /** The notifications about addresses that the account got, newest first. */
  async function toldTo({ client }: TestAccount) {
    const { body } = await client.get('/api/notifications?limit=50');
    return (body.items as { title: string; content: string; link: string }[])
      .filter(({ title }) => /must change receiver settings$/.test(title))
      .map(({ title, content, link }) => ({ title, content, link }));
  }

  let newName = 0;
  type Reply = ReturnType<TestPanel['admin']['post']>;

  test('is what a line is sold with, and is told to those who move lines', async () => {
    for (const [more, address] of [
      [{}, '127.0.0.1:12000'],
      [{ public_host: 'fra1.lines.example' }, 'fra1.lines.example:12000'],
      [{ public_port: 443 }, '127.0.0.1:443'],
      [{ public_host: 'fra1.lines.example', public_port: 443 }, 'fra1.lines.example:443'],
    ] as const) {
      const server_id = await addServer(more);
      const line = await sell(panel.admin, `sold-${newName++}`, { server_id });
      expect(line.host_port).toEqual([address]);
      const offeredTo = async ({ client }: { client: TestPanel['admin'] }) =>
        (await client.get('/api/servers/choices')).body.find(
          ({ id }: { id: string }) => id === server_id,
        ).host_port;
      expect(await offeredTo({ client: panel.admin })).toBe(address);
      expect(await offeredTo(sellers[0])).toBeNull();
    }
  });

  test('follows where it changes, lists whom to tell before and after, and tells their owners', async () => {
    const [one, two] = sellers;
    const server_id = await addServer({ public_host: 'fra1.lines.example' });
    const plain = await sell(one.client, 'plain', { server_id, name: 'Anna', notes: '=1+1' });
    const both = await sell(two.client, 'both', {
      server_id,
      host_port: ['mine.example:1', 'fra1.lines.example:12000'],
    });
    const own = await sell(one.client, 'own', { server_id, host_port: ['mine.example:1'] });
    await sell(panel.admin, 'of-admin', { server_id });

    const path = `/api/servers/${server_id}/customers`;
    expect((await panel.admin.get(path)).body).toEqual({ lines: 3, owners: 3 });
    const before = await panel.admin.get(`${path}/csv?host=fra2.lines.example&port=12001`);
    expect(before.headers.get('content-disposition')).toContain('customers-');
    const customer = (username: string, owner_email: string, more: object = {}) => ({
      username,
      name: '',
      owner_email,
      notes: '',
      old: `C: fra1.lines.example 12000 ${username} password`,
      new: `C: fra2.lines.example 12001 ${username} password`,
      ...more,
    });
    const emailOf = async ({ client }: { client: TestPanel['admin'] }) =>
      (await client.get('/api/me')).body.email;
    const listed = [
      customer('both', await emailOf(two)),
      customer('of-admin', await emailOf({ client: panel.admin })),
      customer('plain', await emailOf(one), { name: 'Anna', notes: "'=1+1" }),
    ];
    expect(parse(before.body)).toEqual(listed);

    const changed = await edit(server_id, {
      public_host: 'fra2.lines.example',
      public_port: 12_001,
    });
    expect(changed).toMatchObject({ to_tell: 3, job_id: expect.any(String) });
    expect(await addressesOf(plain)).toEqual(['fra2.lines.example:12001']);
    expect(await addressesOf(both)).toEqual(['mine.example:1', 'fra2.lines.example:12001']);
    expect(await addressesOf(own)).toEqual(['mine.example:1']);
    expect(await customersOf(changed.job_id)).toEqual(listed);
    expect((await panel.admin.get(`/api/jobs/${changed.job_id}`)).body).toMatchObject({
      action: 'readdress',
      state: 'done',
      total: 3,
      done: 3,
      to_tell: 3,
      can_undo: false,
    });
    const addresses =
      'Old: C: fra1.lines.example 12000 username password. New: C: fra2.lines.example 12001 username password.';
    expect(await toldTo(one)).toEqual([
      {
        title: '1 customer must change receiver settings',
        content: `${addresses} Lines: plain`,
        link: expect.stringMatching(/^\/users\/tell\//),
      },
    ]);
    expect(await toldTo(two)).toMatchObject([{ content: `${addresses} Lines: both` }]);
    // The account that changes the address sees the list, so it gets no notification.
    expect(await toldTo({ client: panel.admin } as TestAccount)).toEqual([]);
  });

  test('stays where the panel reaches the server elsewhere, or the same is said in other fields', async () => {
    const server_id = await addServer({ public_host: 'stays.lines.example' });
    const line = await sell(panel.admin, 'stays', { server_id });
    const nothing = { to_tell: 0, job_id: null };
    expect(await edit(server_id, { host_ip: '10.0.0.2' })).toMatchObject(nothing);
    expect(await edit(server_id, { public_port: 12_000 })).toMatchObject(nothing);
    expect(await edit(server_id, { port: 13_000 })).toMatchObject(nothing);
    expect(await addressesOf(line)).toEqual(['stays.lines.example:12000']);
    // Without a separate address for customers, customers use the address at which the panel reaches the server.
    expect(await edit(server_id, { public_host: null })).toMatchObject({ to_tell: 1 });
    expect(await addressesOf(line)).toEqual(['10.0.0.2:12000']);
  });

  test('is told about by a move of all lines, which can be taken back', async () => {
    const [one, two] = sellers;
    const from = await addServer({ public_host: 'old.lines.example' });
    const to = await addServer({ public_host: 'new.lines.example', public_port: 443 });
    const lines = [
      await sell(one.client, 'all-1', { server_id: from }),
      await sell(one.client, 'all-2', { server_id: from }),
      await sell(two.client, 'all-own', { server_id: from, host_port: ['mine.example:1'] }),
    ];
    const toldBefore = await toldTo(two);
    const { body } = await moveAll(from, to);
    expect(body).toEqual({ moved: 3, to_tell: 2, job_id: expect.any(String) });
    expect(await customersOf(body.job_id)).toMatchObject([
      {
        username: 'all-1',
        old: 'C: old.lines.example 12000 all-1 password',
        new: 'C: new.lines.example 443 all-1 password',
      },
      { username: 'all-2' },
    ]);
    expect((await toldTo(one))[0]).toEqual({
      title: '2 customers must change receiver settings',
      content:
        'Old: C: old.lines.example 12000 username password. New: C: new.lines.example 443 username password. Lines: all-1, all-2',
      link: expect.stringMatching(/^\/users\/tell\//),
    });
    expect(await toldTo(two)).toEqual(toldBefore);

    const undone = await undoBulk(panel.admin, body.job_id);
    expect(undone).toMatchObject({ done: 3, to_tell: 2 });
    expect(await Promise.all(lines.map(addressesOf))).toEqual(
      lines.map(({ host_port }) => host_port),
    );
    expect((await toldTo(one))[0]).toMatchObject({
      content:
        'Old: C: new.lines.example 443 username password. New: C: old.lines.example 12000 username password. Lines: all-1, all-2',
      link: expect.stringMatching(/^\/users\/tell\//),
    });
  });

  test('tells nobody where both servers have the same', async () => {
    const shared = { public_host: 'shared.lines.example' };
    const [from, to] = [await addServer(shared), await addServer(shared)];
    await sell(sellers[0].client, 'shared', { server_id: from });
    const told = await toldTo(sellers[0]);
    const { body } = await moveAll(from, to);
    expect(body).toMatchObject({ moved: 1, to_tell: 0 });
    expect(await customersOf(body.job_id)).toEqual([]);
    expect(await toldTo(sellers[0])).toEqual(told);
  });

  test('is told about by a move of chosen lines, once for each owner, and counted in its preview', async () => {
    const [one, two] = sellers;
    const from = await addServer({ public_host: 'some.lines.example' });
    const to = await addServer({ public_host: 'other.lines.example' });
    const ids = [];
    for (const [client, name] of [
      [one.client, 'some-1'],
      [two.client, 'some-2'],
      [one.client, 'some-3'],
    ] as const) {
      ids.push((await sell(client, name, { server_id: from })).id);
    }
    const move = { action: 'move', ids, server_id: to };
    expect(await previewBulk(panel.admin, move)).toMatchObject({ to_tell: 3 });
    const told = [(await toldTo(one)).length, (await toldTo(two)).length];
    const job = await runBulk(panel.admin, move);
    expect(job).toMatchObject({ done: 3, to_tell: 3 });
    expect((await customersOf(job.id ?? '')).map(({ username }) => username)).toEqual([
      'some-1',
      'some-2',
      'some-3',
    ]);
    expect([(await toldTo(one)).length, (await toldTo(two)).length]).toEqual(
      told.map((count) => count + 1),
    );
    expect((await toldTo(one))[0]?.title).toBe('2 customers must change receiver settings');
    expect((await jobEnd(panel.admin, job.id)).to_tell).toBe(3);
  });

  test('is told about by a change of one line, unless its owner made it', async () => {
    const [one] = sellers;
    const from = await addServer({ public_host: 'single.lines.example' });
    const to = await addServer({ public_host: 'next.lines.example' });
    const line = await sell(one.client, 'single', { server_id: from });
    const told = (await toldTo(one)).length;
    const { body } = await panel.admin.patch(`/api/lines/${line.id}`, { server_id: to });
    expect((await toldTo(one))[0]).toEqual({
      title: '1 customer must change receiver settings',
      content:
        'Old: C: single.lines.example 12000 username password. New: C: next.lines.example 12000 username password. Lines: single',
      link: `/users/tell/${body.job_id}`,
    });
    await panel.admin.patch(`/api/lines/${line.id}`, { notes: 'nothing about it' });
    await one.client.patch(`/api/lines/${line.id}`, { host_port: ['mine.example:1'] });
    expect(await toldTo(one)).toHaveLength(told + 1);
  });

  const KEY = '01 02 03 04 05 06 07 08 09 10 11 12 13 14';
  const OTHER_KEY = 'aa'.repeat(14);
  const ports = (...numbers: number[]) => numbers.map((port) => ({ port, caid: '0500' }));
  const newcamd = (more: object = {}) => ({
    public_host: 'newcamd.lines.example',
    protocol: 'NewCamd',
    newcamd_ports: ports(15_001, 15_002),
    ...more,
  });
  const nLine = (host: string, username: string, port: number, key = KEY) =>
    `N: ${host} ${port} ${username} password ${key} # CAID 0500`;
  const nLines = (host: string, username: string, numbers: number[], key = KEY) =>
    numbers.map((port) => nLine(host, username, port, key)).join('\n');

  test.each([
    ['ports', { newcamd_ports: ports(16_001) }, [16_001], KEY],
    ['key', { des_key: OTHER_KEY }, [15_001, 15_002], OTHER_KEY.match(/../g)?.join(' ')],
  ])(
    'is not all of it: a move between NewCamd servers with other %s tells what to enter',
    async (what, more, numbers, key) => {
      const [one] = sellers;
      const from = await addServer(newcamd());
      const to = await addServer(newcamd(more));
      const [plain, own] = [`n-${what}`, `n-own-${what}`];
      await sell(one.client, plain, { server_id: from });
      await sell(one.client, own, { server_id: from, host_port: ['mine.example:1'] });
      const listed = [
        {
          username: plain,
          old: nLines('newcamd.lines.example', plain, [15_001, 15_002]),
          new: nLines('newcamd.lines.example', plain, numbers, key),
        },
        {
          username: own,
          old: nLines('mine.example', own, [15_001, 15_002]),
          new: nLines('mine.example', own, numbers, key),
        },
      ].sort((a, b) => (a.username < b.username ? -1 : 1));
      const path = `/api/servers/${from}/customers`;
      expect((await panel.admin.get(`${path}?to_server_id=${to}`)).body.lines).toBe(2);
      const before = await panel.admin.get(`${path}/csv?to_server_id=${to}`);
      expect(parse(before.body)).toMatchObject(listed);
      const { body } = await moveAll(from, to);
      expect(body).toEqual({ moved: 2, to_tell: 2, job_id: expect.any(String) });
      expect(await customersOf(body.job_id)).toMatchObject(listed);
      expect((await toldTo(one))[0]?.title).toBe('2 customers must change receiver settings');
      expect(await undoBulk(panel.admin, body.job_id)).toMatchObject({ done: 2, to_tell: 2 });
    },
  );

  test('is not shown where there is no C line: a move to NewCamd says ports and key', async () => {
    const [one] = sellers;
    const from = await addServer({ public_host: 'cccam.lines.example' });
    const to = await addServer(newcamd());
    const { id } = await sell(one.client, 'to-n-1', { server_id: from });
    await sell(one.client, 'to-n-2', { server_id: from });
    const move = { action: 'move', ids: [id], server_id: to };
    expect(await previewBulk(panel.admin, move)).toMatchObject({
      to_tell: 1,
      items: [
        {
          before: { receivers: ['C: cccam.lines.example 12000 username password'] },
          after: {
            receivers: [
              nLine('newcamd.lines.example', 'username', 15_001),
              nLine('newcamd.lines.example', 'username', 15_002),
            ],
          },
        },
      ],
    });
    const job = await runBulk(panel.admin, move);
    expect(await customersOf(job.id ?? '')).toMatchObject([
      {
        old: 'C: cccam.lines.example 12000 to-n-1 password',
        new: nLines('newcamd.lines.example', 'to-n-1', [15_001, 15_002]),
      },
    ]);
    const { body } = await moveAll(from, to);
    expect(body).toMatchObject({ moved: 1, to_tell: 1 });
    const [told] = await toldTo(one);
    expect(told?.content).toBe(
      `Old: C: cccam.lines.example 12000 username password. New: ${nLine('newcamd.lines.example', 'username', 15_001)}; ${nLine('newcamd.lines.example', 'username', 15_002)}. Lines: to-n-2`,
    );
    // The port for customers is that of the C line, which no line on this server has.
    const stays = await addServer(newcamd({ public_port: 13_000 }));
    expect(await previewBulk(panel.admin, { ...move, server_id: stays })).toMatchObject({
      to_tell: 0,
    });
    const count = (await toldTo(one)).length;
    await panel.admin.patch(`/api/lines/${id}`, { server_id: stays });
    expect(await toldTo(one)).toHaveLength(count);
    expect(await addressesOf({ id })).toEqual(['newcamd.lines.example:13000']);
    const elsewhere = await addServer(newcamd({ des_key: OTHER_KEY }));
    await panel.admin.patch(`/api/lines/${id}`, { server_id: elsewhere });
    expect(await toldTo(one)).toHaveLength(count + 1);
  });

  test('is told about by a change of key, ports or protocol of a server with lines', async () => {
    const [one] = sellers;
    const server_id = await addServer(newcamd());
    const { id } = await sell(one.client, 'n-edited', { server_id });
    const host = 'newcamd.lines.example';
    let old = nLines(host, 'n-edited', [15_001, 15_002]);
    const otherKey = OTHER_KEY.match(/../g)?.join(' ');
    for (const [change, query, next] of [
      [
        { des_key: OTHER_KEY },
        `des_key=${OTHER_KEY}`,
        nLines(host, 'n-edited', [15_001, 15_002], otherKey),
      ],
      [
        { newcamd_ports: ports(16_001) },
        `newcamd_ports=${encodeURIComponent(JSON.stringify(ports(16_001)))}`,
        nLines(host, 'n-edited', [16_001], otherKey),
      ],
      [
        { protocol: 'CCcam', newcamd_ports: [] },
        'protocol=CCcam&newcamd_ports=[]',
        `C: ${host} 12000 n-edited password`,
      ],
      [
        { protocol: 'NewCamd', newcamd_ports: ports(17_001), des_key: null },
        `protocol=NewCamd&des_key=&newcamd_ports=${encodeURIComponent(JSON.stringify(ports(17_001)))}`,
        nLines(host, 'n-edited', [17_001]),
      ],
    ] as const) {
      const listed = [{ username: 'n-edited', old, new: next }];
      const path = `/api/servers/${server_id}/customers`;
      expect((await panel.admin.get(`${path}?${query}`)).body.lines).toBe(1);
      expect(parse((await panel.admin.get(`${path}/csv?${query}`)).body)).toMatchObject(listed);
      const told = (await toldTo(one)).length;
      const saved = await edit(server_id, change);
      expect(saved).toMatchObject({ to_tell: 1, job_id: expect.any(String) });
      expect(await customersOf(saved.job_id)).toMatchObject(listed);
      expect(await toldTo(one)).toHaveLength(told + 1);
      old = next;
    }
    // A C line contains everything that a customer enters, so changes of the NewCamd ports concern nobody.
    await edit(server_id, { protocol: 'CCcam' });
    const nothing = { to_tell: 0, job_id: null };
    expect(await edit(server_id, { newcamd_ports: ports(17_001, 17_002) })).toMatchObject(nothing);
    expect(await edit(server_id, { newcamd_ports: ports(17_002, 17_001) })).toMatchObject(nothing);
    const wrong = await panel.admin.get(`/api/servers/${server_id}/customers?newcamd_ports=[1]`);
    expect(wrong.status).toBe(422);
    expect(await addressesOf({ id })).toEqual([`${host}:12000`]);
  });

  test('is told about by another CAID of the same port, which a reader of OSCam asks for', async () => {
    const [one] = sellers;
    const server_id = await addServer(newcamd({ newcamd_ports: ports(15_001) }));
    await sell(one.client, 'n-caid', { server_id });
    const newcamd_ports = [{ port: 15_001, caid: '0b00' }];
    const saved = await edit(server_id, { newcamd_ports });
    expect(saved.to_tell).toBe(1);
    const line = `N: newcamd.lines.example 15001 n-caid password ${KEY}`;
    expect(await customersOf(saved.job_id)).toMatchObject([
      { username: 'n-caid', old: `${line} # CAID 0500`, new: `${line} # CAID 0B00` },
    ]);
  });

  const changes: [string, (from: string, to_server_id: string) => Reply][] = [
    ['move of all', moveAll],
    [
      'change of the ports',
      (from) => panel.admin.patch(`/api/servers/${from}`, { newcamd_ports: ports(18_001) }),
    ],
  ];
  // The embedded database has one connection, so nothing can run during the change.
  test.each(kind === 'postgres' ? changes : [])(
    'is told to a customer whose line gets an address of its own during a %s',
    async (what, change) => {
      const from = await addServer(newcamd());
      const to = await addServer(newcamd({ newcamd_ports: ports(18_001) }));
      const username = `n-beside-${what.length}`;
      const { id } = await sell(sellers[0].client, username, { server_id: from });
      const begun = await transact(panel.services.db, async (tx) => {
        await tx
          .updateTable('users')
          .set({ host_port: ['mine.example:1'] })
          .where('id', '=', id)
          .execute();
        const reply = change(from, to);
        await eventually(async () => {
          const { rows } = await sql`select 1 from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()`.execute(tx);
          expect(rows).toHaveLength(1);
        });
        // The reply is not awaited within the transaction, because the request waits for it.
        return { reply };
      });
      const { body } = await begun.reply;
      expect(body.to_tell).toBe(1);
      expect(await customersOf(body.job_id)).toMatchObject([
        {
          username,
          old: nLines('mine.example', username, [15_001, 15_002]),
          new: nLines('mine.example', username, [18_001]),
        },
      ]);
    },
  );

  test('is listed for administrators alone, of servers that are there', async () => {
    const server_id = await addServer();
    for (const path of ['', '/csv?host=a.example&port=1']) {
      const { client } = sellers[0];
      expect((await client.get(`/api/servers/${server_id}/customers${path}`)).status).toBe(403);
      const missing = `/api/servers/${crypto.randomUUID()}/customers${path}`;
      expect((await panel.admin.get(missing)).status).toBe(404);
    }
    const path = `/api/servers/${server_id}/customers/csv`;
    expect((await panel.admin.get(`${path}?host=a.example&port=0`)).status).toBe(422);
    const { body } = await moveAll(server_id, '');
    expect(body.fields).toEqual({ to_server_id: 'Choose a server' });
  });
});
