import { beforeAll, expect, test } from 'vitest';
import { condenseChecks } from '../../domain/checks/server-checks.ts';
import { startApi } from '../../domain/machines/card-server/testing/servers.ts';
import { newLine } from '../../testing/lines.ts';
import { checkById } from '../../testing/loops.ts';
import { AGENT, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

async function addServer(api_port: number): Promise<string> {
  const server = { server_name: 'Tested', host_ip: '127.0.0.1', port: 12000, api_port, ...AGENT };
  return (await panel.admin.post('/api/servers', server)).body.server.id;
}

const checksOf = async (id: string, query = '') =>
  (await panel.admin.get(`/api/servers/${id}/checks${query}`)).body;

test('has what every test of it found, oldest first, for a day', async () => {
  let health = 200;
  const { port } = await startApi(() => ({ status: health, json: { version: '1' } }));
  const id = await addServer(port);
  expect((await checksOf(id)).items).toMatchObject([{ status: 'active' }]);
  const first = await panel.admin.post(`/api/servers/${id}/test`);
  health = 503;
  await panel.admin.post('/api/servers/check');
  const moment = expect.any(String);
  const message = 'Health check failed with status: 503';
  const found = {
    checked_at: moment,
    status: 'error',
    latency_ms: expect.any(Number),
    message,
    finding: { code: 'HEALTH_CHECK_FAILED', data: { status: 503, port_answers: false } },
  };
  expect(await checksOf(id)).toEqual({
    items: [
      // A server is tested when it is added, so it has one check.
      {
        checked_at: moment,
        status: 'active',
        latency_ms: expect.any(Number),
        message: null,
        finding: null,
      },
      {
        checked_at: moment,
        status: 'active',
        latency_ms: first.body.latency_ms,
        message: null,
        finding: null,
      },
      found,
    ],
  });

  const { db } = panel.services;
  const age = (days: number) =>
    db
      .updateTable('server_checks')
      .set({ checked_at: new Date(Date.now() - days * 86_400_000) })
      .where('server_id', '=', id)
      .where('status', '=', 'active')
      .execute();
  await age(1);
  expect(await checksOf(id)).toEqual({ items: [found] });
  expect((await checksOf(id, '?hours=72')).items).toHaveLength(3);
  await condenseChecks(db);
  expect((await checksOf(id, '?hours=720')).items).toHaveLength(3);
  await age(2);
  await condenseChecks(db);
  expect(
    await db.selectFrom('server_checks').selectAll().where('server_id', '=', id).execute(),
  ).toHaveLength(1);
  await panel.admin.delete(`/api/servers/${id}`);
  expect(await panel.admin.get(`/api/servers/${id}/checks`)).toMatchObject({ status: 404 });
});

test('of a server deleted during its test is not stored', async () => {
  const asked = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<void>();
  const { port } = await startApi(async () => {
    asked.resolve();
    await removed.promise;
    return { status: 200, json: { version: '1' } };
  });
  const id = await addServer(port);
  const testing = panel.admin.post(`/api/servers/${id}/test`);
  await asked.promise;
  expect((await panel.admin.delete(`/api/servers/${id}`)).status).toBe(200);
  removed.resolve();
  expect(await testing).toMatchObject({ status: 404, body: { message: 'Server not found' } });
});

test('a server whose agent may not write is not active, and server and line say why', async () => {
  let not_written: object | null = null;
  const { port } = await startApi(({ url }) => {
    if (url === '/health') return { status: 200, json: { message: 'OK' } };
    if (url === '/') {
      return { status: 200, json: { message: 'Linekeeper agent', version: '1.4.0', not_written } };
    }
    const message =
      'Could not write oscam.user (EACCES). The change is stored and will be written later.';
    const data = { file: 'oscam.user (EACCES)', ...not_written };
    return { status: 500, json: { message, code: 'FILE_WRITTEN_LATER', data } };
  });
  const id = await addServer(port);
  expect((await panel.admin.post(`/api/servers/${id}/test`)).body.status).toBe('active');
  const told = { reason: 'EACCES', path: '/etc/oscam', owner: '1000:1000 755', user: 'agent' };
  not_written = told;
  const finding = { code: 'AGENT_NOT_ALLOWED', data: told };

  const { body: sold } = await panel.admin.post(
    '/api/lines',
    newLine('not-written', { server_id: id }),
  );
  expect(sold.sync_finding).toEqual(finding);
  const server = async () => (await panel.admin.get(`/api/servers/${id}`)).body;
  expect(await server()).toMatchObject({ status: 'error', status_finding: finding });

  not_written = null;
  await checkById(panel.services, id);
  expect(await server()).toMatchObject({ status: 'active', status_finding: null });
  not_written = told;
  await checkById(panel.services, id);
  expect(await server()).toMatchObject({
    status: 'error',
    status_finding: finding,
    status_message: expect.stringContaining('is not allowed to write to /etc/oscam (EACCES)'),
  });
});
