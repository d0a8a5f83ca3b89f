// @module-tag thorough
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectEmbedded } from '../db/connect.ts';
import { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { ADMIN, makeDatabase } from '../testing/panel.ts';
import { runProgram } from '../testing/process/command.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  spawnPanel,
  tryToSpawnPanel,
} from '../testing/process/process.ts';

vi.setConfig({ testTimeout: 120_000 });
afterAll(endPanels);

const COMMANDS: [program: string, args: string[]][] = [
  ['migrate.ts', []],
  ['seed.ts', []],
  ['backup.ts', ['never.lkb.gz']],
];

describe('a panel that was stopped', () => {
  let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
  let folder = '';
  let env: Record<string, string> = {};
  beforeAll(async () => {
    database = await makeMigratedDatabase('embedded');
    folder = database.env.DATA_DIR ?? '';
    env = { ...database.env, ...FIRST_START };
    const panel = await spawnPanel(env);
    panel.child.kill('SIGTERM');
    expect((await panel.ended).code).toBe(0);
  });
  afterAll(() => database?.remove());

  test('and lost PG_VERSION makes no new database, nor do the commands', async () => {
    const version = join(folder, 'pgdata/PG_VERSION');
    await cp(version, join(folder, 'kept'));
    rmSync(version);
    const panel = await tryToSpawnPanel(env);
    expect(await panel.ended).toMatchObject({ code: 1 });
    expect(panel.stderr()).toContain('PG_VERSION is missing');
    expect(panel.stdout()).not.toMatch(/Administrator|Password/);
    for (const [program, args] of COMMANDS) {
      const { code, stderr } = await runProgram(program, args, env);
      expect(code, program).toBe(1);
      expect(stderr, program).toContain('PG_VERSION is missing');
    }
    renameSync(join(folder, 'kept'), version);
  });

  test('and lost its whole database says so, as long as its key is there', async () => {
    renameSync(join(folder, 'pgdata'), join(folder, 'elsewhere'));
    const panel = await tryToSpawnPanel(env);
    expect(await panel.ended).toMatchObject({ code: 1 });
    expect(panel.stderr()).toContain('the database it belongs to, pgdata, is missing');
    for (const [program, args] of COMMANDS) {
      expect((await runProgram(program, args, env)).code, program).toBe(1);
    }
    expect(existsSync(join(folder, 'pgdata'))).toBe(false);
    renameSync(join(folder, 'elsewhere'), join(folder, 'pgdata'));
  });

  test('and lost its database says so, too, where the key is in the settings', async () => {
    const key = join(folder, 'secret.key');
    const SECRET_KEY = readFileSync(key, 'utf8').trim();
    renameSync(join(folder, 'pgdata'), join(folder, 'elsewhere'));
    renameSync(key, join(folder, 'key elsewhere'));
    for (const isEmpty of [false, true]) {
      if (isEmpty) mkdirSync(join(folder, 'pgdata'));
      const panel = await tryToSpawnPanel({ ...env, SECRET_KEY });
      expect(await panel.ended).toMatchObject({ code: 1 });
      expect(panel.stderr()).toContain('There is a pgdata.files.json in');
      expect(panel.stdout()).not.toMatch(/Administrator|Password/);
    }
    rmdirSync(join(folder, 'pgdata'));
    renameSync(join(folder, 'key elsewhere'), key);
    renameSync(join(folder, 'elsewhere'), join(folder, 'pgdata'));
  });

  test('and was then started, killed and lost the rows of a table is not opened', async () => {
    const { query, close } = await connectEmbedded(folder);
    const { rows } = (await query("select pg_relation_filepath('settings') as path")) as {
      rows: { path: string }[];
    };
    await close();
    const path = rows[0]?.path ?? '';
    const killed = await spawnPanel(env);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const content = readFileSync(join(folder, 'pgdata', path));
    truncateSync(join(folder, 'pgdata', path));
    const panel = await tryToSpawnPanel(env);
    expect(await panel.ended).toMatchObject({ code: 1 });
    expect(panel.stderr()).toContain(`${path} has 0 bytes instead of ${content.length}`);
    writeFileSync(join(folder, 'pgdata', path), content);
  });

  test('has everything again when what was missing is put back', async () => {
    const panel = await spawnPanel(env);
    const admin = new TestClient(panel.url);
    expect((await admin.signIn(ADMIN.email, ADMIN.password)).status).toBe(200);
    panel.child.kill('SIGTERM');
    await panel.ended;
  });
});

test('a first start that was killed while its database was made is followed by a whole one', async () => {
  const database = await makeDatabase('embedded');
  const folder = database.env.DATA_DIR ?? '';
  const isGrowing = () => readdirSync(folder).some((name) => name.startsWith('pgdata.new-'));
  const killed = await tryToSpawnPanel(database.env, (child) => {
    void eventually(() => expect(isGrowing()).toBe(true), 60_000).then(() => child.kill('SIGKILL'));
  });
  expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
  expect(existsSync(join(folder, 'pgdata'))).toBe(false);

  const panel = await spawnPanel(database.env);
  await eventually(() => expect(panel.password()).toBeDefined());
  expect(isGrowing()).toBe(false);
  panel.child.kill('SIGTERM');
  expect((await panel.ended).code).toBe(0);
  await database.remove();
});
