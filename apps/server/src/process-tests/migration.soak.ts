import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, inject, test } from 'vitest';
import { connectPostgres } from '../db/connect.ts';
import { MIGRATIONS_FOLDER } from '../db/migrate.ts';
import type { Db } from '../db/transaction.ts';
import { endPanels, spawnPanel, tryToSpawnPanel } from '../testing/process/process.ts';

const LINES = 100_000;
const KILLS = 5;
const SECRET_KEY = 'a secret key of the tests, long enough';

afterAll(endPanels);

/** Creates the schema of the release whose last migration is `last`, with many lines. */
async function fill(db: Db, files: string[]): Promise<void> {
  await sql`create table schema_migrations (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  for (const file of files) {
    await sql.raw(await readFile(join(MIGRATIONS_FOLDER, file), 'utf8')).execute(db);
    const name = file.replace(/\.sql$/, '');
    await sql`insert into schema_migrations values (${name}, ${new Date().toISOString()})`.execute(
      db,
    );
  }
  await sql`insert into auth_users (id, email, username, group_id)
    values ('01a1fd85-0000-7000-8000-000000000001', 'owner@panel.example', 'owner', '1')`.execute(
    db,
  );
  await sql`insert into cccam_servers (id, server_name, host_ip, port, api_port, api_scheme,
      username, password, protocol)
    values ('01a1fd85-0000-7000-8000-000000000002', 'One', '127.0.0.1', 12000, 1, 'http', 'panel',
      'sealed', 'CCcam')`.execute(db);
  await sql`insert into users (id, username, password, added_date, expiry_date, status, owner_id,
      server_id)
    select gen_random_uuid(), 'line-' || number, 'sealed', '2026-01-01', '2027-01-01',
      '[{"label":"active","color":"success"}]', '01a1fd85-0000-7000-8000-000000000001',
      '01a1fd85-0000-7000-8000-000000000002' from generate_series(1, ${LINES}) as number`.execute(
    db,
  );
}

/** A checksum of the lines, without columns added by later releases. */
async function sumOf(db: Db): Promise<unknown> {
  const { rows } = await sql<{ lines: number; sum: string }>`
    select count(*) as lines, md5(string_agg(
      concat_ws('|', id, username, password, added_date, expiry_date, status, owner_id, server_id),
      ',' order by id)) as sum from users`.execute(db);
  return rows[0];
}

const releases = (await readdir(MIGRATIONS_FOLDER)).filter((file) => file.endsWith('.sql')).sort();

test.each(releases.slice(0, -1))(
  'from %s on, with 100,000 lines: killed in the middle, then two starters, applied once',
  async (last) => {
    const name = `release_${crypto.randomUUID().replaceAll('-', '')}`;
    const server = await connectPostgres(inject('postgresUrl'));
    await server.query(`create database ${name} template template0`);
    const url = new URL(inject('postgresUrl'));
    url.pathname = `/${name}`;
    const env = { DATABASE_URL: url.href, SECRET_KEY };
    const { db, close } = await connectPostgres(url.href);
    await fill(db, releases.slice(0, releases.indexOf(last) + 1));
    const before = await sumOf(db);

    for (let kill = 0; kill < KILLS; kill++) {
      const panel = await tryToSpawnPanel(env, async (child) => {
        await sleep(600 + randomInt(600));
        child.kill('SIGKILL');
      });
      await panel.ended;
      const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
      const applied = rows.length;
      // Each start must have applied either all missing migrations or none.
      expect([releases.indexOf(last) + 1, releases.length]).toContain(applied);
    }
    const panels = await Promise.all([spawnPanel(env), spawnPanel(env)]);
    expect(panels.map((panel) => panel.stderr())).toEqual(['', '']);
    const { rows } = await sql<{ name: string }>`
      select name from schema_migrations order by name`.execute(db);
    expect(rows.map((row) => `${row.name}.sql`)).toEqual(releases);
    expect(await sumOf(db)).toEqual(before);

    for (const panel of panels) panel.child.kill('SIGTERM');
    await Promise.all(panels.map((panel) => panel.ended));
    await close();
    await server.query(`drop database ${name} with (force)`);
    await server.close();
  },
  600_000,
);
