// @module-tag thorough
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from '@linekeeper/data-folder/lock.ts';
import { afterAll, expect, test } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { ADMIN } from '../testing/panel.ts';
import { runProgram } from '../testing/process/command.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  spawnPanel,
  tryToSpawnPanel,
} from '../testing/process/process.ts';

afterAll(endPanels);

const account = (name: string) => ({ email: `${name}@panel.example`, password: 'long enough' });

async function emails(client: TestClient): Promise<string[]> {
  const { body } = await client.get('/api/accounts?sort=email');
  return body.items.map((item: { email: string }) => item.email);
}

test('a folder has one panel at a time, and a killed one leaves it free with all data', async () => {
  const database = await makeMigratedDatabase('embedded');
  const env = { ...database.env, ...FIRST_START };
  const first = await spawnPanel(env);
  const admin = new TestClient(first.url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  expect((await admin.post('/api/accounts', account('anna'))).status).toBe(201);

  const second = await tryToSpawnPanel(env);
  expect(await second.ended).toMatchObject({ code: 1, signal: null });
  expect(second.stderr()).toBe(`Another panel is already running on ${database.env.DATA_DIR}\n`);

  expect((await admin.post('/api/accounts', account('bert'))).status).toBe(201);
  expect(await emails(admin)).toEqual([ADMIN.email, 'anna@panel.example', 'bert@panel.example']);
  first.child.kill('SIGKILL');
  await first.ended;

  const third = await spawnPanel(env);
  const returned = movedTo(third.url, admin);
  expect(await emails(returned)).toEqual([ADMIN.email, 'anna@panel.example', 'bert@panel.example']);
  expect((await returned.post('/api/accounts', account('carl'))).status).toBe(201);
  third.child.kill('SIGTERM');
  expect((await third.ended).code).toBe(0);
  await database.remove();
});

test('a folder that a command has is named with the command, until that has ended', async () => {
  const database = await makeMigratedDatabase('embedded');
  const { DATA_DIR = '' } = database.env;
  const env = { ...database.env, ...FIRST_START };
  const lock = lockFolder(DATA_DIR);
  await writeFile(join(DATA_DIR, 'lock.holder'), 'seed');
  const others = await Promise.all([
    runProgram('reset-password.ts', ['admin@panel.example'], env),
    runProgram('main.ts', [], { ...env, HOST: '127.0.0.1', PORT: '0' }),
  ]);
  const stderr = `The command seed is using ${DATA_DIR}: run this again when it has ended\n`;
  for (const other of others) expect(other).toMatchObject({ code: 1, stderr });
  lock.release();
  expect(await runProgram('migrate.ts', [], env)).toMatchObject({ code: 0, stderr: '' });
  await database.remove();
});
