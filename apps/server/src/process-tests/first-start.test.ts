// @module-tag thorough
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { connectPostgres } from '../db/connect.ts';
import { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { ADMIN, AGENT, makeDatabase, startTestAgent } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  soldNames,
  spawnPanel,
  tryToSpawnPanel,
} from '../testing/process/process.ts';

afterAll(endPanels);

test('the first start prints a password that signs in; the second prints none and keeps everything', {
  tags: ['spec:1.12', 'spec:8.46'],
}, async () => {
  const database = await makeDatabase('embedded');
  const agent = await startTestAgent();
  const first = await spawnPanel(database.env);
  await eventually(() => expect(first.password()).toBeDefined());
  expect(first.stdout()).toContain('Database initialized successfully');
  const email = /^Administrator: (\S+)$/m.exec(first.stdout())?.[1] ?? '';
  expect(email).toMatch(/@/);
  const admin = new TestClient(first.url);
  expect((await admin.signIn(email, first.password() ?? '')).status).toBe(200);
  const { body } = await admin.post('/api/servers', {
    server_name: 'Frankfurt 1',
    host_ip: '127.0.0.1',
    port: 12000,
    api_port: Number(new URL(agent.url).port),
    ...AGENT,
  });
  await admin.post(`/api/servers/${body.server.id}/test`);
  const sale = { username: 'kept', password: 'pw-kept', subscription_months: 1 };
  expect((await admin.post('/api/lines', sale)).status).toBe(201);
  first.child.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);

  const second = await spawnPanel(database.env);
  expect(second.stdout()).toContain('Database initialized successfully');
  const returned = movedTo(second.url, admin);
  expect((await returned.get('/api/me')).body.email).toBe(email);
  expect(await soldNames(returned)).toEqual(['kept']);
  const again = new TestClient(second.url);
  expect((await again.signIn(email, first.password() ?? '')).status).toBe(200);
  second.child.kill('SIGTERM');
  await second.ended;
  expect(second.stdout() + second.stderr()).not.toMatch(/Password|Administrator/);
  await agent.close();
  await database.remove();
});

test('a first start on a taken port makes and prints nothing; the next one does', async () => {
  const database = await makeMigratedDatabase('postgres');
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const failed = await tryToSpawnPanel({ ...database.env, PORT: String(port) });
  expect(await failed.ended).toMatchObject({ code: 1 });
  expect(failed.stdout()).not.toMatch(/Administrator|Password/);
  holder.close();

  const panel = await spawnPanel(database.env);
  await eventually(() => expect(panel.password()).toBeDefined());
  const email = /^Administrator: (\S+)$/m.exec(panel.stdout())?.[1] ?? '';
  const admin = new TestClient(panel.url);
  expect((await admin.signIn(email, panel.password() ?? '')).status).toBe(200);
  panel.child.kill('SIGTERM');
  await panel.ended;
  await database.remove();
});

test('a panel with another SECRET_KEY ends at once and says why', async () => {
  const database = await makeMigratedDatabase('postgres');
  const right = await spawnPanel({ ...database.env, ...FIRST_START });
  right.child.kill('SIGTERM');
  await right.ended;
  const wrong = await tryToSpawnPanel({ ...database.env, SECRET_KEY: 'x'.repeat(40) });
  expect(await wrong.ended).toMatchObject({ code: 1 });
  expect(wrong.url).toBe('');
  expect(wrong.stderr()).toContain('This database was encrypted with another SECRET_KEY');
  const again = await spawnPanel(database.env);
  again.child.kill('SIGTERM');
  expect(await again.ended).toMatchObject({ code: 0 });
  await database.remove();
});

test('an embedded panel that lost its key ends, and no new key takes its place', async () => {
  const database = await makeMigratedDatabase('embedded');
  const keyFile = join(database.env.DATA_DIR ?? '', 'secret.key');
  const first = await spawnPanel({ ...database.env, ...FIRST_START });
  first.child.kill('SIGTERM');
  await first.ended;
  await rm(keyFile);
  const lost = await tryToSpawnPanel(database.env);
  expect(await lost.ended).toMatchObject({ code: 1 });
  expect(lost.stderr()).toContain('This database was encrypted with another SECRET_KEY');
  await expect(stat(keyFile)).rejects.toThrow('ENOENT');
  await database.remove();
});

test('a named administrator signs in with the given password, which is not repeated', async () => {
  const database = await makeDatabase('postgres');
  const panel = await spawnPanel({ ...database.env, ...FIRST_START });
  await eventually(() => expect(panel.stdout()).toContain(`Administrator: ${ADMIN.email}\n`));
  const admin = new TestClient(panel.url);
  expect((await admin.signIn(ADMIN.email, ADMIN.password)).status).toBe(200);
  panel.child.kill('SIGTERM');
  await panel.ended;
  expect(panel.stdout() + panel.stderr()).not.toMatch(/Password: /);
  expect(panel.stdout() + panel.stderr()).not.toContain(ADMIN.password);
  await database.remove();
});

test('a database that a newer panel made is opened with a warning in the log', {
  tags: ['spec:8.47'],
}, async () => {
  const database = await makeMigratedDatabase('postgres');
  const connection = await connectPostgres(database.env.DATABASE_URL ?? '');
  await connection.query(
    "insert into schema_migrations (name, timestamp) values ('9999_of_a_newer_panel', '2099')",
  );
  await connection.close();
  const panel = await spawnPanel({ ...database.env, ...FIRST_START });
  expect(panel.stdout()).toContain('Database initialization may have failed:');
  expect(panel.stdout()).not.toContain('Database initialized successfully');
  panel.child.kill('SIGTERM');
  await panel.ended;
  await database.remove();
});
