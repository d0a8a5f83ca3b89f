// @module-tag thorough
import { beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '../../db/transaction.ts';
import { settle } from '../../domain/delivery/settle.ts';
import { startApi } from '../../domain/machines/card-server/testing/servers.ts';
import { basicAuth } from '../../platform/http-client/request.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import { countWaiting } from '../../testing/loops.ts';
import { AGENT, startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let id: string;
beforeAll(async () => {
  panel = await startTestPanel();
  agent = await startTestAgent();
  ({ id } = await panel.addServer(agent.url));
  for (const name of ['fine', 'gone', 'longer', 'other']) {
    await panel.admin.post('/api/lines', newLine(name, { server_id: id }));
  }
});

/** Changes an account on the card server without the panel. */
async function meddle(method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: basicAuth(AGENT), 'content-type': 'application/json' };
  const reply = await fetch(agent.url + path, { method, headers, body: JSON.stringify(body) });
  expect(reply.ok).toBe(true);
}
const compare = async (server = id) =>
  (await panel.admin.get(`/api/servers/${server}/compare`)).body;
const mend = async (body: object = {}) =>
  (await panel.admin.post(`/api/servers/${id}/mend`, body)).body;
const none = { count: 0, items: [] };
const nothingDue = () => eventually(async () => expect((await compare()).due).toBe(0));

test('a server that has what the panel has differs in nothing', async () => {
  const same = {
    offered: true,
    message: null,
    finding: null,
    due: 0,
    missing: none,
    different: none,
    suspended: none,
  };
  expect(await compare()).toEqual({
    ...same,
    same: 4,
    unknown: none,
    by_hand: none,
    other_panel: none,
    elsewhere: [],
    new_group: null,
  });
  expect(await mend({ remove_unknown: true })).toEqual({ queued: 0, removed: 0 });
});

test('what somebody changed there is found and mended; strangers go only where asked', async () => {
  await meddle('DELETE', '/delete-user', { username: 'gone' });
  await meddle('PUT', '/edit-user', { username: 'longer', newExpiryDate: '31-12-2089' });
  await meddle('POST', '/add-user', {
    username: 'stranger',
    password: 'pw',
    expiryDate: '31-12-2089',
  });
  const { body: lines } = await panel.admin.get('/api/lines?q=longer');
  const [{ expiry_date }] = lines.items;
  expect(await compare()).toEqual({
    offered: true,
    message: null,
    finding: null,
    same: 2,
    due: 0,
    missing: { count: 1, items: ['gone'] },
    different: { count: 1, items: [{ username: 'longer', expiry_date, on_server: '2089-12-31' }] },
    suspended: none,
    unknown: { count: 1, items: ['stranger'] },
    by_hand: none,
    other_panel: none,
    elsewhere: [],
    new_group: null,
  });

  expect(await mend()).toEqual({ queued: 2, removed: 0 });
  await nothingDue();
  expect(await compare()).toMatchObject({
    same: 4,
    missing: none,
    different: none,
    unknown: { count: 1 },
  });
  expect((await readServerFiles(agent)).cccam).toContain('F: gone pw-gone\n');
  expect((await readServerFiles(agent)).cccam).toContain('F: stranger ');

  expect(await mend({ remove_unknown: true })).toEqual({ queued: 0, removed: 1 });
  await nothingDue();
  expect((await compare()).unknown).toEqual(none);
  expect((await readServerFiles(agent)).cccam).not.toContain('F: stranger ');
});

test('one account is mended or removed, and the others stay as they are', async () => {
  const wrong = { newExpiryDate: '31-12-2089' };
  await meddle('PUT', '/edit-user', { username: 'longer', ...wrong });
  await meddle('DELETE', '/delete-user', { username: 'gone' });
  for (const username of ['stranger-1', 'stranger-2'])
    await meddle('POST', '/add-user', { username, password: 'pw', expiryDate: '31-12-2089' });

  expect(await mend({ username: 'gone' })).toEqual({ queued: 1, removed: 0 });
  expect(await mend({ username: 'stranger-1' })).toEqual({ queued: 0, removed: 0 });
  const remove = { username: 'stranger-1', remove_unknown: true };
  expect(await mend(remove)).toEqual({ queued: 0, removed: 1 });
  await nothingDue();
  expect(await compare()).toMatchObject({
    missing: none,
    different: { count: 1 },
    unknown: { count: 1, items: ['stranger-2'] },
  });
  expect(await mend({ username: 'nobody' })).toEqual({ queued: 0, removed: 0 });
  expect(await mend({ remove_unknown: true })).toEqual({ queued: 1, removed: 1 });
  await nothingDue();
});

test('a suspended line is rightly absent, and removed where it is there nevertheless', async () => {
  const { body: sold } = await panel.admin.post('/api/lines', newLine('off', { server_id: id }));
  await panel.admin.post(`/api/lines/${sold.line.id}/suspend`, {});
  expect(await compare()).toMatchObject({ same: 5, missing: none, suspended: none, unknown: none });
  await meddle('POST', '/add-user', { username: 'off', password: 'x', expiryDate: '31-12-2089' });
  expect(await compare()).toMatchObject({ same: 4, suspended: { count: 1, items: ['off'] } });
  expect(await mend()).toEqual({ queued: 1, removed: 0 });
  await nothingDue();
  expect(await compare()).toMatchObject({ same: 5, suspended: none, unknown: none });
  expect((await readServerFiles(agent)).cccam).not.toContain('F: off ');
  await panel.admin.delete(`/api/lines/${sold.line.id}`);
});

describe('a change that is being made while its server is mended', () => {
  /** Starts a repair while the change has not been committed yet. */
  async function mendDuring(server: string, change: (tx: Tx) => Promise<unknown>): Promise<void> {
    const { db } = panel.services;
    const tx = await db.startTransaction().execute();
    await change(tx);
    const mending = panel.admin.post(`/api/servers/${server}/mend`, {});
    await eventually(async () => expect(await countWaiting(db)).toBe(1));
    await tx.commit().execute();
    expect((await mending).status).toBe(200);
  }

  async function sell(username: string, server_id: string): Promise<string> {
    const { body } = await panel.admin.post('/api/lines', newLine(username, { server_id }));
    return body.line.id;
  }

  /** Resumes the line in a transaction that is not committed yet. */
  async function resume(tx: Tx, line_id: string): Promise<void> {
    await tx
      .updateTable('users')
      .set({ suspension: null, status: JSON.stringify([{ label: 'active', color: 'success' }]) })
      .where('id', '=', line_id)
      .execute();
    await settle(tx, [line_id]);
  }

  test('is kept: a later expiry', async () => {
    const line_id = await sell('renewed', id);
    await meddle('PUT', '/edit-user', { username: 'renewed', newExpiryDate: '31-12-2089' });
    const expiry_date = '2090-01-31';
    await mendDuring(id, async (tx) => {
      await tx.updateTable('users').set({ expiry_date }).where('id', '=', line_id).execute();
      await settle(tx, [line_id]);
    });
    await nothingDue();
    expect(await compare()).toMatchObject({ missing: none, different: none });
    await panel.admin.delete(`/api/lines/${line_id}`);
  });

  test('is kept: a line that is resumed', async () => {
    const line_id = await sell('resumed', id);
    await panel.admin.post(`/api/lines/${line_id}/suspend`, {});
    await meddle('POST', '/add-user', {
      username: 'resumed',
      password: 'x',
      expiryDate: '31-12-2089',
    });
    await mendDuring(id, (tx) => resume(tx, line_id));
    await nothingDue();
    expect(await compare()).toMatchObject({ missing: none, different: none });
    expect((await readServerFiles(agent)).cccam).toContain('F: resumed pw-resumed\n');
    await panel.admin.delete(`/api/lines/${line_id}`);
  });

  test('is kept: a line that is resumed on a server that lists none', async () => {
    const api = await startApi(({ url }) =>
      url === '/users' ? { status: 404, json: {} } : { status: 200, json: { version: '1' } },
    );
    const server = await panel.addServer(`http://127.0.0.1:${api.port}`, 'Lists none');
    const line_id = await sell('resumed-blindly', server.id);
    await panel.admin.post(`/api/lines/${line_id}/suspend`, {});
    await mendDuring(server.id, (tx) => resume(tx, line_id));
    const { wanted } = await panel.services.db
      .selectFrom('server_accounts')
      .select('wanted')
      .where('username', '=', 'resumed-blindly')
      .executeTakeFirstOrThrow();
    expect(wanted).toMatchObject({ line_id });
  });
});

test('a line of another entry for the same machine is no stranger', async () => {
  const second = await panel.addServer(agent.url, 'The same machine');
  expect(await compare(second.id)).toMatchObject({ same: 0, unknown: none, missing: none });
});

test.each([
  [404, {}, 'The card server does not list its users. HTTP status: 404'],
  [200, { message: 'no list' }, 'The card server does not list its users. HTTP status: 200'],
])('a server that answers %i with %j offers no comparison', async (status, json, message) => {
  const api = await startApi(({ url }) =>
    url === '/users' ? { status, json } : { status: 200, json: { version: '1' } },
  );
  const server = await panel.addServer(`http://127.0.0.1:${api.port}`, 'Plain');
  expect(await compare(server.id)).toMatchObject({ offered: false, message, same: 0 });
  const mended = await panel.admin.post(`/api/servers/${server.id}/mend`, {});
  expect(mended.body).toEqual({ queued: 0, removed: 0 });
});

test('a server cannot lead the panel astray with what it lists', async () => {
  const wild = ['\ud800', 'a\0b', '', 7, null, 'x'.repeat(1000), "'; drop table users; --"];
  let page = 0;
  const api = await startApi(() => {
    page += 1;
    const users = wild.map((username) => ({ username, expiryDate: 'tomorrow' }));
    return { status: 200, json: { version: '1', users, next: page < 3 ? `p${page}` : '\ud800' } };
  });
  const server = await panel.addServer(`http://127.0.0.1:${api.port}`, 'Wild');
  page = 0;
  expect(await compare(server.id)).toMatchObject({
    offered: true,
    unknown: { count: 1, items: ["'; drop table users; --"] },
  });
  expect(api.calls.slice(-3).map(({ url }) => url)).toEqual([
    '/users',
    '/users?after=p1',
    '/users?after=p2',
  ]);
});

test('mends of one server at once do not hold each other up', async () => {
  const api = await startApi(({ url }) =>
    url === '/users' ? { status: 404, json: {} } : { status: 200, json: { version: '1' } },
  );
  const server = await panel.addServer(`http://127.0.0.1:${api.port}`, 'Mended by many');
  for (let each = 0; each < 40; each++) {
    await panel.admin.post('/api/lines', newLine(`many-${each}`, { server_id: server.id }));
  }
  const mends = Array.from({ length: 100 }, () =>
    panel.admin.post(`/api/servers/${server.id}/mend`, {}),
  );
  for (const { status, body } of await Promise.all(mends)) {
    expect({ status, body }).toEqual({ status: 200, body: { queued: 40, removed: 0 } });
  }
});
