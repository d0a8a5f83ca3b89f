import type { Permission } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lockOutChanges } from '../../domain/accounts/authorization.ts';
import type { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { type EventStream, openEventStream } from '../../testing/wire/streams.ts';

let panel: TestPanel;
const open: EventStream[] = [];
beforeAll(async () => {
  panel = await startTestPanel();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => panel?.stop());

async function makeGroup({ admin }: TestPanel, permissions: Permission[]): Promise<string> {
  const { body } = await admin.post('/api/groups', { name: crypto.randomUUID(), permissions });
  return body.group.id;
}

async function listen(client: TestClient): Promise<EventStream> {
  const stream = await openEventStream(client);
  open.push(stream);
  return stream;
}

describe('a permission that is taken from a group', () => {
  test('ends in the API at once, for sessions that are open', async () => {
    const id = await makeGroup(panel, ['view_users', 'view_groups']);
    const { client } = await panel.reseller({ credits: 0, group_id: id });
    expect((await client.get('/api/lines')).status).toBe(200);
    await panel.admin.patch(`/api/groups/${id}`, { permissions: ['view_groups'] });
    expect((await client.get('/api/lines')).status).toBe(403);
    expect((await client.get('/api/groups')).status).toBe(200);
    expect((await client.get('/api/me')).body.permissions).toEqual(['view_groups']);
  });

  test.each([
    ['what it grants', ['view_groups', 'manage_groups'], 422],
    ['what it needs', ['view_groups', 'view_users'], 403],
  ] as const)('%s, by a call that was admitted before', async (_, left, status) => {
    const { db } = panel.services;
    const id = await makeGroup(panel, ['view_groups', 'manage_groups', 'view_users']);
    const { client } = await panel.reseller({ credits: 0, group_id: id });
    const name = crypto.randomUUID();
    const reply = await db.transaction().execute(async (tx) => {
      await lockOutChanges(tx, null, [{ group_id: id }]);
      const reduced = sql<string[]>`array[${sql.join(left)}]::text[]`;
      await tx.updateTable('groups').set({ permissions: reduced }).where('id', '=', id).execute();
      const answer = client.post('/api/groups', { name, permissions: ['view_users'] });
      await eventually(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(tx);
        expect(rows).toHaveLength(1);
      });
      return { answer };
    });
    expect((await reply.answer).status).toBe(status);
    expect((await panel.admin.get(`/api/groups?q=${name}`)).body.items).toEqual([]);
  });

  test('ends the streams of its members, and of nobody else', async () => {
    const id = await makeGroup(panel, ['view_users', 'view_groups']);
    const member = await panel.reseller({ credits: 0, group_id: id });
    const other = await panel.reseller();
    const [ended, goesOn] = [await listen(member.client), await listen(other.client)];
    await panel.admin.patch(`/api/groups/${id}`, { description: 'Fewer', name: `Fewer ${id}` });
    await ended.hears({ table: 'groups', op: 'UPDATE', id });
    await panel.admin.patch(`/api/groups/${id}`, { permissions: ['view_groups'] });
    await expect.poll(ended.hasEnded).toBe(true);
    expect(goesOn.hasEnded()).toBe(false);
  });
});

test('groups are heard by those who may see them, and so are accounts that join', async () => {
  const [watching, deaf] = [
    await listen(panel.admin),
    await listen((await panel.reseller()).client),
  ];
  const id = await makeGroup(panel, []);
  await watching.hears({ table: 'groups', op: 'INSERT', id });
  const member = await panel.reseller({ credits: 0, group_id: id });
  await watching.hears({ table: 'auth_users', op: 'INSERT', id: member.id });
  await panel.admin.patch(`/api/accounts/${member.id}`, { group_id: '3' });
  await panel.admin.delete(`/api/groups/${id}`);
  await watching.hears({ table: 'groups', op: 'DELETE', id });
  expect(JSON.stringify(deaf.events)).not.toContain('groups');
});
