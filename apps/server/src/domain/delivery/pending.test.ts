// @module-tag thorough
// A card server that is silent or slow keeps nobody waiting: the reply comes while the server still holds the
// request, and the same attempt ends in the background.
import pino from 'pino';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPanel } from '../../commands/panel.ts';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import type { TestReply } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { startTestPanel, stopWaitingForPushes, type TestPanel } from '../../testing/panel.ts';
import { stopServers } from '../machines/card-server/testing/servers.ts';

let panel: TestPanel;
let machine: MemoryCardServer;
let id: string;
beforeAll(async () => {
  panel = await startTestPanel();
  stopWaitingForPushes(panel);
});
beforeEach(async () => {
  machine = await startMemoryCardServer();
  ({ id } = await panel.addServer(machine.url, machine.url));
});
afterEach(stopServers);

/** Makes the server delay its reply to every change until `open` is called. */
function hold(): { open(): void } {
  const gate = Promise.withResolvers<void>();
  machine.beforeChange = () => gate.promise;
  return { open: () => gate.resolve() };
}
const changesOf = (name: string) =>
  machine.calls.filter(({ body }) => (body as { username?: string } | null)?.username === name);
const sell = (username: string, by = panel) =>
  by.admin.post('/api/lines', newLine(username, { server_id: id }));
const isSynced = async (line_id: string) => {
  const { body } = await panel.admin.get(`/api/lines/${line_id}`);
  expect(body.sync_state).toBe('synced');
};

const admin = () => panel.admin;
const acts: [string, string, (line: string) => Promise<TestReply>][] = [
  ['a renewal', 'renew', (line) => admin().post(`${line}/renew`, { subscription_months: 1 })],
  ['a new password', 'edit', (line) => admin().patch(line, { password: 'another' })],
  ['a suspension', 'edit', (line) => admin().post(`${line}/suspend`, {})],
  ['a deletion', 'delete', (line) => admin().delete(line)],
  ['a sync by hand', 'add', (line) => admin().post(`${line}/sync`)],
];

test('a sale is answered as pending while its server still holds the request, and arrives by it', async () => {
  const gate = hold();
  const { status, body } = await sell('sold-beside');
  expect(changesOf('sold-beside')).toHaveLength(1);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    sync: { ok: false, message: 'User was added to database; delivery to CCcam server is pending' },
    sync_finding: { code: 'PUSH_PENDING', data: { operation: 'add' } },
    line: { sync_state: 'pending', sync_message: null },
  });
  const { body: server } = await panel.admin.get(`/api/servers/${id}`);
  expect(server).toMatchObject({ status: 'active', pushes_due: 1 });

  gate.open();
  await eventually(() => isSynced(body.line.id));
  expect(changesOf('sold-beside')).toHaveLength(1);
  const { body: activity } = await panel.admin.get(`/api/lines/${body.line.id}/activity`);
  expect(JSON.stringify(activity)).not.toContain('PUSH_');
});

test.each(acts)('%s is answered while the server still holds it', async (name, operation, act) => {
  const username = name.replaceAll(' ', '-');
  const { body: sold } = await sell(username);
  await eventually(() => isSynced(sold.line.id));
  const before = changesOf(username).length;
  const gate = hold();
  const { status, body } = await act(`/api/lines/${sold.line.id}`);
  expect(changesOf(username)).toHaveLength(before + 1);
  expect(status).toBe(200);
  expect(body.sync.ok).toBe(false);
  expect(body.sync_finding).toEqual({ code: 'PUSH_PENDING', data: { operation } });
  gate.open();
  await eventually(async () => {
    const { body: due } = await panel.admin.get(`/api/sync?q=${username}`);
    expect(due.items).toEqual([]);
  });
  expect(changesOf(username)).toHaveLength(before + 1);
});

test('a server in error is asked as long as any other', async () => {
  const { body } = await sell('in-error');
  await eventually(() => isSynced(body.line.id));
  await panel.services.db
    .updateTable('cccam_servers')
    .set({ status: 'error', failures: 3 })
    .where('id', '=', id)
    .execute();
  const gate = hold();
  const renewal = { subscription_months: 1 };
  const renewed = await panel.admin.post(`/api/lines/${body.line.id}/renew`, renewal);
  expect(renewed.body.sync_finding.code).toBe('PUSH_PENDING');
  gate.open();
  await eventually(async () => {
    const { body: server } = await panel.admin.get(`/api/servers/${id}`);
    expect(server.status).toBe('active');
  });
  expect(changesOf('in-error')).toHaveLength(2);
});

test('a panel that ends waits for what goes on, and the next one does not send it again', async () => {
  const first = await startTestPanel();
  stopWaitingForPushes(first);
  const { id: server_id } = await first.addServer(machine.url);
  const gate = hold();
  const { body } = await first.admin.post('/api/lines', newLine('at-the-end', { server_id }));
  expect(body.sync_finding.code).toBe('PUSH_PENDING');
  const closing = first.close();
  gate.open();
  await closing;
  const next = await startPanel(first.env, pino({ level: 'silent' }));
  const row = await next.services.db
    .selectFrom('server_accounts')
    .select(['revision', 'synced_revision'])
    .where('server_id', '=', server_id)
    .executeTakeFirstOrThrow();
  await next.close();
  expect(row.synced_revision).toBe(row.revision);
  expect(changesOf('at-the-end')).toHaveLength(1);
});
