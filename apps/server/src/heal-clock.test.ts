import { type RawBuilder, sql } from 'kysely';
import pino from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Db } from './db/transaction.ts';
import type { Services } from './domain/context/context.ts';
import { bounds, healClock } from './heal-clock.ts';
import { readConfig } from './platform/config/config.ts';
import { createServices } from './services.ts';
import { openDatabase } from './testing/database/open-database.ts';
import { databases } from './testing/panel.ts';
import { makeMigratedDatabase } from './testing/process/process.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const ID = '00000000-0000-4000-8000-000000000077';

/**
 * Columns, each with the furthest time ahead that the panel writes, in seconds, and its value after
 * a correction: seconds from then, null, or no row.
 */
const expected: [string, number, number | null | 'gone'][] = [
  ['api_keys.expires_at', (5 * 366 + 1) * DAY, 0],
  ['api_keys.last_used_at', 0, 0],
  ['attachments.created_at', 0, 0],
  ['auth_sessions.expires_at', 7 * DAY, 7 * DAY],
  ['auth_sessions.updated_at', 0, 0],
  ['auth_sessions.last_used_at', 0, 0],
  ['awaited_servers.expires_at', HOUR / 2, 0],
  ['backup_runs.finished_at', 0, 0],
  ['backup_runs.failed_at', 0, 0],
  ['cccam_servers.next_check_at', 60, 0],
  ['cccam_servers.next_count_at', HOUR, 0],
  ['cccam_servers.reload_look_at', 10, 0],
  ['cccam_servers.repaired_at', 0, null],
  ['cccam_servers.away_at', 0, 0],
  ['cccam_servers.back_at', 0, 0],
  ['idempotency_keys.created_at', 0, 0],
  ['jobs.claimed_until', 15, 0],
  ['jobs.finished_at', 0, -HOUR],
  ['line_usage_hours.hour', 0, 'gone'],
  ['mails.next_try_at', HOUR, 0],
  ['one_time_tokens.expires_at', HOUR, 0],
  ['orphan_looks.next_look_at', 5 * 60, 0],
  ['rate_limits.window_ends_at', 5 * 60, 0],
  ['reminded_owners.reminded_on', DAY, null],
  ['schedules.next_at', 10 * 60, 0],
  ['schedules.done_at', 0, null],
  ['server_accounts.claimed_until', 15, 0],
  ['server_accounts.next_try_at', 20, 0],
  ['server_accounts.wanted_since', 0, 0],
  ['server_presence.read_at', 0, 0],
  ['server_presence_hours.hour', 0, 'gone'],
  ['trials_made.made_at', 0, 0],
  ['two_factor.last_step', 30, null],
  ['webhooks.old_secret_until', DAY, 0],
  ['webhook_deliveries.next_try_at', 6 * HOUR, 0],
  ['webhook_deliveries.created_at', 0, 0],
  ['users.suspension', 720 * HOUR, 0],
  ['web_pushes.next_try_at', HOUR / 2, 0],
];

/** Times that people or card servers choose. */
const chosen = [
  'book_entries.due',
  'cccam_servers.server_day',
  'messages.expires_at',
  'messages.publish_at',
  'redeem_codes.expires_at',
  'reminders.expiry_date',
  'server_orphans.expiry_date',
  'sold_terms.begins_on',
  'sold_terms.expiry_date',
  'users.added_date',
  'users.expiry_date',
];

/** Times that are only shown, besides `created_at` and `updated_at`. Nothing waits for them. */
const shown = [
  'account_limits.ends_on',
  'activation_codes.refunded_at',
  'activation_codes.used_at',
  'article_feedback.given_at',
  'audit_seals.sealed_until',
  'auth_users.last_sign_in_at',
  'awaited_servers.called_at',
  'awaited_servers.confirmed_at',
  'awaited_servers.found_at',
  'backup_runs.due_at',
  'book_entries.paid_at',
  'card_reversals.reported_at',
  'cccam_servers.error_told_at',
  'cccam_servers.last_connection',
  'contact_messages.answered_at',
  'credit_seals.sealed_until',
  'line_pages.asked_at',
  'line_pages.asked_expiry',
  'line_pages.made_at',
  'line_pages.opened_at',
  'line_presence.last_seen_at',
  'line_presence.since',
  'message_marks.read_until',
  'message_reads.read_at',
  'orphan_looks.looked_at',
  'redeem_code_history.redeemed_at',
  'reminders.sent_at',
  'seal_checks.checked_at',
  'seal_cuts.sealed_until',
  'server_check_hours.hour',
  'server_checks.checked_at',
  'server_incidents.began_at',
  'server_incidents.ended_at',
  'server_orphans.found_at',
  'server_presence.started_at',
  'server_presence.tried_at',
  'shipped_articles.shipped_at',
  'stripe_events.received_at',
  'told_customers.told_at',
  'top_ups.decided_at',
  'trials_made.made_on',
  'webhook_deliveries.delivered_at',
  'webhook_deliveries.tried_at',
];

