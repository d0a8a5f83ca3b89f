// @module-tag thorough
import { afterAll, expect, test } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { ADMIN } from '../testing/panel.ts';
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
  expect(second.stderr()).toBe(
    `Another panel is already running on ${database.env.DATA_DIR}, or a command is at work there\n`,
  );

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
