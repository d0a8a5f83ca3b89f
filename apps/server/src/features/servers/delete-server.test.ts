import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

async function withServers<T>(
  names: string[],
  work: (
    servers: { id: string; agent: Awaited<ReturnType<typeof startTestAgent>> }[],
  ) => Promise<T>,
): Promise<T> {
  const servers = [];
  for (const name of names) {
    const agent = await startTestAgent();
    servers.push({ agent, id: (await panel.addServer(agent.url, name)).id });
  }
  return work(servers);
}

const sell = (username: string, server_id: string) =>
  panel.admin.post('/api/lines', newLine(username, { server_id }));
const move = (from: string, to_server_id: string) =>
  panel.admin.post(`/api/servers/${from}/move-lines`, { to_server_id });
const find = async (id: string) => (await panel.admin.get(`/api/servers/${id}`)).body;

test('a server that still has to remove names is kept until it has, or is told to forget them', () =>
  withServers(['Leaves', 'Stays'], async ([leaves, stays]) => {
    if (!leaves || !stays) throw new Error('two servers');
    await sell('first', leaves.id);
    await sell('second', leaves.id);
    await leaves.agent.close();
    expect((await move(leaves.id, stays.id)).body).toMatchObject({ moved: 2 });
    // The lines work on the old server until the new one has accepted them.
    expect(await find(leaves.id)).toMatchObject({ line_count: 0, deletions_due: 2 });

    expect(await panel.admin.delete(`/api/servers/${leaves.id}`)).toMatchObject({
      status: 409,
      body: {
        code: 'SERVER_HAS_DELETIONS',
        message:
          '2 usernames have not been removed from this server yet. They would keep working there.',
        data: { count: 2 },
      },
    });
    expect((await panel.admin.delete(`/api/servers/${leaves.id}?force=maybe`)).status).toBe(422);
    expect((await panel.admin.delete(`/api/servers/${leaves.id}?force=true`)).body).toEqual({
      success: true,
    });
    const { db } = panel.services;
    const entry = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'server.delete')
      .where('subject_id', '=', leaves.id)
      .executeTakeFirstOrThrow();
    expect(entry.data).toEqual({ forgotten_deletions: 2 });
    const left = db.selectFrom('server_accounts').selectAll().where('server_id', '=', leaves.id);
    expect(await left.execute()).toEqual([]);
    await eventually(async () => expect((await find(stays.id)).pushes_due).toBe(0));
    expect((await readServerFiles(stays.agent)).cccam).toContain('F: first pw-first\n');
  }));

test('force does not remove a server that has lines', () =>
  withServers(['Full'], async ([full]) => {
    await sell('stays-put', full?.id ?? '');
    expect(await panel.admin.delete(`/api/servers/${full?.id}?force=true`)).toMatchObject({
      status: 409,
      body: { code: 'SERVER_HAS_LINES', message: 'This server still has 1 line. Move it first.' },
    });
  }));

test('a server that moves to another machine takes its lines there, with their address', () =>
  withServers(['Moves house', 'Spare'], async ([server, spare]) => {
    if (!server || !spare) throw new Error('two servers');
    await sell('mover', server.id);
    await panel.admin.post(
      '/api/lines',
      newLine('own-address', { server_id: server.id, host_port: ['tv.example:1'] }),
    );
    await panel.admin.delete(`/api/servers/${spare.id}`);
    const api_port = Number(new URL(spare.agent.url).port);
    const changes = { api_port, port: 13_000 };
    expect(
      (await panel.admin.patch(`/api/servers/${server.id}`, changes)).body.server,
    ).toMatchObject({ ...changes, pushes_due: 2 });
    await eventually(async () => expect((await find(server.id)).pushes_due).toBe(0));
    const { cccam } = await readServerFiles(spare.agent);
    expect(cccam).toContain('F: mover pw-mover\n');
    expect(cccam).toContain('F: own-address pw-own-address\n');
    const { body } = await panel.admin.get(`/api/lines?server_id=${server.id}&sort=username`);
    expect(body.items.map(({ host_port }: { host_port: string[] }) => host_port)).toEqual([
      ['127.0.0.1:13000'],
      ['tv.example:1'],
    ]);
    // Changes other than the address cause no pushes.
    const renamed = await panel.admin.patch(`/api/servers/${server.id}`, { server_name: 'Here' });
    expect(renamed.body.server.pushes_due).toBe(0);
  }));

test('lines moved between two servers that are one machine stay on it', () =>
  withServers(['One machine'], async ([first]) => {
    if (!first) throw new Error('a server');
    await sell('same-machine', first.id);
    const second = await panel.addServer(first.agent.url, 'The same machine');
    await move(first.id, second.id);
    await eventually(async () => {
      // The deletion from the first server comes last, and is due once the second server has the line.
      expect((await find(second.id)).pushes_due).toBe(0);
      expect((await find(first.id)).pushes_due).toBe(0);
    });
    expect((await readServerFiles(first.agent)).cccam).toContain('F: same-machine');
    expect((await panel.admin.delete(`/api/servers/${first.id}`)).status).toBe(200);
  }));
