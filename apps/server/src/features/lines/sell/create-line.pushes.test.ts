import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type SeenCall,
  startApi,
  stopServers,
} from '../../../domain/machines/card-server/testing/servers.ts';
import { transfersOf } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});
afterAll(async () => {
  await panel?.stop();
  await stopServers();
});

async function lineOf(client: TestPanel['admin'], id: string) {
  return (await client.get(`/api/lines/${id}`)).body;
}

test('a card server that is down: sold and charged once, delivered when it returns', async () => {
  const agent = await startTestAgent();
  const server = await panel.addServer(agent.url, 'Comes and goes');
  await agent.close();
  const { client, id } = await panel.reseller();
  const message =
    'User was added to database but could not be added to CCcam server: connection refused';

  const reply = await client.post('/api/lines', newLine('patient', { server_id: server.id }));
  expect(reply).toMatchObject({ status: 201, body: { cost: 2, credits: 98 } });
  expect(reply.body.sync).toEqual({ ok: false, message });
  expect(reply.body.line).toMatchObject({ sync_state: 'failed', sync_message: message });
  const { body: failed } = await client.get('/api/lines?sync_state=failed');
  expect(failed.items).toEqual([reply.body.line]);
  expect((await client.get('/api/lines/counts')).body).toMatchObject({ all: 1, not_synced: 1 });

  const back = await startTestAgent(Number(new URL(agent.url).port), agent.dir);
  await expect
    .poll(() => lineOf(client, reply.body.line.id))
    .toMatchObject({ sync_state: 'synced', sync_message: null });
  expect((await readServerFiles(back)).cccam).toContain('F: patient pw-patient\n');
  await back.close();

  expect((await transfersOf(panel.services.db, id)).map(({ kind }) => kind)).toEqual([
    'mint',
    'sale',
  ]);
  expect((await client.get('/api/me')).body.credits).toBe(98);
});

test('a line can be pushed by hand, without waiting for the next try', async () => {
  const agent = await startTestAgent();
  const server = await panel.addServer(agent.url, 'Back at once');
  await agent.close();
  const { client } = await panel.reseller();
  const { body } = await client.post('/api/lines', newLine('by-hand', { server_id: server.id }));
  const sync = () => client.post(`/api/lines/${body.line.id}/sync`);
  expect((await sync()).body.sync).toMatchObject({ ok: false });

  const back = await startTestAgent(Number(new URL(agent.url).port), agent.dir);
  expect(await sync()).toMatchObject({ status: 200, body: { sync: { ok: true, message: null } } });
  expect((await readServerFiles(back)).cccam).toContain('F: by-hand pw-by-hand\n');
  expect(await lineOf(client, body.line.id)).toMatchObject({ sync_state: 'synced' });
  // A second sync finds nothing due and succeeds.
  expect((await sync()).body.sync).toEqual({ ok: true, message: null });
  await back.close();
});

describe('a card server that answers', () => {
  /** Adds a healthy server that replies to all other calls as given. */
  async function addApi(
    name: string,
    answer: (call: SeenCall) => { status: number; json?: object },
  ) {
    const api = await startApi((call) =>
      call.method === 'GET' ? { status: 200, json: { version: '1' } } : answer(call),
    );
    const server = await panel.addServer(`http://127.0.0.1:${api.port}`, name);
    const writes = () => api.calls.filter(({ method }) => method !== 'GET');
    return { id: server.id, writes };
  }

  async function sell(username: string, server_id: string) {
    const { body } = await panel.admin.post('/api/lines', newLine(username, { server_id }));
    return body;
  }

  test('and has lost a line since is given it again by hand', async () => {
    const { id, writes } = await addApi('Forgetful', () => ({ status: 200, json: {} }));
    const { line } = await sell('forgotten', id);
    expect(writes()).toHaveLength(1);
    expect((await panel.admin.post(`/api/lines/${line.id}/sync`)).body.sync.ok).toBe(true);
    expect(writes()).toHaveLength(2);
  });

  test('200 that says it failed has not taken the line', async () => {
    const json = { success: false, message: 'disk full' };
    const { id } = await addApi('Polite', () => ({ status: 200, json }));
    expect((await sell('polite', id)).sync).toEqual({ ok: false, message: 'disk full' });
  });

  test('500 with a message is quoted', { tags: ['spec:7.42', 'spec:8.1'] }, async () => {
    const { id } = await addApi('Quoted', () => ({
      status: 500,
      json: { message: 'Disk full, <b>sorry</b>' },
    }));
    const { line, sync } = await sell('quoted', id);
    expect(sync).toEqual({ ok: false, message: 'Disk full, <b>sorry</b>' });
    expect(line).toMatchObject({ sync_state: 'failed', sync_message: 'Disk full, <b>sorry</b>' });
  });

  test('500 without a message is told in the panel’s own words', async () => {
    const { id } = await addApi('Silent', () => ({ status: 500 }));
    expect((await sell('silent', id)).sync).toEqual({
      ok: false,
      message: 'Failed to add user to CCcam server',
    });
  });

  test('that the name exists already is given the line all the same', async () => {
    const { id, writes } = await addApi('Knows it', ({ url }) =>
      url === '/add-user'
        ? { status: 409, json: { message: 'Username already exists' } }
        : { status: 200, json: { message: 'ok' } },
    );
    const { line, sync } = await sell('known', id);
    expect(sync).toEqual({ ok: true, message: null });
    const [year, month, day] = line.expiry_date.split('-');
    expect(writes().map(({ method, url, body }) => ({ method, url, body }))).toEqual([
      {
        method: 'POST',
        url: '/add-user',
        body: { username: 'known', password: 'pw-known', expiryDate: `${day}-${month}-${year}` },
      },
      {
        method: 'PUT',
        url: '/edit-user',
        body: {
          username: 'known',
          newPassword: 'pw-known',
          newExpiryDate: `${day}-${month}-${year}`,
        },
      },
    ]);
  });

  test('with the secrets it was sent has them blotted out', async () => {
    const { id } = await addApi('Talkative', ({ body, headers }) => ({
      status: 400,
      json: { message: `bad ${JSON.stringify(body)} from ${headers.authorization}` },
    }));
    const { sync } = await sell('talkative', id);
    expect(sync.message).toContain('"username":"talkative"');
    expect(sync.message).not.toContain('pw-talkative');
    expect(sync.message).toContain('Basic ***');
  });
});
