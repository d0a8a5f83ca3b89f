// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../db/transaction.ts';
import { settle } from '../../domain/delivery/settle.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine, readServerFiles, storeLines, storeTaken } from '../../testing/lines.ts';
import { databases, startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

type TestAgent = Awaited<ReturnType<typeof startTestAgent>>;

describe.each(databases)('moving lines on %s', (kind) => {
  let panel: TestPanel;
  let agents: [TestAgent, TestAgent];
  let old: string;
  let next: string;
  beforeAll(async () => {
    agents = [await startTestAgent(), await startTestAgent()];
    panel = await startTestPanel(kind);
    old = (await panel.addServer(agents[0].url, 'Old')).id;
    next = (await panel.addServer(agents[1].url, 'New')).id;
    await panel.admin.patch(`/api/servers/${next}`, { port: 15_000 });
  });

  const move = (from: string, to: string) =>
    panel.admin.post(`/api/servers/${from}/move-lines`, { to_server_id: to });
  const namesOn = async (agent: TestAgent) =>
    [...(await readServerFiles(agent)).cccam.matchAll(/^F: (\S+)/gm)]
      .map(([, name]) => name)
      .sort();
  const serverOf = async (id: string) => (await panel.admin.get(`/api/servers/${id}`)).body;
  const everythingDelivered = () =>
    eventually(async () => {
      expect((await panel.admin.get('/api/sync')).body.total).toBe(0);
    });

  test('takes every line with it and leaves none behind', async () => {
    const sell = (name: string, more = {}) =>
      panel.admin.post('/api/lines', newLine(name, { server_id: old, ...more }));
    await sell('plain');
    await sell('elsewhere', { host_port: ['my.example:1', '127.0.0.1:12000'] });
    const { body: before } = await sell('own', { host_port: ['my.example:1'] });
    expect(
      (await panel.admin.post(`/api/servers/${old}/move-lines`, { to_server_id: next })).body,
    ).toEqual({ moved: 3, to_tell: 2, job_id: expect.any(String) });

    await everythingDelivered();
    expect(await namesOn(agents[0])).toEqual([]);
    expect(await namesOn(agents[1])).toEqual(['elsewhere', 'own', 'plain']);
    expect((await readServerFiles(agents[1])).cccam).toContain('F: plain pw-plain\n');
    const { body: lines } = await panel.admin.get(`/api/lines?server_id=${next}&sort=username`);
    expect(lines.items.map(({ host_port }: { host_port: string[] }) => host_port)).toEqual([
      ['my.example:1', '127.0.0.1:15000'],
      ['my.example:1'],
      ['127.0.0.1:15000'],
    ]);
    expect(lines.items[1]).toMatchObject({ expiry_date: before.line.expiry_date });
    expect([(await serverOf(old)).line_count, (await serverOf(next)).line_count]).toEqual([0, 3]);
    expect((await move(old, next)).body).toEqual({ moved: 0, to_tell: 0, job_id: null });
  });

  test('beside sales and changes ends with what the panel holds, where it holds it', async () => {
    const { db } = panel.services;
    const ids = (await panel.admin.get(`/api/lines?server_id=${next}`)).body.items.map(
      ({ id }: { id: string }) => id,
    );
    const sales = Array.from({ length: 12 }, (_, index) =>
      panel.admin.post('/api/lines', newLine(`beside-${index}`, { server_id: next })),
    );
    // The same lock order as any change of a line: its row first, then its wanted state.
    const changes = ids.map((id: string) =>
      transact(db, async (tx) => {
        await tx
          .updateTable('users')
          .set({ expiry_date: '2031-05-31' })
          .where('id', '=', id)
          .execute();
        await settle(tx, [id]);
      }),
    );
    const moves = [move(next, old), move(old, next), move(next, old)];
    const replies = await Promise.all([...sales, ...moves]);
    await Promise.all(changes);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 201]));

    await everythingDelivered();
    for (const [index, id] of [old, next].entries()) {
      const { body } = await panel.admin.get(`/api/lines?server_id=${id}&sort=username`);
      const lines: { username: string; expiry_date: string }[] = body.items;
      const agent = agents[index]!;
      expect(await namesOn(agent)).toEqual(lines.map(({ username }) => username));
      const { oscam } = await readServerFiles(agent);
      for (const { username, expiry_date } of lines) {
        const entry =
          oscam.split('[account]').find((text) => text.includes(`user = ${username}\n`)) ?? '';
        expect(entry, username).toContain(expiry_date);
      }
    }
    const all = await namesOn(agents[0]);
    expect([...all, ...(await namesOn(agents[1]))]).toHaveLength(15);
  });

  test('a server is not removed under a line that is just being sold on it', async () => {
    const { client } = await panel.reseller();
    for (let round = 0; round < 5; round++) {
      const server_id = await idle(`Going ${round}`);
      const [sale, removal] = await Promise.all([
        client.post('/api/lines', newLine(`last-${round}`, { server_id })),
        panel.admin.delete(`/api/servers/${server_id}`),
      ]);
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([sale.status, removal.status]);
      const moved = await move(server_id, next);
      expect(moved.body.moved ?? 'gone').toBe(sale.status === 201 ? 1 : 'gone');
    }
    await panel.services.db.deleteFrom('server_accounts').where('wanted', 'is', null).execute();
    await everythingDelivered();
    expect((await namesOn(agents[1])).filter((name) => name?.startsWith('last-'))).toHaveLength(
      (await panel.admin.get('/api/lines?q=last-')).body.total,
    );
  });

  test('goes only to an active server, another one, that is there', {
    tags: ['spec:8.11'],
  }, async () => {
    const missing = crypto.randomUUID();
    const inactive = (
      await panel.admin.post('/api/servers', {
        server_name: 'Untested',
        host_ip: '127.0.0.1',
        port: 1,
        username: 'u',
        password: 'p',
      })
    ).body.server.id;
    for (const [from, to, status, message] of [
      [next, missing, 404, 'Server not found'],
      [missing, next, 404, 'Server not found'],
      [missing, missing, 404, 'Server not found'],
      [next, next, 422, 'Invalid value'],
      [next, inactive, 409, 'No active CCcam servers available'],
    ] as const) {
      const { status: got, body } = await move(from, to);
      expect([got, body.fields?.to_server_id ?? body.message]).toEqual([status, message]);
    }
    const path = `/api/servers/${next}/move-lines`;
    expect((await panel.admin.send('POST', path, { to_server_id: old })).status).toBe(428);
  });

  test('thousands at a time, each of them', async () => {
    const { db } = panel.services;
    const { body: me } = await panel.admin.get('/api/me');
    const count = kind === 'postgres' ? 10_000 : 1000;
    const [full, empty] = [await idle('Full'), await idle('Empty')];
    for (let start = 0; start < count; start += 1000) {
      const rows = Array.from({ length: 1000 }, (_, n) => ({ username: `many-${start + n}` }));
      await storeLines(db, me.id, full, rows);
    }
    await storeTaken(db, full);
    expect((await move(full, empty)).body).toMatchObject({ moved: count });
    const { rows } = await sql<{ server_id: string; wanted: boolean; count: number }>`
      select server_id, wanted ->> 'is_former' is null as wanted, count(*) as count from server_accounts
        where username like 'many-%' group by 1, 2 order by 2`.execute(db);
    expect(rows).toEqual([
      { server_id: full, wanted: false, count },
      { server_id: empty, wanted: true, count },
    ]);
  });

  /** An active server whose pushes are not delivered. */
  async function idle(server_name: string): Promise<string> {
    const { db } = panel.services;
    const server = { server_name, host_ip: '127.0.0.1', port: 1, username: 'u', password: 'p' };
    const { id } = (await panel.admin.post('/api/servers', { ...server, api_port: 9 })).body.server;
    await db.updateTable('cccam_servers').set({ status: 'active' }).where('id', '=', id).execute();
    return id;
  }
});
