// @module-tag thorough
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freeCapacity, isFull } from '../../domain/machines/servers.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { databases, startTestShop, type TestPanel } from '../../testing/panel.ts';

const ERROR = 'This server is not offered for new lines';

describe.each(databases)('servers that take no new lines on %s', (kind) => {
  let panel: TestPanel;
  let agentUrl: string;
  let open: string;
  beforeAll(async () => {
    const shop = await startTestShop(kind);
    panel = shop.panel;
    open = shop.serverId;
    agentUrl = shop.agent.url;
  });

  type Body = Record<string, unknown>;
  let names = 0;
  const made: string[] = [];
  const nextName = () => `closed-${kind}-${++names}`;
  const set = (id: string, body: Body) => panel.admin.patch(`/api/servers/${id}`, body);
  const sell = (more: Body = {}) => panel.admin.post('/api/lines', newLine(nextName(), more));
  const move = (id: string, server_id: string) =>
    panel.admin.patch(`/api/lines/${id}`, { server_id });
  const linesOn = async (id: string) =>
    (await panel.admin.get(`/api/servers/${id}`)).body.line_count;
  const bulk = async (body: Body) => (await panel.admin.post('/api/lines/bulk', body)).body.job;
  const codesOf = ({ items }: { items: { error: { code: string } | null }[] }) =>
    items.map(({ error }) => error?.code ?? null);
  async function addServer(body: Body): Promise<string> {
    const { id } = await panel.addServer(agentUrl, nextName());
    made.push(id);
    await set(id, body);
    return id;
  }
  const ended = (id: string) =>
    eventually(async () => {
      const { body } = await panel.admin.get(`/api/jobs/${id}`);
      expect(['done', 'failed']).toContain(body.state);
      return body;
    });
  // A server that a test adds would otherwise be the newest one in the next test.
  afterEach(async () => {
    for (const id of made.splice(0)) await set(id, { closed_to_new_lines: true });
    await set(open, { closed_to_new_lines: false, max_lines: null });
  });

  test('a closed one is passed over, refused by name, and serves the lines it has', async () => {
    const closed = await addServer({});
    const { body: sold } = await sell({ server_id: closed });
    expect((await set(closed, { closed_to_new_lines: true })).body.server).toMatchObject({
      closed_to_new_lines: true,
      max_lines: null,
    });
    expect((await sell()).body.line.server_id).toBe(open);
    expect(await sell({ server_id: closed })).toMatchObject({
      status: 422,
      body: { code: 'SERVER_CLOSED', message: ERROR, fields: { server_id: ERROR } },
    });
    const { id } = sold.line;
    const renewed = await panel.admin.post(`/api/lines/${id}/renew`, { subscription_months: 1 });
    expect(renewed.body.sync.ok).toBe(true);
    const edited = await panel.admin.patch(`/api/lines/${id}`, { password: 'another-password' });
    expect(edited.body.sync.ok).toBe(true);
    expect((await panel.admin.post(`/api/lines/${id}/sync`)).body.sync.ok).toBe(true);
    const { body: other } = await sell();
    expect(await move(other.line.id, closed)).toMatchObject({
      status: 422,
      body: { fields: { server_id: ERROR } },
    });
    expect(
      await panel.admin.post(`/api/servers/${open}/move-lines`, { to_server_id: closed }),
    ).toMatchObject({ status: 422, body: { fields: { to_server_id: ERROR } } });
    expect((await panel.admin.delete(`/api/lines/${id}`)).status).toBe(200);
    const { body: choices } = await panel.admin.get('/api/servers/choices');
    expect(choices).toContainEqual(
      expect.objectContaining({ id: closed, takes_no_lines: 'closed' }),
    );
  });

  test('sales side by side fill it exactly, and the rest go to the next', async () => {
    const full = await addServer({ max_lines: 3 });
    const many = kind === 'postgres' ? 50 : 12;
    const named = await Promise.all(Array.from({ length: many }, () => sell({ server_id: full })));
    expect(named.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const { status, body } of named.filter((reply) => reply.status !== 201)) {
      expect([status, body.code, body.data.left]).toEqual([422, 'SERVER_FULL', 0]);
    }
    expect(await linesOn(full)).toBe(3);
    await set(full, { max_lines: 5 });
    const unnamed = await Promise.all(Array.from({ length: 8 }, () => sell()));
    const servers = unnamed.map(({ body }) => body.line.server_id);
    expect(servers.filter((id) => id === full)).toHaveLength(2);
    expect(servers.filter((id) => id === open)).toHaveLength(6);
    const { body: choices } = await panel.admin.get('/api/servers/choices');
    expect(choices).toContainEqual(expect.objectContaining({ id: full, takes_no_lines: 'full' }));
  });

  test('without any that takes lines nothing is sold', async () => {
    await set(open, { closed_to_new_lines: true });
    expect(await sell()).toMatchObject({
      status: 409,
      body: { code: 'NO_SERVER_TAKES_LINES', message: 'No active server accepts new lines' },
    });
  });

  test('a limit holds for moves, of one, of many and of all', async () => {
    const target = await addServer({ max_lines: 2 });
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      ids.push((await sell({ server_id: open })).body.line.id);
    }
    const preview = await bulk({ action: 'move', ids, server_id: target, preview: true });
    expect(codesOf(preview)).toEqual([null, null, 'SERVER_FULL']);
    expect(
      await panel.admin.post(`/api/servers/${open}/move-lines`, { to_server_id: target }),
    ).toMatchObject({ status: 422, body: { code: 'SERVER_FULL', data: { left: 2 } } });
    expect(await linesOn(target)).toBe(0);
    for (const id of ids.slice(0, 2)) expect((await move(id, target)).status).toBe(200);
    expect(await move(ids[2] ?? '', target)).toMatchObject({
      status: 422,
      body: { code: 'SERVER_FULL' },
    });
    // A line that is already on the server does not count a second time.
    expect((await move(ids[0] ?? '', target)).status).toBe(200);
  });

  test('a line on a full one gets its new owner in a job that moves others there', async () => {
    const target = await addServer({ max_lines: 21 });
    const seller = await panel.reseller();
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) {
      ids.push((await sell({ server_id: open })).body.line.id);
    }
    ids.push((await sell({ server_id: target })).body.line.id);
    const moved = { action: 'move', ids, server_id: target, owner_id: seller.id };
    const { id } = await bulk(moved);
    expect(await ended(id)).toMatchObject({ done: 21, failed: 0 });
    expect(await linesOn(target)).toBe(21);
  });

  test('an undo that would bring a line back to a full one leaves it where it is', async () => {
    const from = await addServer({ max_lines: 1 });
    const { body } = await sell({ server_id: from });
    const job = await bulk({ action: 'move', ids: [body.line.id], server_id: open });
    await ended(job.id);
    expect((await sell({ server_id: from })).status).toBe(201);
    const undo = await panel.admin.post(`/api/jobs/${job.id}/undo`);
    await ended(undo.body.job.id);
    expect(codesOf((await panel.admin.get(`/api/jobs/${undo.body.job.id}`)).body)).toEqual([
      'SERVER_FULL',
    ]);
    expect(await linesOn(from)).toBe(1);
  });

  test('lines are counted only where a server has a limit', async () => {
    const counted = async () => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (analyze, timing off) select ${freeCapacity}, ${isFull} from cccam_servers
          where id = ${open}`.execute(panel.services.db);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return /Scan .*on users .*\(actual/.test(plan);
    };
    expect(await counted()).toBe(false);
    await set(open, { max_lines: 1000 });
    expect(await counted()).toBe(true);
  });

  test('an import takes the places that are left and no more', async () => {
    const first = await addServer({ max_lines: 1 });
    const preview = async (more: Body) => {
      const rows = Array.from({ length: 3 }, () => ({ ...newLine(nextName()), ...more }));
      return codesOf(await bulk({ action: 'import', rows, preview: true }));
    };
    expect(await preview({ server_id: first })).toEqual([null, 'SERVER_FULL', 'SERVER_FULL']);
    expect(await preview({})).toEqual([null, null, null]);
    await set(first, { closed_to_new_lines: true });
    expect(await preview({ server_id: first })).toEqual(Array(3).fill('SERVER_CLOSED'));
  });
});
