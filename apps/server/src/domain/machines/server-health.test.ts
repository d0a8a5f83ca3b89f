// @module-tag thorough

import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { healClock } from '../../heal-clock.ts';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { checkById } from '../../testing/loops.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';
import { checkServer, claimChecks } from '../checks/server-checks.ts';
import { pushNow } from '../delivery/pushes.ts';
import { stopServers } from './card-server/testing/servers.ts';

const REFUSED = 'Failed to connect to server: connection refused';

describe.each(databases)('on %s', (database) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(database);
  });
  afterEach(async () => {
    // Pushes left for deleted servers would be attempted during the next test.
    await sql`delete from server_accounts where revision > synced_revision`.execute(
      panel.services.db,
    );
    await sql`update cccam_servers set status = 'inactive'`.execute(panel.services.db);
    await stopServers();
  });

  const stored = async (id: string) => (await panel.admin.get(`/api/servers/${id}`)).body;
  const statusOf = async (id: string) => (await stored(id)).status;

  async function addServer(): Promise<{ id: string; server: MemoryCardServer }> {
    const server = await startMemoryCardServer();
    const { id } = await panel.addServer(server.url);
    return { id, server };
  }
  const sell = (username: string, server_id?: string) =>
    panel.admin.post('/api/lines', newLine(username, { server_id }));
  /** Postpones the checks of the loop, so that only the attempts of the test run. */
  const putOff = () =>
    panel.services.db
      .updateTable('server_accounts')
      .set({ next_try_at: sql`now() + interval '20 minutes'` })
      .execute();
  async function tryAgain(id: string, username: string, times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await putOff();
      await pushNow(panel.services, id, username);
    }
  }
  async function check(id: string): Promise<void> {
    await checkById(panel.services, id);
  }

  test('many pushes that fail side by side are one failure', async () => {
    const { id, server } = await addServer();
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `blip-${letter}-${database}`);
    let waiting = 0;
    server.beforeChange = () => {
      waiting += 1;
      return new Promise(() => {});
    };
    const replies = names.map((name) => sell(name, id));
    await eventually(() => expect(waiting).toBe(names.length), 30_000);
    await stopServers();
    for (const { body } of await Promise.all(replies)) expect(body.sync.ok).toBe(false);
    await putOff();
    expect(await statusOf(id)).toBe('active');
  });

  test('three checks in vain make it an error, one success active again; each is kept', async () => {
    const { id, server } = await addServer();
    server.answersWith = { status: 503, json: {} };
    await check(id);
    await check(id);
    expect(await statusOf(id)).toBe('active');
    await check(id);
    const message = 'Health check failed with status: 503';
    expect(await stored(id)).toMatchObject({ status: 'error', status_message: message });
    server.answersWith = null;
    await check(id);
    expect(await stored(id)).toMatchObject({ status: 'active', status_message: null });
    const { body } = await panel.admin.get(`/api/servers/${id}/checks`);
    expect(body.items.map((item: { status: string }) => item.status)).toEqual([
      // The checks at the creation of the server, and by the button.
      'active',
      'active',
      'error',
      'error',
      'error',
      'active',
    ]);
  });

  test('after a failed check the next one follows within seconds, and a failed push brings it forward', async () => {
    const { id, server } = await addServer();
    const waits = async () => {
      const { seconds } = await panel.services.db
        .selectFrom('cccam_servers')
        .select(sql<number>`extract(epoch from next_check_at - now())::float8`.as('seconds'))
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return seconds;
    };
    await check(id);
    expect(await waits()).toBeGreaterThan(30);
    server.answersWith = { status: 503, json: {} };
    await check(id);
    expect(await waits()).toBeLessThanOrEqual(10);
    await check(id);
    expect(await waits()).toBeLessThanOrEqual(10);
    await check(id);
    expect(await statusOf(id)).toBe('error');
    expect(await waits()).toBeGreaterThan(30);
    server.answersWith = null;
    await check(id);
    server.answersWith = { status: 503, json: {} };
    await sell(`brings-forward-${database}`, id);
    await eventually(async () => expect(await waits()).toBeLessThanOrEqual(10));
  });

  test('a machine is asked once a minute, however many entries it has, and each has the answer', async () => {
    const { id, server } = await addServer();
    const { id: second } = await panel.addServer(server.url.replace('127.0.0.1', 'LocalHost'));
    const entries = [id, second];
    const calls = () => server.calls.filter(({ url }) => url === '/health').length;
    const checks = async () => {
      const { rows } = await sql<{
        checks: number;
      }>`select count(*)::integer as checks from server_checks
        where server_id = any(${entries}::uuid[]) group by server_id`.execute(panel.services.db);
      return rows.map((row) => row.checks);
    };
    const [asked, [before = 0]] = [calls(), await checks()];
    await panel.services.db
      .updateTable('cccam_servers')
      .set({ next_check_at: new Date(0) })
      .where('id', '=', id)
      .execute();
    // The check by the panel's loop.
    await eventually(async () => expect(await checks()).toEqual([before + 1, before + 1]), 30_000);
    expect(calls()).toBe(asked + 1);
  });

  test('each minute one of several panels makes the check, whatever the clock did', async () => {
    const { db } = panel.services;
    const { id } = await addServer();
    expect(await claimChecks(panel.services, 8)).toEqual([]);
    const due = [sql<Date>`now() - interval '1 second'`, sql<Date>`now() + interval '1 day'`];
    for (const next_check_at of due) {
      await db.updateTable('cccam_servers').set({ next_check_at }).where('id', '=', id).execute();
      await healClock(panel.services);
      const taken = await Promise.all([1, 2, 3, 4].map(() => claimChecks(panel.services, 8)));
      // The panel's own loop may have claimed it.
      expect(taken.flat().length).toBeLessThanOrEqual(1);
      const { next } = await db
        .selectFrom('cccam_servers')
        .select(
          sql<boolean>`next_check_at between now() and now() + interval '1 minute'`.as('next'),
        )
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(next).toBe(true);
    }
  });

  test('a running panel notices that a server is down, and that it is back', async () => {
    const { id, server } = await addServer();
    const minutesPass = () =>
      panel.services.db
        .updateTable('cccam_servers')
        .set({ next_check_at: new Date(0) })
        .where('id', '=', id)
        .execute();
    server.answersWith = { status: 500 };
    await eventually(async () => {
      await minutesPass();
      expect(await statusOf(id)).toBe('error');
    }, 60_000);
    server.answersWith = null;
    await eventually(async () => {
      await minutesPass();
      expect(await statusOf(id)).toBe('active');
    }, 60_000);
  });

  // The replies of card servers are judged without the database, so one database is enough.
  if (database === 'embedded') return;

  test('a dead server is in error after three refused pushes, admins hear of it, nothing is sold on it', async () => {
    const { id } = await addServer();
    expect((await sell(`before-${database}`, id)).status).toBe(201);
    const stream = await openEventStream(panel.admin);
    await stopServers();
    expect((await sell(`dead-${database}`, id)).body.sync.ok).toBe(false);
    await tryAgain(id, `dead-${database}`, 1);
    expect(await statusOf(id)).toBe('active');
    stream.events.length = 0;
    await tryAgain(id, `dead-${database}`, 1);
    expect(await stored(id)).toMatchObject({ status: 'error', status_message: REFUSED });
    await stream.hears({ table: 'cccam_servers', op: 'UPDATE', id });
    stream.close();

    expect(await sell(`too-late-${database}`, id)).toMatchObject({
      status: 409,
      body: { message: 'No active servers available' },
    });
    const other = await addServer();
    await panel.services.db
      .updateTable('cccam_servers')
      .set({ created_at: new Date('2001-01-01') })
      .where('id', '=', other.id)
      .execute();
    const { body } = await sell(`elsewhere-${database}`);
    expect(body.line.server_id).toBe(other.id);
  });

  test('one push that is taken makes it active again', async () => {
    const { id, server } = await addServer();
    server.answersWith = { status: 503, json: {} };
    await sell(`back-${database}`, id);
    await tryAgain(id, `back-${database}`, 2);
    expect(await stored(id)).toMatchObject({
      status: 'error',
      status_message: 'CCcam server API is not responding. HTTP status: 503',
    });
    server.answersWith = null;
    await tryAgain(id, `back-${database}`, 1);
    expect(await stored(id)).toMatchObject({ status: 'active', status_message: null });
  });

  test.each([
    [422, { message: 'This name is not allowed' }, 'active'],
    [200, { success: false, message: 'No' }, 'active'],
    [500, { message: 'Stumbles over this line' }, 'active'],
    [401, {}, 'error'],
    [502, {}, 'error'],
    [404, { message: 'Route not found' }, 'error'],
  ])(
    'a line refused again and again with %i %j leaves its server %s',
    async (status, json, then) => {
      const { id, server } = await addServer();
      server.answersWith = { status, json };
      const name = `refused-${status}-${database}`;
      await sell(name, id);
      await tryAgain(id, name, 4);
      expect(await statusOf(id)).toBe(then);
    },
  );

  test('a success between failures lets the count begin anew', async () => {
    const { id, server } = await addServer();
    for (const status of [503, 503, null, 503, 503]) {
      server.answersWith = status === null ? null : { status, json: {} };
      await check(id);
    }
    expect(await statusOf(id)).toBe('active');
  });

  test('an inactive server is neither asked nor turned on, whatever is delivered there', async () => {
    const { id } = await addServer();
    await sell(`quiet-${database}`, id);
    await panel.services.db
      .updateTable('cccam_servers')
      .set({ status: 'inactive', next_check_at: new Date(0) })
      .where('id', '=', id)
      .execute();
    expect(await claimChecks(panel.services, 8)).toEqual([]);
    await check(id);
    await panel.admin.post(`/api/sync/retry`, { all: true });
    const { body } = await panel.admin.get(`/api/lines?q=quiet-${database}`);
    const synced = await panel.admin.post(`/api/lines/${body.items[0].id}/sync`);
    expect(synced.body.sync.ok).toBe(true);
    expect(await statusOf(id)).toBe('inactive');
  });

  test('results for an old address do not count for the new one', async () => {
    const { id, server } = await addServer();
    const before = await panel.services.db
      .selectFrom('cccam_servers')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await panel.services.db
      .updateTable('cccam_servers')
      .set({
        api_port: 9,
        status: 'error',
        status_finding: JSON.stringify({ code: 'IN_OTHER_WORDS', data: { words: 'as it is' } }),
      })
      .where('id', '=', id)
      .execute();
    server.calls.length = 0;
    await checkServer(panel.services, before);
    expect(server.calls.map(({ url }) => url)).toContain('/');
    expect(await stored(id)).toMatchObject({ status: 'error', status_message: 'as it is' });
  });
});
