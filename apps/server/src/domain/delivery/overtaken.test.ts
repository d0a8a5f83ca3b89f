// A response of a card server may describe the moment before a change, or come from a machine that the entry no longer
// means.
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { countWaiting } from '../../testing/loops.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { checkServer } from '../checks/server-checks.ts';
import { stopServers } from '../machines/card-server/testing/servers.ts';
import { settle } from './settle.ts';

let panel: TestPanel;
let machine: MemoryCardServer;
let id: string;
beforeAll(async () => {
  panel = await startTestPanel();
});
beforeEach(async () => {
  machine = await startMemoryCardServer();
  ({ id } = await panel.addServer(machine.url, machine.url));
});
afterEach(stopServers);

/**
 * Returns a function that calls `run` only the first time, because only the first call is overtaken by another change.
 */
function once(run: () => Promise<unknown>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await run();
  };
}

async function sell(username: string, server_id: string): Promise<string> {
  const reply = await panel.admin.post('/api/lines', newLine(username, { server_id }));
  expect(reply.status).toBe(201);
  return reply.body.line.id;
}
const server = async () => (await panel.admin.get(`/api/servers/${id}`)).body;
const edit = (changes: object) => panel.admin.patch(`/api/servers/${id}`, changes);

test('a sale under way goes to the address that its server is given', async () => {
  const { db } = panel.services;
  const [line_id, username] = [newId(), 'sold-on-the-way'];
  const sale = await db.startTransaction().execute();
  await sql`select from cccam_servers where id = ${id} for key share`.execute(sale);
  await sql`insert into users (id, username, password, host_port, added_date, expiry_date, owner_id, server_id, status)
    select ${line_id}::uuid, ${username}, 'sealed', array['127.0.0.1:12000'], current_date, '2090-01-01',
      id, ${id}::uuid, '[]' from auth_users limit 1`.execute(sale);
  await settle(sale, [line_id]);
  const moving = edit({ host_ip: 'moved.example' });
  await eventually(async () => expect(await countWaiting(db)).toBe(1));
  await sale.commit().execute();
  expect((await moving).status).toBe(200);
  const { body } = await panel.admin.get(`/api/lines/${line_id}`);
  expect(body.host_port).toEqual(['moved.example:12000']);
});

test('a test says nothing about the address that its server was given meanwhile', async () => {
  // Nothing listens on this port.
  machine.beforeStatus = once(() => edit({ api_port: 1 }));
  const { body } = await panel.admin.post(`/api/servers/${id}/test`);
  expect(body.status).toBe('error');
  expect((await server()).status).toBe('error');
});

test('names of one machine are not removed from the next', async () => {
  machine.accounts.set('of-somebody', { password: 'x', expiryDate: '01-01-2090' });
  machine.onList = once(() => edit({ api_port: 1 }));
  const { body } = await panel.admin.post(`/api/servers/${id}/mend`, { remove_unknown: true });
  expect(body).toMatchObject({ removed: 0 });
});

test('a sale whose line was deleted before its server answered is answered all the same', async () => {
  machine.beforeChange = once(async () => {
    machine.answersWith = { status: 500 };
    await sql`delete from users where username = 'sold-and-gone'`.execute(panel.services.db);
  });
  const { client } = await panel.reseller();
  const line = newLine('sold-and-gone', { server_id: id });
  const { status, body } = await client.post('/api/lines', line);
  expect(status).toBe(201);
  expect(body).toMatchObject({ cost: 2, sync: { ok: false }, line: { username: 'sold-and-gone' } });
});

test('what was delivered while a server told its accounts is not lost', async () => {
  const name = 'late-in-the-list';
  const line_id = await sell(name, id);
  machine.accounts.delete(name);
  machine.onList = once(() =>
    panel.admin.patch(`/api/lines/${line_id}`, { password: 'delivered-again' }),
  );
  const asked = await panel.services.db
    .updateTable('cccam_servers')
    .set({ next_count_at: new Date(0) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await checkServer(panel.services, asked);
  expect(machine.accounts.has(name)).toBe(true);
  expect((await server()).accounts_missing).toBe(0);
});

test('a name that is sold on another entry of its machine while it is deleted stays there', async () => {
  const name = 'twice-there';
  const other = await panel.addServer(machine.url, 'The same machine');
  const line_id = await sell(name, id);
  machine.beforeChange = once(async () => {
    // The panel has released the name, and the sale reaches the machine before the removal.
    const { accounts } = machine;
    accounts.delete(name);
    await sell(name, other.id);
    expect(accounts.has(name)).toBe(true);
  });
  await panel.admin.delete(`/api/lines/${line_id}`);
  await eventually(async () => {
    const { body } = await panel.admin.get('/api/sync?state=pending');
    expect(body.items).toEqual([]);
    expect([...machine.accounts.keys()]).toEqual([name]);
  });
});
