import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import {
  addOwnerAndServer,
  OWNER,
  SERVER,
  withEmptyDatabase,
} from '../testing/database/empty-database.ts';
import { databases } from '../testing/panel.ts';
import { migrate } from './migrate.ts';
import type { Db } from './transaction.ts';

vi.setConfig({ testTimeout: 60_000 });

async function storeLines(db: Db): Promise<void> {
  await addOwnerAndServer(db);
  await sql`
    with line as (
      insert into users (id, username, password, added_date, expiry_date, status, owner_id, server_id)
        select gen_random_uuid(), name, 'sealed', '2026-01-01', '2027-01-01', '[]', ${OWNER}, ${SERVER}
          from unnest(array['waits', 'done', 'quiet']) as line (name) returning id)
    insert into line_presence (line_id, server_id, connections, since, last_seen_at, sessions)
      select id, ${SERVER}, 0, now(), now(), '[]' from line`.execute(db);
}

/** Creates the part of the former queue that the migration reads. */
async function queueJobs(db: Db): Promise<void> {
  await sql`create schema pgboss`.execute(db);
  await sql`create type pgboss.job_state as enum
    ('created', 'retry', 'active', 'completed', 'cancelled', 'failed')`.execute(db);
  await sql`create table pgboss.job (name text, state pgboss.job_state, data jsonb)`.execute(db);
  await sql`insert into pgboss.job
    select 'sharing', case username when 'waits' then 'retry' else 'completed' end::pgboss.job_state,
        jsonb_build_object('line_id', id)
      from users where username <> 'quiet'`.execute(db);
  const mail = JSON.stringify({ kind: 'reset_password', account_id: OWNER, language: 'en' });
  await sql`insert into pgboss.job values ('mail', 'created', ${mail}::jsonb),
    ('mail', 'active', ${mail}::jsonb)`.execute(db);
}

describe.each(databases)('what waits in the queue of an earlier version, on %s', (kind) => {
  test('is taken over, once', () =>
    withEmptyDatabase(kind, async (db) => {
      await migrate(db, '0077_customers_to_tell');
      await storeLines(db);
      await queueJobs(db);
      await migrate(db);
      const { rows: noted } = await sql`select username from line_presence
        join users on users.id = line_id where is_to_suspend`.execute(db);
      expect(noted).toEqual([{ username: 'waits' }]);
      const { rows: mails } = await sql`select mail ->> 'kind' as kind from mails`.execute(db);
      expect(mails).toEqual([{ kind: 'reset_password' }]);
    }));
});
