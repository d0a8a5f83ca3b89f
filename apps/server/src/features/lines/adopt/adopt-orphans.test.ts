import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApi, stopServers } from '../../../domain/machines/card-server/testing/servers.ts';
import { orphanCalls } from '../../../testing/card-servers/orphans.ts';
import { readServerFiles } from '../../../testing/lines.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let id: string;
let calls: ReturnType<typeof orphanCalls>;
let reseller: { id: string };
beforeAll(async () => {
  panel = await startTestPanel();
  agent = await startTestAgent();
  ({ id } = await panel.addServer(agent.url, 'Frankfurt'));
  calls = orphanCalls(panel, () => agent);
  const email = 'seller@panel.example';
  const account = { email, password: 'a long password', group_id: '2' };
  reseller = (await panel.admin.post('/api/accounts', account)).body.account;
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
  await stopServers();
});
beforeEach(async () => {
  await panel.services.db.deleteFrom('server_orphans').execute();
});

const transfers = async () => (await panel.admin.get('/api/credits/transfers')).body.total;

test('adopting makes a line as it is on the server, at no charge and without a push', async () => {
  const { leave, look, names, orphan, adopt, lineNamed, settled } = calls;
  await leave('adopted', '05-06-2087');
  const { id: orphanId } = await orphan('adopted');
  const before = await transfers();
  const { status, body } = await adopt({ ids: [orphanId], owner_id: reseller.id });
  expect([status, body.sync]).toEqual([200, { ok: true, message: null }]);
  const { items } = await lineNamed('adopted');
  expect(items).toMatchObject([
    {
      id: body.items[0].line_id,
      username: 'adopted',
      expiry_date: '2087-06-05',
      owner_id: reseller.id,
      server_id: id,
      is_trial: false,
      sync_state: 'synced',
      on_server: true,
    },
  ]);
  expect(await transfers()).toBe(before);
  const revealed = await panel.admin.post(`/api/lines/${items[0].id}/reveal`, {});
  expect(revealed.body.password).toBe('pw-adopted');
  expect(
    await panel.services.db
      .selectFrom('line_pushes')
      .selectAll()
      .where('username', '=', 'adopted')
      .execute(),
  ).toEqual([]);
  const { body: audit } = await panel.admin.get('/api/audit?action=line.adopt');
  expect(audit.items[0]).toMatchObject({
    subject_id: items[0].id,
    after: { username: 'adopted', owner_id: reseller.id, expiry_date: '2087-06-05' },
  });
  expect(JSON.stringify(audit)).not.toContain('pw-adopted');
  const history = await panel.admin.get(`/api/lines/${items[0].id}/activity`);
  expect(JSON.stringify(history.body)).toContain('line.adopt');

  await look();
  expect(await names('q=adopted')).toEqual([]);
  // From now on, the line is changed like any other line.
  await panel.admin.patch(`/api/lines/${items[0].id}`, { password: 'changed' });
  await settled();
  expect((await readServerFiles(agent)).cccam).toContain('F: adopted changed\n');
  const compared = (await panel.admin.get(`/api/servers/${id}/compare`)).body;
  expect(compared).toMatchObject({ missing: { count: 0 }, different: { count: 0 } });
});

test('what an administrator enters instead is brought to the server', async () => {
  const { leave, orphan, adopt, lineNamed } = calls;
  await leave('entered');
  const { id: orphanId } = await orphan('entered');
  const entered = { password: 'mine', expiry_date: '2086-01-02' };
  const { body } = await adopt({ ids: [orphanId], ...entered });
  expect(body).toMatchObject({ sync: { ok: true }, items: [{ refusal: null }] });
  expect((await readServerFiles(agent)).cccam).toContain('F: entered mine\n');
  expect((await lineNamed('entered')).items).toMatchObject([{ expiry_date: '2086-01-02' }]);
});

test('a server that tells no passwords asks for them, and one alone is refused', async () => {
  const { look, list, adopt, remove } = calls;
  const users = [
    { username: 'quiet', expiryDate: '31-12-2089' },
    { username: 'dateless' },
    { username: 'e\u0301', expiryDate: '31-12-2089' },
  ];
  const api = await startApi(({ url }) => {
    if (url === '/show-users') return { status: 404, json: { message: 'Route not found' } };
    return { status: 200, json: { version: '1', message: 'OK', users } };
  });
  const other = await panel.addServer(`http://127.0.0.1:${api.port}`, 'Plain');
  await look();
  const { items } = await list(`server_id=${other.id}`);
  expect(items).toMatchObject([
    { username: 'dateless', tells_password: false, expiry_date: null, refusal: null },
    { username: 'e\u0301', refusal: 'ORPHAN_NAME_UNFIT' },
    { username: 'quiet', tells_password: false, refusal: null },
  ]);
  const [dateless, unfit, quiet] = items.map((one: { id: string }) => one.id);
  const codeOf = async (body: object) => (await adopt(body)).body.code;
  expect(await codeOf({ ids: [quiet] })).toBe('ORPHAN_PASSWORD_UNKNOWN');
  expect(await codeOf({ ids: [dateless], password: 'pw' })).toBe('ORPHAN_EXPIRY_UNKNOWN');
  expect(await codeOf({ ids: [unfit], password: 'pw' })).toBe('ORPHAN_NAME_UNFIT');
  const two = await adopt({ ids: [quiet, dateless], password: 'pw' });
  expect([two.status, two.body.fields]).toEqual([422, { password: 'Invalid value' }]);
  expect((await adopt({ ids: [quiet, dateless] })).body.items).toMatchObject([
    { username: 'dateless', refusal: 'ORPHAN_PASSWORD_UNKNOWN', line_id: null },
    { username: 'quiet', refusal: 'ORPHAN_PASSWORD_UNKNOWN', line_id: null },
  ]);
  expect((await adopt({ ids: [quiet], password: 'pw-quiet' })).body.sync.ok).toBe(true);
  expect(api.calls.at(-1)).toMatchObject({ method: 'PUT', url: '/edit-user' });
  const { body: removed } = await remove(unfit);
  expect(removed).toMatchObject({ removed: 1, sync: { ok: true } });
  await calls.retire(other.id);
});

test('nothing is adopted from a server that does not answer, or of a name that is gone', async () => {
  const { meddle, leave, orphan, adopt, lineNamed } = calls;
  await leave('unreached');
  const { id: orphanId } = await orphan('unreached');
  const port = Number(new URL(agent.url).port);
  await agent.close();
  expect((await adopt({ ids: [orphanId] })).body.code).toBe('ORPHAN_SERVER_AWAY');
  expect((await lineNamed('unreached')).total).toBe(0);
  agent = await startTestAgent(port, agent.dir);
  await meddle('DELETE', '/delete-user', { username: 'unreached' });
  expect((await adopt({ ids: [orphanId] })).body.code).toBe('ORPHAN_GONE');
  expect((await lineNamed('unreached')).total).toBe(0);
});
