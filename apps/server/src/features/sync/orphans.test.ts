// @module-tag thorough
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { orphanCalls } from '../../testing/card-servers/orphans.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let id: string;
let calls: ReturnType<typeof orphanCalls>;
beforeAll(async () => {
  panel = await startTestPanel();
  agent = await startTestAgent();
  ({ id } = await panel.addServer(agent.url, 'Frankfurt'));
  calls = orphanCalls(panel, () => agent);
});
beforeEach(async () => {
  await panel.services.db.deleteFrom('server_orphans').execute();
});

test('a name that the panel does not know is listed with what its server tells', async () => {
  const { meddle, leave, look, list, names } = calls;
  await panel.admin.post('/api/lines', newLine('known', { server_id: id }));
  await leave('stranger');
  await leave('another', '01-02-2088');
  expect(await look()).toEqual([
    expect.objectContaining({ server_id: id, message: null, looked_at: expect.any(String) }),
  ]);
  const { items, total } = await list();
  expect([total, items.map(({ username }: { username: string }) => username)]).toEqual([
    2,
    ['another', 'stranger'],
  ]);
  expect(items[1]).toEqual({
    id: expect.any(String),
    server_id: id,
    server_name: 'Frankfurt',
    username: 'stranger',
    expiry_date: '2089-12-31',
    found_at: expect.any(String),
    tells_password: true,
    refusal: null,
    can_remove: true,
    line_id: null,
    name_problem: null,
  });
  expect(await names('sort=-expiry_date')).toEqual(['stranger', 'another']);
  expect(await names('q=noth')).toEqual(['another']);
  expect(await names('q=%25')).toEqual([]);
  expect(await names(`server_id=${crypto.randomUUID()}`)).toEqual([]);
  const pages = await list('limit=1&sort=found_at');
  const next = await list(`limit=1&sort=found_at&cursor=${pages.next_cursor}`);
  expect([...pages.items, ...next.items]).toHaveLength(2);

  await meddle('DELETE', '/delete-user', { username: 'another' });
  await meddle('PUT', '/edit-user', { username: 'stranger', newExpiryDate: '30-11-2089' });
  await look();
  expect((await list()).items).toMatchObject([
    { id: items[1].id, username: 'stranger', expiry_date: '2089-11-30' },
  ]);
});

test('a name that clients do not send whole is adopted, and marked before', async () => {
  const { leave, orphan, adopt, lineNamed } = calls;
  const [long, other] = ['longer-than-twenty-bytes-1', 'longer-than-twenty-bytes-2'];
  await leave(long);
  const found = await orphan(long);
  expect(found).toMatchObject({ refusal: null, name_problem: 'NAME_TOO_LONG_FOR_CCCAM' });
  await leave(other);
  expect(await orphan(other)).toMatchObject({ name_problem: 'NAME_SHARES_FIRST_20' });
  expect((await adopt({ ids: [found.id] })).status).toBe(200);
  const [line] = (await lineNamed(long)).items;
  expect(line).toMatchObject({ name_problem: 'NAME_SHARES_FIRST_20' });
  expect(await orphan(other)).toMatchObject({ name_problem: 'NAME_SHARES_FIRST_20' });
  await panel.admin.patch(`/api/servers/${id}`, { protocol: 'NewCamd' });
  expect(await orphan(other)).toMatchObject({ name_problem: null });
  await panel.services.db.updateTable('cccam_servers').set({ protocol: 'CCcam' }).execute();
  await panel.admin.delete(`/api/lines/${line.id}`);
});

test('a name of a line on another server can only be removed, and that line stays', async () => {
  const { leave, orphan, adopt, remove, lineNamed } = calls;
  const second = await startTestAgent();
  const { id: elsewhere } = await panel.addServer(second.url, 'Warsaw');
  await panel.admin.post('/api/lines', newLine('twice', { server_id: elsewhere }));
  await leave('twice');
  const found = await orphan('twice');
  expect(found).toMatchObject({ server_id: id, refusal: 'USERNAME_EXISTS' });
  expect(found.line_id).toBe((await lineNamed('twice')).items[0].id);
  expect((await adopt({ ids: [found.id] })).body.code).toBe('USERNAME_EXISTS');
  expect((await remove(found.id)).body).toMatchObject({ removed: 1, sync: { ok: true } });
  expect((await readServerFiles(agent)).cccam).not.toContain('F: twice ');
  expect((await readServerFiles(second)).cccam).toContain('F: twice pw-twice\n');
  await calls.retire(elsewhere);
  await second.close();
});

