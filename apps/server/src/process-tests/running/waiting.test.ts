// @module-tag thorough
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Connection, connectPostgres } from '../../db/connect.ts';
import { TestClient } from '../../testing/client.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../../testing/database/database-proxy.ts';
import { eventually } from '../../testing/eventually.ts';
import { ADMIN, makeDatabase } from '../../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  type PanelProcess,
  tryToSpawnPanel,
  WAITING,
} from '../../testing/process/process.ts';
import { metricsOf } from '../../testing/wire/metrics.ts';

afterAll(endPanels);

const NOBODY = () => {};
/** Starts a panel whose database is not running. Resolves when the panel prints that it waits. */
async function spawnWaiting(env: Record<string, string>): Promise<PanelProcess> {
  const panel = await tryToSpawnPanel({ ...FIRST_START, ...env }, NOBODY, {}, WAITING);
  expect(panel.url, panel.stderr()).not.toBe('');
  return panel;
}

async function endQuietly(panel: PanelProcess): Promise<void> {
  panel.child.kill('SIGTERM');
  expect(await panel.ended).toMatchObject({ code: 0, signal: null });
  expect(panel.stderr()).toBe('');
}

/** The settings with another path, port or word instead of the correct one. */
function changed(env: Record<string, string>, change: (url: URL) => void) {
  const url = new URL(env.DATABASE_URL ?? '');
  change(url);
  return { ...env, DATABASE_URL: url.href };
}

