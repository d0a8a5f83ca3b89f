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
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { metricsOf } from '../../testing/wire/metrics.ts';
import { openEventStream } from '../../testing/wire/streams.ts';
import { stopServers } from '../machines/card-server/testing/servers.ts';
import { checkServer } from './server-checks.ts';

describe.each(databases)('on %s', (database) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(database);
  });
  afterEach(async () => {
    await sql`delete from server_accounts`.execute(panel.services.db);
    await sql`update cccam_servers set status = 'inactive'`.execute(panel.services.db);
    await stopServers();
  });

  let number = 0;
  const stored = async (id: string) => (await panel.admin.get(`/api/servers/${id}`)).body;

  /** Creates a server with some lines, in the folder "first". */
  async function addServer(settings: object = {}) {
    const server = await startMemoryCardServer('first');
    const { id } = await panel.addServer(server.url);
    await panel.admin.patch(`/api/servers/${id}`, settings);
    await check(id);
    const names = ['a', 'b', 'c'].map((letter) => `${letter}${++number}-${database}`);
    for (const name of names) {
      const { body } = await panel.admin.post('/api/lines', newLine(name, { server_id: id }));
      expect(body.sync.ok).toBe(true);
    }
    return { id, server, names };
  }

  /** Runs the check of each minute, which also compares the accounts. */
  async function check(id: string): Promise<void> {
    const { db } = panel.services;
    const server = await db
      .updateTable('cccam_servers')
      .set({ next_count_at: new Date(0) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await checkServer(panel.services, server);
  }
  const deliveredTo = (server: MemoryCardServer, names: string[]) =>
    eventually(() => expect([...server.accounts.keys()].sort()).toEqual(names.toSorted()), 30_000);
  const nothingMissing = async (id: string) =>
    eventually(async () => {
      await check(id);
      expect(await stored(id)).toMatchObject({
        accounts_missing: 0,
        pushes_due: 0,
        status_message: null,
      });
    }, 30_000);

  test.each([true, false])(
    'an empty folder is reported at once, counted, and refilled when an administrator asks (with a list: %s)',
    async (offersList) => {
      const { id, server, names } = await addServer();
      server.offersList = offersList;
      await check(id);
      expect(await stored(id)).toMatchObject({ accounts_missing: 0, status_message: null });

      server.replaceFolder('second');
      const stream = await openEventStream(panel.admin);
      await check(id);
      await stream.hears({ table: 'cccam_servers', op: 'UPDATE', id });
      stream.close();
      expect(await stored(id)).toMatchObject({
        status: 'active',
        accounts_missing: 3,
        pushes_due: 0,
        status_message: 'The card server has lost lines. Missing: 3',
      });
      const { body } = await panel.admin.get(`/api/lines?q=${names[0]}`);
      expect(body.items[0]).toMatchObject({ on_server: false });
      expect((await metricsOf(panel.url)).linekeeper_accounts_missing).toBe(3);
      // Repairing is not enabled yet.
      await check(id);
      expect((await stored(id)).accounts_missing).toBe(3);

      const mended = await panel.admin.post(`/api/servers/${id}/mend`, {});
      expect(mended.body).toEqual({ queued: 3, removed: 0 });
      await deliveredTo(server, names);
      await nothingMissing(id);
      expect((await metricsOf(panel.url)).linekeeper_accounts_missing).toBe(0);
    },
  );

  test('a line that is sold while the server tells what it has is not taken for lost', async () => {
    const { id, server } = await addServer();
    server.replaceFolder('second');
    await check(id);
    await panel.admin.post(`/api/servers/${id}/mend`, {});
    await nothingMissing(id);
    const name = `meanwhile-${database}`;
    server.onList = async () => {
      server.onList = async () => {};
      const { body } = await panel.admin.post('/api/lines', newLine(name, { server_id: id }));
      expect(body.sync.ok).toBe(true);
    };
    await check(id);
    expect(server.accounts.has(name)).toBe(true);
    expect((await stored(id)).accounts_missing).toBe(0);
  });

  // The rest compares other replies of the card server in the same way, without the database.
  if (database === 'embedded') return;

  test('what is queued again is due, and no longer missing', async () => {
    const { id, server } = await addServer();
    server.replaceFolder('second');
    await check(id);
    server.answersWith = { status: 503, json: {} };
    await panel.admin.post(`/api/servers/${id}/mend`, {});
    expect(await stored(id)).toMatchObject({ pushes_due: 3, accounts_missing: 0 });
    expect((await metricsOf(panel.url)).linekeeper_pushes_due).toBe(3);
  });

  test('lost accounts of a server without a folder id are noticed by their number', async () => {
    const { id, server, names } = await addServer();
    server.instance = undefined;
    server.accounts.delete(names[1] ?? '');
    await check(id);
    expect((await stored(id)).accounts_missing).toBe(1);
    // The operator restores the account on the server, so nothing is missing.
    server.accounts.set(names[1] ?? '', { password: 'x', expiryDate: '31-12-2099' });
    await check(id);
    expect(await stored(id)).toMatchObject({ accounts_missing: 0, status_message: null });
  });

  test('a folder that was moved with all its accounts has lost none', async () => {
    const { id, server } = await addServer();
    server.instance = 'moved';
    await check(id);
    expect(await stored(id)).toMatchObject({ accounts_missing: 0, pushes_due: 0 });
  });

  test('an outdated folder has the lines as they were then', async () => {
    const { id, server, names } = await addServer();
    server.instance = 'old copy';
    server.accounts.set(names[0] ?? '', { password: 'old', expiryDate: '01-01-2020' });
    await check(id);
    expect((await stored(id)).accounts_missing).toBe(1);
  });

  test('if the settings say so, it is refilled automatically', async () => {
    const { id, server, names } = await addServer({ repair_automatically: true });
    expect((await stored(id)).repair_automatically).toBe(true);
    server.replaceFolder('second');
    await check(id);
    await deliveredTo(server, names);
    await nothingMissing(id);
    const { rows } = await sql<{ data: object }>`select data from audit_log
      where action = 'server.repair' and subject_id = ${id}`.execute(panel.services.db);
    expect(rows).toEqual([{ data: { queued: 3 } }]);
  });

  test('a server that reports another folder each time is refilled once in ten minutes', async () => {
    const { id, server, names } = await addServer({ repair_automatically: true });
    server.offersList = false;
    server.instance = 'changes 0';
    await check(id);
    await eventually(async () => expect((await stored(id)).pushes_due).toBe(0), 30_000);
    const writes = () => server.calls.filter(({ method }) => method !== 'GET').length;
    const before = writes();
    for (let time = 1; time <= 5; time++) {
      server.instance = `changes ${time}`;
      await check(id);
    }
    expect(await stored(id)).toMatchObject({ pushes_due: 0, accounts_missing: 3 });
    expect(writes()).toBe(before);
    // The repair was ten minutes ago, or the clock was set back by a day.
    for (const repaired_at of ["- interval '10 minutes'", "+ interval '1 day'"]) {
      await panel.services.db
        .updateTable('cccam_servers')
        .set({ repaired_at: sql.raw<Date>(`now() ${repaired_at}`) })
        .where('id', '=', id)
        .execute();
      await healClock(panel.services);
      server.instance = `later ${repaired_at}`;
      await check(id);
      expect((await stored(id)).accounts_missing).toBe(0);
      await eventually(async () => expect((await stored(id)).pushes_due).toBe(0), 30_000);
    }
    expect(server.accounts.size).toBe(names.length);
  });

  test.each(['joined', 'parted'])(
    'the list is read once for entries of one address, which are %s, and each misses its own',
    async (how) => {
      const { id, server, names } = await addServer();
      const { id: other } = await panel.addServer(server.url, 'The same machine');
      if (how === 'parted')
        await panel.admin.patch(`/api/servers/${other}`, { same_machine_as: null });
      const name = `beside-${how}`;
      const { body } = await panel.admin.post('/api/lines', newLine(name, { server_id: other }));
      expect(body.sync.ok).toBe(true);
      for (const lost of [names[0] ?? '', names[1] ?? '', name]) server.accounts.delete(lost);
      server.calls.length = 0;
      const entries = await panel.services.db
        .updateTable('cccam_servers')
        .set({ next_count_at: new Date(0) })
        .where('id', 'in', [id, other])
        .returningAll()
        .execute();
      await checkServer(panel.services, ...entries);
      expect(server.calls.filter(({ url }) => url === '/users')).toHaveLength(1);
      expect((await stored(id)).accounts_missing).toBe(2);
      expect((await stored(other)).accounts_missing).toBe(1);
    },
  );

  test('a server at another address is another machine, whose folder is not compared', async () => {
    const { id } = await addServer();
    const other = await startMemoryCardServer('of its own');
    await panel.admin.patch(`/api/servers/${id}`, { api_port: Number(new URL(other.url).port) });
    expect((await panel.admin.post(`/api/servers/${id}/test`)).body.status).toBe('active');
    await nothingMissing(id);
    expect(other.accounts.size).toBe(3);
  });

  test.each([7, {}, 'x'.repeat(5000), '\0', ''])('%j is no folder id', async (instance) => {
    const { id, server } = await addServer();
    server.offersList = false;
    server.instance = instance as string;
    await check(id);
    expect(await stored(id)).toMatchObject({ status: 'active', accounts_missing: 0 });
  });
});
