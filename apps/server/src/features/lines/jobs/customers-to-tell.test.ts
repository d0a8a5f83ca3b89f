import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLine } from '../../../testing/lines.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
let seller: TestAccount;
let below: TestAccount;
let other: TestAccount;
const servers: Record<string, string> = {};
const ids: Record<string, string> = {};

beforeAll(async () => {
  panel = await startTestPanel();
  seller = await panel.reseller();
  below = await panel.below(seller, { credits: 20 });
  other = await panel.reseller();
  for (const name of ['Frankfurt', 'Warsaw']) {
    const { body } = await panel.admin.post('/api/servers', {
      ...{ server_name: name, host_ip: '10.1.2.3', port: 12000 },
      ...{ public_host: `${name.toLowerCase()}.example`, username: 'panel', password: 'secret' },
    });
    servers[name] = body.server.id;
  }
  await panel.services.db.updateTable('cccam_servers').set({ status: 'active' }).execute();
  for (const [{ client }, username] of [
    [seller, 'one'],
    [seller, 'two'],
    [below, 'below'],
  ] as const) {
    const line = newLine(username, { server_id: servers.Frankfurt });
    ids[username] = (await client.post('/api/lines', line)).body.line.id;
  }
});
afterAll(() => panel?.stop());

const toTell = async ({ client } = seller) =>
  (await client.get('/api/customers/to-tell')).body.items;
const move = async (from: string, to: string): Promise<string> => {
  // The servers do not respond, and the panel records that.
  await panel.services.db.updateTable('cccam_servers').set({ status: 'active' }).execute();
  const body = { to_server_id: servers[to] };
  return (await panel.admin.post(`/api/servers/${servers[from]}/move-lines`, body)).body.job_id;
};
const tell = (job_id: string, ...names: string[]) =>
  seller.client.post(`/api/jobs/${job_id}/customers/told`, {
    line_ids: names.map((name) => ids[name]),
    is_told: true,
  });

test('customers of moved lines stay until each was told or came to the new server', async () => {
  expect(await toTell()).toEqual([]);
  const job_id = await move('Frankfurt', 'Warsaw');
  const at = expect.any(String);
  expect(await toTell()).toEqual([{ job_id, at, lines: 2, told: 0, seen: 0 }]);
  expect(await toTell(below)).toEqual([{ job_id, at, lines: 1, told: 0, seen: 0 }]);
  expect(await toTell(other)).toEqual([]);
  // The administrator owns none of these lines.
  expect((await panel.admin.get('/api/customers/to-tell')).body.items).toEqual([]);

  await tell(job_id, 'one');
  expect(await toTell()).toMatchObject([{ job_id, lines: 2, told: 1, seen: 0 }]);
  const { db } = panel.services;
  const seenOn = (server: string) =>
    sql`insert into line_presence (line_id, server_id, connections, since, last_seen_at)
      values (${ids.two}, ${servers[server]}, 1, now(), now() + interval '1 second')
      on conflict (line_id) do update set server_id = excluded.server_id`.execute(db);
  await seenOn('Frankfurt');
  expect(await toTell()).toHaveLength(1);
  await seenOn('Warsaw');
  expect(await toTell()).toEqual([]);
  expect(await toTell(below)).toHaveLength(1);
});

test('a move stands in the history of each line, for owner and administrators', async () => {
  for (const client of [seller.client, panel.admin]) {
    const { items } = (await client.get(`/api/lines/${ids.two}/activity`)).body;
    const [moved] = items.filter(({ action }: { action: string }) => action === 'line.move');
    expect(moved.changes).toContainEqual({
      field: 'server_id',
      before: 'Frankfurt',
      after: 'Warsaw',
    });
  }
});

test('a second move takes the place of the first, and a new address is told as well', async () => {
  const back = await move('Warsaw', 'Frankfurt');
  expect(await toTell()).toMatchObject([{ job_id: back, lines: 2, told: 0 }]);
  await tell(back, 'one', 'two');
  expect(await toTell()).toEqual([]);

  const { body } = await panel.admin.patch(`/api/servers/${servers.Frankfurt}`, {
    public_host: 'other.example',
  });
  expect(await toTell()).toMatchObject([{ job_id: body.job_id, lines: 2, told: 0, seen: 0 }]);
  await panel.services.db
    .updateTable('jobs')
    .set({ created_at: sql`now() - interval '31 days'` })
    .execute();
  expect(await toTell()).toEqual([]);
});
