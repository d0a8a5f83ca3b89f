import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopServers } from '../../../domain/machines/card-server/testing/servers.ts';
import { deleteOldNotifications } from '../../../domain/notices/notify.ts';
import { startMemoryCardServer } from '../../../testing/card-servers/memory-card-server.ts';
import { previewBulk, requestBulk, undoBulk } from '../../../testing/jobs.ts';
import { newLine } from '../../../testing/lines.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

describe.each(databases)('the customers to tell after a move, on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  let other: TestAccount;
  let stranger: TestAccount;
  let job = '';
  const servers: string[] = [];
  const ids: string[] = [];
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    for (const [name, host] of [
      ['Frankfurt 1', 'fra1'],
      ['Warsaw 2', 'waw2'],
    ]) {
      const { url } = await startMemoryCardServer();
      const public_host = `${host}.lines.example`;
      const { id } = await panel.addServer(url, name ?? '');
      await panel.admin.patch(`/api/servers/${id}`, { public_host, public_port: 12000 });
      await panel.admin.post(`/api/servers/${id}/test`);
      servers.push(id);
    }
    [seller, other, stranger] = [
      await panel.reseller(),
      await panel.reseller(),
      await panel.reseller(),
    ];
    for (const [owner, name] of [
      [seller, 'one'],
      [seller, 'two'],
      [other, 'three'],
    ] as const) {
      const line = newLine(`${name}-${kind}`, { server_id: servers[0] });
      ids.push((await owner.client.post('/api/lines', line)).body.line.id);
    }
    const moved = await panel.admin.post(`/api/servers/${servers[0]}/move-lines`, {
      to_server_id: servers[1],
    });
    expect(moved.body).toMatchObject({ moved: 3, to_tell: 3 });
    job = moved.body.job_id;
  });
  afterAll(async () => {
    await stopServers();
    await panel?.stop();
  });

  const list = async ({ client }: Pick<TestAccount, 'client'>, query = '') =>
    client.get(`/api/jobs/${job}/customers${query}`);

  test('are those of one’s own lines, with what they enter now', async () => {
    const { body } = await list(seller);
    expect(body).toMatchObject({
      ...{ action: 'move', from_server: 'Frankfurt 1', to_server: 'Warsaw 2' },
      ...{ lines: 2, told: 0, is_undone: false, next: null },
    });
    expect(body.items.map(({ username }: { username: string }) => username)).toEqual([
      `one-${kind}`,
      `two-${kind}`,
    ]);
    expect(body.items[0].new_lines).toEqual(['C: waw2.lines.example 12000 username password']);
    expect((await list({ client: panel.admin })).body).toMatchObject({ lines: 3 });
    expect((await list({ client: panel.admin })).body.accounts).toHaveLength(2);
    expect((await list(stranger)).status).toBe(404);
  });

  test('are behind the notification of each owner, as a file too', async () => {
    const { items } = (await seller.client.get('/api/notifications')).body;
    expect(items[0].link).toBe(`/users/tell/${job}`);
    const csv = (await seller.client.get(`/api/jobs/${job}/csv?list=customers`)).body;
    expect(csv).toContain(`one-${kind}`);
    expect(csv).not.toContain(`three-${kind}`);
  });

  test('are marked, by those who see them, and the mark is taken back', async () => {
    const mark = ({ client }: Pick<TestAccount, 'client'>, is_told: boolean) =>
      client.post(`/api/jobs/${job}/customers/told`, { line_ids: ids, is_told });
    expect((await mark(seller, true)).body).toEqual({ told: 2 });
    expect((await list(seller, '?told=false')).body).toMatchObject({ told: 2, items: [] });
    const all = (await list({ client: panel.admin })).body;
    expect(all).toMatchObject({ lines: 3, told: 2 });
    expect(all.accounts[0]).toMatchObject({ account_id: other.id, told: 0 });
    const owned = await list({ client: panel.admin }, `?owner_id=${seller.id}&told=true`);
    expect(owned.body.items).toHaveLength(2);
    expect((await mark(stranger, true)).status).toBe(404);
    await mark(seller, false);
    expect((await list(seller)).body.told).toBe(0);
  });

  test('are one after the move of one line, and again after its undo', async () => {
    const [first] = ids;
    const move = { server_id: servers[0] };
    const { body } = await panel.admin.patch(`/api/lines/${first}`, move);
    const read = (id: string | null) => seller.client.get(`/api/jobs/${id}/customers`);
    const newest = async () => (await seller.client.get('/api/notifications')).body.items[0].link;
    const told = (await read(body.job_id)).body;
    expect(told).toMatchObject({ lines: 1, from_server: 'Warsaw 2', to_server: 'Frankfurt 1' });
    expect(told.items[0].new_lines).toEqual(['C: fra1.lines.example 12000 username password']);
    expect(await newest()).toBe(`/users/tell/${body.job_id}`);
    const undone = await undoBulk(panel.admin, body.job_id);
    expect((await read(undone.id)).body).toMatchObject({ lines: 1, to_server: 'Warsaw 2' });
    expect(await newest()).toBe(`/users/tell/${undone.id}`);
    expect((await read(body.job_id)).body.is_undone).toBe(true);
    const renamed = await panel.admin.patch(`/api/lines/${first}`, { notes: 'Stays' });
    expect(renamed.body.job_id).toBeNull();
  });

  test('are counted before a server is chosen, by where their lines are', async () => {
    const move = { action: 'move', ids };
    const { items, total } = await previewBulk(panel.admin, move);
    expect(total).toBe(3);
    for (const { before, after } of items) {
      expect(before).toMatchObject({ server_id: servers[1], host_port: expect.any(Array) });
      expect(after).toBeNull();
    }
    expect((await requestBulk(panel.admin, move)).status).toBe(422);
  });

  test('are gone after 30 days, with the notification', async () => {
    const { db } = panel.services;
    const age = (days: number) =>
      sql`with aged as (
        update jobs set created_at = now() - make_interval(days => ${days}))
      update notifications set created_at = now() - make_interval(days => ${days})`.execute(db);
    const link = `/users/tell/${job}`;
    const links = async () => {
      await deleteOldNotifications(db);
      const { items } = (await seller.client.get('/api/notifications')).body;
      return items.map((one: { link: string }) => one.link);
    };
    await age(29);
    expect((await list(seller)).status).toBe(200);
    expect(await links()).toContain(link);
    await age(31);
    for (const reader of [seller, { client: panel.admin }]) {
      expect((await list(reader)).status).toBe(404);
      const csv = await reader.client.get(`/api/jobs/${job}/csv?list=customers`);
      expect(csv.status).toBe(404);
    }
    expect((await panel.admin.get(`/api/jobs/${job}`)).body.to_tell).toBe(0);
    expect(await links()).not.toContain(link);
  });
});
