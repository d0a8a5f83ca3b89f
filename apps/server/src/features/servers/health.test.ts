import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkServer, condenseChecks } from '../../domain/checks/server-checks.ts';
import { stopServers } from '../../domain/machines/card-server/testing/servers.ts';
import { newId } from '../../platform/ids.ts';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import { isMailWaiting } from '../../testing/mail/mailbox.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';

describe.each(databases)('the health of a server on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    // Emails wait, because nothing listens on the mail server's port.
    panel = await startTestPanel(kind, { SMTP_URL: 'smtp://127.0.0.1:1' });
  });
  afterEach(async () => {
    await sql`update cccam_servers set status = 'inactive'`.execute(panel.services.db);
    await stopServers();
  });

  async function addServer(): Promise<{ id: string; server: MemoryCardServer }> {
    const server = await startMemoryCardServer();
    const { id } = await panel.addServer(server.url, `Health ${newId()}`);
    // The server was also tested when it was added.
    await sql`delete from server_checks where id = (
      select id from server_checks where server_id = ${id} limit 1)`.execute(panel.services.db);
    // Otherwise the panel's own loop would check the server too.
    await panel.services.db
      .updateTable('cccam_servers')
      .set({ next_check_at: sql`now() + interval '50 seconds'` })
      .where('id', '=', id)
      .execute();
    return { id, server };
  }
  const rowOf = (id: string) =>
    panel.services.db
      .selectFrom('cccam_servers')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const check = async (id: string) => checkServer(panel.services, await rowOf(id));
  async function checks({ id, server }: { id: string; server: MemoryCardServer }, marks: string) {
    for (const mark of marks) {
      server.answersWith = mark === '+' ? null : { status: 503, json: {} };
      await check(id);
    }
  }
  const health = async (id: string, range = '24h') =>
    (await panel.admin.get(`/api/servers/${id}/health?range=${range}`)).body;
  const told = async (id: string) =>
    (
      await panel.services.db
        .selectFrom('notifications')
        .select('title')
        .where('link', '=', `/cccam-servers/${id}/health`)
        .orderBy('created_at')
        .execute()
    ).map(({ title }) => title.split(':')[0]);
  const insertChecks = (id: string, ago: string, good: number, failed: number) =>
    sql`insert into server_checks (id, server_id, status, latency_ms, checked_at)
      select gen_random_uuid(), ${id}, case when n <= ${good} then 'active' else 'error' end, 30,
          now() - ${ago}::interval
        from generate_series(1, ${good + failed}::integer) as n`.execute(panel.services.db);

  test('is a share of the checks made, and a time without any is unknown', async () => {
    const one = await addServer();
    await checks(one, '++-');
    const found = await health(one.id);
    // The first check was the test that made the server active.
    expect(found).toMatchObject({ range: '24h', checks: 4, failed: 1, uptime: 0.75 });
    expect(found.parts).toHaveLength(48);
    expect(found.parts.at(-1)).toMatchObject({ checks: 4, failed: 1, state: 'down' });
    expect(found.parts[0]).toMatchObject({ checks: 0, state: 'unknown', latency_ms: null });
    const month = await health(one.id, '30d');
    expect(month).toMatchObject({ checks: 4, failed: 1, uptime: 0.75 });
    expect(month.parts).toHaveLength(30);
    const { body } = await panel.admin.get('/api/servers/health');
    expect(body.items.find(({ id }: { id: string }) => id === one.id)).toMatchObject({
      server_name: expect.stringMatching(/^Health /),
      status: 'active',
      day: { checks: 4, failed: 1, uptime: 0.75, parts: [...Array(47).fill('unknown'), 'down'] },
      month: { checks: 4, failed: 1, incident_count: 1 },
      down_since: expect.any(String),
    });
  });

  test('keeps older checks by the hour, counts none twice, and forgets after thirty days', async () => {
    const { db } = panel.services;
    const { id } = await addServer();
    await insertChecks(id, '40 hours', 57, 3);
    await insertChecks(id, '31 days', 10, 0);
    const before = await health(id, '30d');
    await Promise.all([condenseChecks(db), condenseChecks(db)]);
    await insertChecks(id, '40 hours', 1, 0);
    await condenseChecks(db);
    const after = await health(id, '30d');
    expect(before).toMatchObject({ checks: 61, failed: 3 });
    expect(after).toMatchObject({ checks: 62, failed: 3, uptime: 59 / 62 });
    const hours = await db
      .selectFrom('server_check_hours')
      .select(['checks', 'failed', 'latency_ms'])
      .where('server_id', '=', id)
      .execute();
    expect(hours).toEqual([{ checks: 61, failed: 3, latency_ms: 30 }]);
    expect(
      await db.selectFrom('server_checks').select('id').where('server_id', '=', id).execute(),
    ).toHaveLength(1);
    await panel.admin.delete(`/api/servers/${id}`);
    expect(
      await db
        .selectFrom('server_check_hours')
        .select('hour')
        .where('server_id', '=', id)
        .execute(),
    ).toEqual([]);
    expect((await panel.admin.get(`/api/servers/${id}/health`)).status).toBe(404);
  });

  test('has an incident from the first failed check to the first good one', async () => {
    const one = await addServer();
    await checks(one, '--');
    expect((await health(one.id)).incidents).toEqual([
      {
        id: expect.any(String),
        began_at: expect.any(String),
        ended_at: null,
        failed: 2,
        message: 'Health check failed with status: 503',
        finding: { code: 'HEALTH_CHECK_FAILED', data: { status: 503, port_answers: false } },
      },
    ]);
    await checks(one, '+-+');
    const { incidents, incident_count } = await health(one.id);
    expect(incident_count).toBe(2);
    expect(incidents.map(({ failed }: { failed: number }) => failed)).toEqual([1, 2]);
    for (const { began_at, ended_at } of incidents) expect(ended_at > began_at).toBe(true);
  });

  test('administrators are told once of an error and once of the return', async () => {
    const one = await addServer();
    await checks(one, '---');
    // Two panels notice the same failure.
    const stale = { ...(await rowOf(one.id)), failures: 2, status: 'active' as const };
    await Promise.all([
      checkServer(panel.services, stale),
      checkServer(panel.services, stale),
      check(one.id),
    ]);
    expect(await told(one.id)).toEqual(['Server error']);
    await checks(one, '++++');
    expect((await rowOf(one.id)).status).toBe('active');
    expect(await told(one.id)).toEqual(['Server error']);
    await checks(one, '+++');
    expect(await told(one.id)).toEqual(['Server error', 'Server is back']);
    await checks(one, '---');
    expect(await told(one.id)).toEqual(['Server error', 'Server is back', 'Server error']);
    const mails = await panel.services.db
      .selectFrom('notifications')
      .select(isMailWaiting.as('is_mailed'))
      .where('link', '=', `/cccam-servers/${one.id}/health`)
      .execute();
    expect(mails.map(({ is_mailed }) => is_mailed)).toEqual(Array(3).fill(true));
  });

  test('a server that comes and goes is told of once', async () => {
    const flapping = await addServer();
    await checks(flapping, '+-+-+-+-+-');
    expect(await told(flapping.id)).toEqual([]);
    await checks(flapping, '---+---++---++++---');
    expect(await told(flapping.id)).toEqual(['Server error']);
  });

  test('a test by hand tells of a server that was active, not of one being set up', async () => {
    const one = await addServer();
    one.server.answersWith = { status: 503, json: {} };
    await panel.admin.post(`/api/servers/${one.id}/test`);
    await check(one.id);
    expect(await told(one.id)).toEqual(['Server error']);
    const other = await addServer();
    await sql`update cccam_servers set status = 'inactive' where id = ${other.id}`.execute(
      panel.services.db,
    );
    other.server.answersWith = { status: 503, json: {} };
    await panel.admin.post(`/api/servers/${other.id}/test`);
    await check(other.id);
    expect(await told(other.id)).toEqual([]);
  });
});