/** The form of a time in columns that are no timestamps. */
const stored: Record<string, (moment: RawBuilder<unknown>) => RawBuilder<unknown>> = {
  'two_factor.last_step': (moment) => sql`floor(extract(epoch from ${moment}) / 30)::bigint`,
  'users.suspension': (moment) => sql`jsonb_build_object('until', ${moment})`,
};

/** Adds one row to every table that has such a column. */
async function addRows(db: Db): Promise<void> {
  for (const row of [
    sql`auth_users (id, email, username, group_id) values (${ID}, 'a@x', 'a', '2')`,
    sql`cccam_servers (id, server_name, host_ip, port, api_port, api_scheme, username, password, protocol)
      values (${ID}, 'S', 'h', 1, 1, 'http', 'u', 'p', 'CCcam')`,
    sql`users (id, username, password, added_date, expiry_date, status, suspension, owner_id, server_id)
      values (${ID}, 'line', 'x', '2026-01-01', '2099-01-01', '[{"label": "Suspended", "color": "error"}]',
        '{}', ${ID}, ${ID})`,
    sql`api_keys (id, account_id, name, start, key_hash) values (${ID}, ${ID}, 'k', 'lk_', 'h')`,
    sql`attachments (id, account_id, name, size) values (${ID}, ${ID}, 'a', 1)`,
    sql`auth_sessions (id, user_id, token, expires_at) values (${ID}, ${ID}, 't', now())`,
    sql`awaited_servers (id, key_hash, account_id, expires_at) values (${ID}, 'h', ${ID}, now())`,
    sql`backup_runs (due_at, state, failed_at) values (now(), 'failed', now())`,
    sql`idempotency_keys (account_id, endpoint, key, body_hash) values (${ID}, 'e', 'k', 'h')`,
    sql`jobs (id, account_id, action, state, arguments, total) values (${ID}, ${ID}, 'renew', 'done', '{}', 1)`,
    sql`mails (mail) values ('{"kind": "notice", "contact_id": "c"}')`,
    sql`one_time_tokens (token_hash, purpose, account_id, data, expires_at)
      values ('h', 'reset_password', ${ID}, '{"made_by": null}', now())`,
    sql`orphan_looks (server_id) values (${ID})`,
    sql`rate_limits (scope, subject, count, window_ends_at) values ('sign-in', 's', 5, now())`,
    sql`reminded_owners (account_id) values (${ID})`,
    sql`schedules (name, next_at) values ('tidy', now())`,
    sql`server_accounts (server_id, username, operation, next_try_at) values (${ID}, 'line', 'edit', now())`,
    sql`server_presence (server_id) values (${ID})`,
    sql`trials_made (line_id, account_id) values (${ID}, ${ID})`,
    sql`two_factor (account_id, secret) values (${ID}, 's')`,
    sql`webhooks (id, account_id, url, events, secret) values (${ID}, ${ID}, 'https://a.example', '{line.created}', 's')`,
    sql`webhook_deliveries (webhook_id, event, data, said_once) values (${ID}, 'line.created', '{}', 'once')`,
    sql`notifications (id, account_id, kind, title, content) values (${ID}, ${ID}, 'mail', 't', 'c')`,
    sql`push_subscriptions (id, account_id, session_id, sealed, hash) values (${ID}, ${ID}, ${ID}, 's', 'h')`,
    sql`web_pushes (notification_id, subscription_id) values (${ID}, ${ID})`,
  ])
    await sql`insert into ${row} on conflict do nothing`.execute(db);
}

