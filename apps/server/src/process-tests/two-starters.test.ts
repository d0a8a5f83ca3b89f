// @module-tag thorough
import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, expect, inject, test } from 'vitest';
import { connectPostgres } from '../db/connect.ts';
import { MIGRATIONS_FOLDER } from '../db/migrate.ts';
import { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { endPanels, spawnPanel } from '../testing/process/process.ts';

afterAll(endPanels);

test('of two panels starting on one empty database one makes the schema and the administrator', async () => {
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  const server = await connectPostgres(inject('postgresUrl'));
  await server.query(`create database ${name} template template0`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  const env = { DATABASE_URL: url.href, SECRET_KEY: 'a secret key of the tests, long enough' };

  const panels = await Promise.all([spawnPanel(env), spawnPanel(env)]);
  expect(panels.map((panel) => panel.stderr())).toEqual(['', '']);
  const passwords = await eventually(() => {
    const printed = panels.flatMap((panel) => panel.password() ?? []);
    expect(printed).toHaveLength(1);
    return printed;
  });
  for (const panel of panels) {
    expect(panel.stdout()).toContain('Database initialized successfully');
    const client = new TestClient(panel.url);
    const email = 'admin@linekeeper.local';
    expect((await client.signIn(email, passwords[0] ?? '')).status).toBe(200);
    expect((await client.get('/ready')).body).toMatchObject({ migrations: 'ok' });
  }
  const { db, close } = await connectPostgres(url.href);
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((file) => file.endsWith('.sql'));
  const { rows } = await sql<{ name: string }>`
    select name from schema_migrations order by name`.execute(db);
  expect(rows.map((row) => `${row.name}.sql`)).toEqual(files.sort());
  const accounts = await db.selectFrom('auth_users').select('email').execute();
  expect(accounts).toHaveLength(1);
  await close();
  for (const panel of panels) panel.child.kill('SIGTERM');
  expect((await Promise.all(panels.map((panel) => panel.ended))).map(({ code }) => code)).toEqual([
    0, 0,
  ]);
  await server.query(`drop database ${name} with (force)`);
  await server.close();
});
