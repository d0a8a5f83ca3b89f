import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { Live } from '../../platform/live.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';

const SETUP = '/api/system/setup';
const CONNECTION = '/api/system/connection';
/** The first migration that a test reverts, with all later ones; these can run a second time. */
const FIRST_MISSING = '0085_prices';

describe.each(databases)('the reports on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
  });

  const run = (statement: string) => sql.raw(statement).execute(panel.services.db);
  const setup = async () => (await panel.admin.get(SETUP)).body;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it reads
  const named = (report: any, name: string) =>
    report.checks.find((check: { name: string }) => check.name === name);

  test('find nothing wrong with a sound database', async () => {
    const report = await setup();
    expect(report).toMatchObject({ ok: true });
    expect(report.checks.map(({ name }: { name: string }) => name)).toEqual([
      'migrations',
      'tables',
      'functions',
      'exec_sql',
      'permissions',
      'tickets',
    ]);
    for (const check of report.checks) {
      expect(check).toMatchObject({ ok: true, finding: null, message: null });
    }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from information_schema.tables
        where table_schema = current_schema() and table_name not like 'schema_migrations%'`.execute(
      panel.services.db,
    );
    expect(named(report, 'tables').data.amount).toBe(rows[0]?.count);
  });

  test('leave no test code behind, and nobody hears of it', {
    tags: ['spec:7.17', 'spec:9.13'],
  }, async () => {
    const stream = await openEventStream(panel.admin);
    await setup();
    const { rows } = await sql`select id from redeem_codes`.execute(panel.services.db);
    expect(rows).toEqual([]);
    await panel.admin.patch('/api/me', { full_name: 'Announced after it' });
    await stream.hears({ table: 'auth_users', op: 'UPDATE' });
    expect(stream.events.filter(({ table }) => table === 'redeem_codes')).toEqual([]);
    stream.close();
  });

  test('name a table and a function that are gone', {
    tags: ['spec:7.18', 'spec:8.33', 'spec:8.36', 'spec:8.40'],
  }, async () => {
    await run('alter table card_payments rename to put_away');
    await run('alter function fold(text) rename to put_away');
    const report = await setup();
    await run('alter function put_away(text) rename to fold');
    await run('alter table put_away rename to card_payments');
    expect(report.ok).toBe(false);
    expect(named(report, 'tables')).toMatchObject({
      ok: false,
      finding: 'TABLES_MISSING',
      message: 'Database not set up properly. Tables not created: card_payments',
    });
    expect(named(report, 'functions').message).toBe(
      'Database functions not set up. Please visit /tickets/setup to set up the ticket system. Functions not created: fold',
    );
    expect(named(report, 'migrations').ok).toBe(true);
    expect((await setup()).ok).toBe(true);
  });

  test('tell why a test code cannot be inserted', {
    tags: ['spec:7.17', 'spec:8.41'],
  }, async () => {
    await run('alter table redeem_codes rename to put_away');
    const gone = named(await setup(), 'permissions');
    await run('alter table put_away rename to redeem_codes');
    expect(gone).toMatchObject({ ok: false, finding: 'INSERT_REFUSED' });
    expect(gone.message).toMatch(
      /^Insert permission failure: .*redeem_codes.*\. Check RLS policies$/,
    );
  });

  test('tell of rows that vanish on their way in or do not go away', {
    tags: ['spec:9.13'],
  }, async () => {
    await run(`create function swallow() returns trigger language plpgsql as
      $$ begin return null; end $$`);
    const withTrigger = async (event: string) => {
      await run(`create trigger swallow before ${event} on redeem_codes
        for each row execute function swallow()`);
      const check = named(await setup(), 'permissions');
      await run('drop trigger swallow on redeem_codes');
      return check;
    };
    expect((await withTrigger('insert')).message).toBe(
      'No data returned from the insert of a test code. Check RLS policies',
    );
    expect((await withTrigger('delete')).finding).toBe('TEST_CODE_STAYED');
    await run('drop function swallow');
    expect((await sql`select id from redeem_codes`.execute(panel.services.db)).rows).toEqual([]);
  });

  test('try out a ticket with a reply, of which nothing stays and no number is used up', async () => {
    const open = async () => {
      const body = { title: 'Numbered', description: 'Text' };
      return (await panel.admin.post('/api/tickets', body)).body.ticket.number;
    };
    const stream = await openEventStream(panel.admin);
    const heard = () => stream.events.filter(({ table }) => table === 'tickets');
    const before = await open();
    await expect.poll(() => heard().length).toBe(1);
    expect(named(await setup(), 'tickets')).toMatchObject({ ok: true, finding: null });
    expect(await open()).toBe(before + 1);
    await expect.poll(() => heard().length).toBe(2);
    stream.close();
    const { db } = panel.services;
    expect(await db.selectFrom('ticket_replies').select('id').execute()).toEqual([]);
    expect(await db.selectFrom('notifications').select('id').execute()).toEqual([]);
  });

  test('tell why no ticket or no reply can be inserted', {
    tags: ['spec:8.35', 'spec:8.37', 'spec:8.38'],
  }, async () => {
    await run('alter table ticket_replies rename to put_away');
    const gone = named(await setup(), 'tickets');
    await run('alter table put_away rename to ticket_replies');
    expect(gone.message).toMatch(
      /^Unable to create ticket\. The database is not properly set up: .*ticket_replies.*\. Check RLS policies$/,
    );
    await run(`create function swallow() returns trigger language plpgsql as
      $$ begin return null; end $$`);
    for (const [table, message] of [
      ['tickets', 'Failed to create ticket: No data returned'],
      ['ticket_replies', 'No data returned from reply insert'],
    ]) {
      await run(`create trigger swallow before insert on ${table}
        for each row execute function swallow()`);
      const check = named(await setup(), 'tickets');
      await run(`drop trigger swallow on ${table}`);
      expect(check.message).toBe(message);
    }
    await run('drop function swallow');
  });

  test('warn of functions that run any SQL', { tags: ['spec:7.31', 'spec:8.39'] }, async () => {
    await run(`create function exec_sql(sql_query text) returns void language plpgsql as
      $$ begin execute sql_query; end $$`);
    const check = named(await setup(), 'exec_sql');
    await run('drop function exec_sql');
    expect(check).toMatchObject({ ok: false, data: { names: 'exec_sql' } });
  });

  test('lets administrators apply what is missing, once, and the audit log tells it', {
    tags: ['spec:7.31'],
  }, async () => {
    await run('drop trigger hold_limits on account_figures');
    await run('drop table account_limits');
    const { rows } = await sql<{ name: string }>`
      delete from schema_migrations where name >= ${FIRST_MISSING} returning name`.execute(
      panel.services.db,
    );
    const missing = rows.map(({ name }) => name).sort();
    const broken = await setup();
    expect(named(broken, 'migrations').message).toBe(
      `Unable to create ticket. The database is not properly set up. Migrations not applied: ${missing.join(', ')}`,
    );
    expect(named(broken, 'tables').data).toEqual({ names: 'account_limits' });
    const { body } = await panel.admin.post(SETUP);
    expect(body).toMatchObject({ ok: true, applied: missing });
    expect((await panel.admin.post(SETUP)).body).toMatchObject({ ok: true, applied: [] });
    const { id } = await panel.reseller();
    const limits = await panel.admin.send('PUT', `/api/accounts/${id}/limits`, { lines: 1 });
    expect(limits.body.lines.limit).toBe(1);
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select('data')
      .where('action', '=', 'panel.migrated')
      .orderBy('id')
      .execute();
    expect(entries).toEqual([{ data: { migrations: missing } }, { data: { migrations: [] } }]);
  });

  test('read one line, measure 20 calls, and try sign-in and live changes', {
    tags: ['spec:7.30'],
  }, async () => {
    const { body } = await panel.admin.get(CONNECTION);
    expect(body.checks.map(({ name }: { name: string }) => name)).toEqual([
      'users',
      'latency',
      'sign_in',
      'live',
    ]);
    expect(body.ok).toBe(true);
    expect(named(body, 'users').data).toEqual({ id: null });
    const { p50, p95, calls } = named(body, 'latency').data;
    expect(calls).toBe(20);
    expect(p50).toBeGreaterThan(0);
    expect(p95).toBeGreaterThanOrEqual(p50);
  });

  test('go on with the next check where one fails', async () => {
    await run('alter table users rename to put_away');
    const { body, status } = await panel.admin.get(CONNECTION);
    await run('alter table put_away rename to users');
    expect(status).toBe(200);
    expect(named(body, 'users').message).toMatch(/^Failed to load user data: .*users/);
    expect(named(body, 'latency').ok).toBe(false);
    expect([named(body, 'sign_in').ok, named(body, 'live').ok]).toEqual([true, true]);
    expect((await panel.admin.get(CONNECTION)).body.ok).toBe(true);
  });

  test('are for administrators', async () => {
    const { client } = await panel.reseller();
    for (const path of [SETUP, CONNECTION]) {
      expect((await client.get(path)).body.code).toBe('ADMIN_ONLY');
      expect((await panel.anonymous().get(path)).status).toBe(401);
    }
    expect((await client.post(SETUP)).status).toBe(403);
  });
});

test('nothing comes back from where nobody listens', async () => {
  const panel = await startTestPanel();
  expect(await new Live(panel.services.connection).probe(100)).toBe(false);
  expect(await panel.services.live.probe(60_000)).toBe(true);
});