describe('a start without its PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let proxy: DatabaseProxy;
  let panel: PanelProcess;
  let client: TestClient;
  let where: string;
  beforeAll(async () => {
    database = await makeDatabase('postgres');
    proxy = await startDatabaseProxy(database.env.DATABASE_URL ?? '');
    await proxy.goAway();
    const { host, pathname } = new URL(proxy.url);
    where = host + pathname;
    panel = await spawnWaiting({ ...database.env, DATABASE_URL: proxy.url });
    client = new TestClient(panel.url);
  });
  afterAll(async () => {
    await proxy?.goAway();
    await endPanels();
    await database?.remove();
  });

  test('says once what it waits for, without the password', () => {
    const said = panel.stdout().match(/^Waiting .*$/gm) ?? [];
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`Waiting for the database at ${where}: connect ECONNREFUSED`);
    expect(panel.stdout()).not.toContain(new URL(proxy.url).password);
  });

  test('lives and is not ready, and both name the database and the reason', async () => {
    const state = {
      status: 'waiting',
      waiting_for: `the database at ${where}`,
      reason: expect.stringContaining('ECONNREFUSED'),
    };
    expect(await client.get('/health')).toMatchObject({ status: 200, body: state });
    expect(await client.get('/ready')).toMatchObject({
      status: 503,
      body: { ...state, database: 'unreachable' },
    });
    expect(await metricsOf(panel.url)).toMatchObject({ linekeeper_database_up: 0 });
  });

  test('answers every call as while the database is away, and serves the web app', async () => {
    const away = { status: 503, body: { code: 'DATABASE_UNAVAILABLE', data: {} } };
    expect(await client.get('/api/me')).toMatchObject(away);
    expect(await client.get('/api/events')).toMatchObject(away);
    expect(await client.signIn(ADMIN.email, ADMIN.password)).toMatchObject(away);
    expect(await client.send('DELETE', '/lines', undefined)).toMatchObject(away);
    const page = await fetch(`${panel.url}/login`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  test('goes on by itself at the same address when the database comes', async () => {
    await proxy.comeBack();
    await eventually(async () => expect((await client.get('/ready')).status).toBe(200));
    expect(panel.stdout()).toContain(`Linekeeper is running at ${panel.url}`);
    expect(await client.get('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect((await client.signIn(ADMIN.email, ADMIN.password)).status).toBe(200);
    await endQuietly(panel);
  });
});

describe('what is mended while it waits', () => {
  let admin: Connection;
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  const role = `role_${randomBytes(6).toString('hex')}`;
  beforeAll(async () => {
    admin = await connectPostgres(inject('postgresUrl'));
    database = await makeDatabase('postgres');
    await admin.query(`create role ${role} superuser login password 'the old one'`);
  });
  afterAll(async () => {
    await endPanels();
    await database?.remove();
    await admin?.query(`drop role ${role}`);
    await admin?.close();
  });

  test('a wrong password is named, and the start goes on when it is the right one', async () => {
    const env = changed(database.env, (url) => {
      url.username = role;
      url.password = 'canary-new';
    });
    const panel = await spawnWaiting(env);
    const client = new TestClient(panel.url);
    const reason = `password authentication failed for user "${role}"`;
    expect((await client.get('/health')).body).toMatchObject({ status: 'waiting', reason });
    expect(panel.stdout()).toContain(reason);
    await admin.query(`alter role ${role} password 'canary-new'`);
    await eventually(async () => expect((await client.get('/ready')).status).toBe(200));
    expect(panel.stdout()).not.toContain('canary');
    await endQuietly(panel);
  });

  test('a missing database is named, and the start goes on when it is made', async () => {
    const name = `late_${randomBytes(6).toString('hex')}`;
    const env = changed(database.env, (url) => {
      url.pathname = `/${name}`;
    });
    const panel = await spawnWaiting(env);
    const client = new TestClient(panel.url);
    const reason = `database "${name}" does not exist`;
    expect((await client.get('/ready')).body).toMatchObject({ status: 'waiting', reason });
    await admin.query(`create database ${name}`);
    await eventually(async () => expect((await client.get('/ready')).status).toBe(200));
    await endQuietly(panel);
    await admin.query(`drop database ${name}`);
  });
});

test('a database that cannot hold every character is refused, with what to do', async () => {
  const admin = await connectPostgres(inject('postgresUrl'));
  const name = `latin_${randomBytes(4).toString('hex')}`;
  await admin.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  const { href } = Object.assign(new URL(inject('postgresUrl')), { pathname: name });
  await expect(connectPostgres(href)).rejects.toThrow(
    'The database has the encoding LATIN1. Create it with --encoding=UTF8',
  );
  await admin.query(`drop database ${name}`);
  await admin.close();
});

describe('the end of a start that waits', () => {
  const SECRET_KEY = 'a secret key of the tests, long enough';

  test('comes with SIGTERM, with code 0', async () => {
    const DATABASE_URL = 'postgres://panel:secret@127.0.0.1:1/panel';
    await endQuietly(await spawnWaiting({ DATABASE_URL, SECRET_KEY }));
  });

  test('comes with SIGTERM too while a server takes the connection and says nothing', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const asked = once(silent, 'connection');
    const { port } = silent.address() as AddressInfo;
    const DATABASE_URL = `postgres://panel:secret@127.0.0.1:${port}/panel`;
    let spawned: (child: PanelProcess['child']) => void = NOBODY;
    const isSpawned = new Promise<PanelProcess['child']>((resolve) => {
      spawned = resolve;
    });
    const starting = tryToSpawnPanel({ DATABASE_URL, SECRET_KEY }, spawned);
    await asked;
    (await isSpawned).kill('SIGTERM');
    const panel = await starting;
    expect(await panel.ended).toMatchObject({ code: 0, signal: null });
    expect(panel.stderr()).toBe('');
    silent.close();
  });

  test('is at once where the port is taken, and names it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const DATABASE_URL = 'postgres://panel:secret@127.0.0.1:1/panel';
    const panel = await tryToSpawnPanel({ DATABASE_URL, SECRET_KEY, PORT: String(port) });
    expect(await panel.ended).toMatchObject({ code: 1 });
    expect(panel.stderr()).toBe(`PORT=${port}: the port is already in use on 127.0.0.1\n`);
    other.close();
  });
});