test('removing is refused once the panel knows the name, and what is on its way out is no orphan', async () => {
  const { leave, look, names, orphan, adopt, remove, settled } = calls;
  await leave('late');
  const { id: orphanId } = await orphan('late');
  const { body: sold } = await panel.admin.post('/api/lines', newLine('late', { server_id: id }));
  expect(await names('q=late')).toEqual([]);
  expect((await remove(orphanId)).body.code).toBe('ORPHAN_GONE');
  expect((await adopt({ ids: [orphanId] })).body.code).toBe('ORPHAN_GONE');
  await panel.admin.post(`/api/lines/${sold.line.id}/suspend`, {});
  await leave('late');
  await look();
  expect(await names('q=late')).toEqual([]);
  await panel.admin.delete(`/api/lines/${sold.line.id}`);
  await settled();
});

test('a removal that its server does not take is pending, and no orphan meanwhile', async () => {
  const { leave, look, names, orphan, remove, settled } = calls;
  await leave('pending');
  const { id: orphanId } = await orphan('pending');
  const port = Number(new URL(agent.url).port);
  await agent.close();
  const { body } = await remove(orphanId);
  expect(body).toMatchObject({ removed: 1, sync: { ok: false } });
  expect((await remove(orphanId)).body.code).toBe('ORPHAN_GONE');
  expect(await names('q=pending')).toEqual([]);
  expect((await panel.admin.get('/api/sync')).body.items).toMatchObject([
    { username: 'pending', operation: 'delete' },
  ]);
  expect((await look())[0]).toMatchObject({
    message: 'Failed to connect to server: connection refused',
  });
  agent = await startTestAgent(port, agent.dir);
  await panel.admin.post('/api/sync/retry', { all: true });
  await settled();
  await look();
  expect(await names('q=pending')).toEqual([]);
  expect((await readServerFiles(agent)).cccam).not.toContain('F: pending ');
});

test('many at once, and both from two sides: each name ends as one line or none', async () => {
  const { leave, look, list, names, adopt, remove, settled } = calls;
  const all = Array.from({ length: 30 }, (_, index) => `crowd-${String(index).padStart(2, '0')}`);
  for (const name of all) await leave(name);
  await look();
  const { items } = await list('q=crowd&limit=100');
  const ids = items.map((one: { id: string }) => one.id);
  expect(ids).toHaveLength(30);
  const half = ids.slice(0, 15);
  const replies = await Promise.all([
    adopt({ ids: half }),
    adopt({ ids: half }),
    remove(...ids.slice(10)),
    remove(...ids.slice(10)),
    panel.admin.post('/api/lines', newLine('crowd-29', { server_id: id })),
    panel.admin.post('/api/sync/orphans/look', {}),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 200]);
  await settled();
  await look();
  expect(await names('q=crowd')).toEqual([]);
  const lines = (await panel.admin.get('/api/lines?q=crowd&limit=100')).body;
  const onServer = (await readServerFiles(agent)).cccam.match(/^F: crowd-\S+/gm) ?? [];
  const sold: string[] = lines.items.map(({ username }: { username: string }) => `F: ${username}`);
  expect([...onServer].sort()).toEqual(sold.sort());
  expect(sold).toContain('F: crowd-29');
  expect(sold.slice(0, 10)).toEqual(all.slice(0, 10).map((name) => `F: ${name}`));
  const adoptions = replies
    .slice(0, 2)
    .flatMap(({ body }) => body.items)
    .filter(({ refusal }: { refusal: string | null }) => refusal === null);
  expect(adoptions).toHaveLength(sold.length - 1);
});

test('a look that others overtook stores nothing old, and one is made for all who ask', async () => {
  const { leave, look, orphan, remove } = calls;
  await leave('overtaken');
  const { id: orphanId } = await orphan('overtaken');
  const before = await panel.services.db.selectFrom('orphan_looks').selectAll().execute();
  await remove(orphanId);
  const after = await panel.services.db.selectFrom('orphan_looks').selectAll().execute();
  const revision = (rows: typeof before) => rows.find((row) => row.server_id === id)?.revision;
  expect(Number(revision(after))).toBe(Number(revision(before)) + 1);
  const first = (await look()).find(({ server_id }) => server_id === id);
  const { body } = await panel.admin.post('/api/sync/orphans/look', {});
  const second = body.items.find(({ server_id }: { server_id: string }) => server_id === id);
  expect(second).toEqual(first);
});

test('of two entries for one machine only one is looked at', async () => {
  const { leave, look, list, names, remove } = calls;
  const { host, port } = { host: '127.0.0.1', port: new URL(agent.url).port };
  const { id: again } = await panel.addServer(`http://${host}:${port}`, 'The same again');
  await leave('shared-machine');
  await look();
  const { items } = await list('q=shared-machine');
  expect(items).toMatchObject([{ server_id: id }]);
  // A line that is sold under the other entry is known on the machine, so it is no orphan.
  await panel.admin.post('/api/lines', newLine('shared-machine', { server_id: again }));
  expect(await names('q=shared-machine')).toEqual([]);
  expect((await remove(items[0].id)).body.code).toBe('ORPHAN_GONE');
});