/** The correction deletes hours, so each test adds its own. */
const addHours = async (db: Db) => {
  await sql`delete from line_usage_hours`.execute(db);
  await sql`delete from server_presence_hours`.execute(db);
  const hour = sql`date_trunc('hour', now())`;
  await sql`insert into line_usage_hours (line_id, hour, minutes_online, requests_ok, requests_refused,
      requests_timed_out, answer_ms, answers, most_connections)
    values (${ID}, ${hour}, 1, 0, 0, 0, 0, 0, 1)`.execute(db);
  await sql`insert into server_presence_hours (server_id, hour, minutes_known, line_minutes, most_online)
    values (${ID}, ${hour}, 1, 1, 1)`.execute(db);
};

describe.each(databases)('what lies further ahead than it is written, on %s', (kind) => {
  let services: Services;
  beforeAll(async () => {
    const { env } = await makeMigratedDatabase(kind);
    services = createServices(
      readConfig(env),
      await openDatabase(env),
      'a secret key of the tests, long enough',
      pino({ level: 'silent' }),
    );
    await addRows(services.db);
  });

  const declared = () =>
    Object.entries(bounds(services)).flatMap(([table, columns]) =>
      Object.entries(columns).map(([column, { moment }]) => ({
        name: `${table}.${column}`,
        moment: moment ?? sql.ref(column),
      })),
    );

  async function put(name: string, seconds: number): Promise<void> {
    const [table = '', column = ''] = name.split('.');
    const moment = sql`(now() + make_interval(secs => ${seconds}))`;
    await sql`update ${sql.table(table)}
      set ${sql.ref(column)} = ${stored[name]?.(moment) ?? moment}`.execute(services.db);
  }

  /** Seconds from now; null if the column has no time, undefined if there is no row. */
  async function read(name: string): Promise<number | null | undefined> {
    const moment = declared().find((one) => one.name === name)?.moment ?? sql`null`;
    const { rows } = await sql<{ seconds: number | null }>`
      select extract(epoch from ${moment} - now())::float8 as seconds
        from ${sql.table(name.split('.')[0] ?? '')}`.execute(services.db);
    return rows[0]?.seconds;
  }

  test.each(expected)('%s: what is %i s ahead stays', async (name, furthest) => {
    await addHours(services.db);
    await put(name, furthest);
    const before = await read(name);
    await healClock(services);
    const after = await read(name);
    expect(typeof before).toBe('number');
    expect(after).toBeLessThanOrEqual(before ?? Number.NaN);
    expect(after).toBeGreaterThan((before ?? Number.NaN) - 30);
  });

  test.each(expected)('%s, beyond %i s, becomes %s', async (name, furthest, becomes) => {
    await addHours(services.db);
    await put(name, furthest + 2 * DAY);
    await healClock(services);
    const after = await read(name);
    if (becomes === 'gone') return expect(after).toBeUndefined();
    if (name === 'two_factor.last_step') return expect(after).toBeLessThan(-DAY);
    if (becomes === null) return expect(after).toBeNull();
    expect(after).toBeLessThanOrEqual(becomes + 1);
    expect(after).toBeGreaterThan(becomes - 30);
  });

  test('a lock-out is as long as its own limit, whatever others last', async () => {
    await put('rate_limits.window_ends_at', HOUR);
    await healClock(services);
    expect(await read('rate_limits.window_ends_at')).toBeLessThan(1);
    await sql`update rate_limits set scope = 'jobs-a-day'`.execute(services.db);
    await put('rate_limits.window_ends_at', HOUR);
    await healClock(services);
    expect(await read('rate_limits.window_ends_at')).toBeGreaterThan(HOUR - 30);
    await sql`update rate_limits set scope = 'sign-in'`.execute(services.db);
  });

  test('an invitation lasts a week, unlike another link', async () => {
    await sql`update one_time_tokens set purpose = 'invitation'`.execute(services.db);
    await put('one_time_tokens.expires_at', 7 * DAY);
    await healClock(services);
    expect(await read('one_time_tokens.expires_at')).toBeGreaterThan(6 * DAY);
    await sql`update one_time_tokens set purpose = 'reset_password'`.execute(services.db);
  });

  test('every column that holds a moment is declared', async () => {
    const names = declared().map(({ name }) => name);
    expect(names).toEqual(expected.map(([name]) => name));
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE'
          and (data_type like 'timestamp%' or data_type = 'date')
          and column_name not in ('created_at', 'updated_at')
        order by 1`.execute(services.db);
    const columns = rows.map(({ name }) => name).filter((name) => !names.includes(name));
    expect(columns.sort()).toEqual([...chosen, ...shown].sort());
  });
});
