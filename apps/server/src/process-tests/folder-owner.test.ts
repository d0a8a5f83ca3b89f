// @module-tag thorough
import { chmodSync, chownSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { ADMIN } from '../testing/panel.ts';
import { runProgram } from '../testing/process/command.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  spawnPanel,
  tryToSpawnPanel,
} from '../testing/process/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

// If the tests run as root, the panel runs as another user and the commands as root; otherwise one
// user runs both. In either case all files in the folder must belong to its owner.
const isRoot = process.geteuid?.() === 0;
const NOBODY = 65_534;
const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const ownerId = isRoot ? NOBODY : process.geteuid?.();

let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
let dataDir: string;
/** A folder that only the user of the commands can access. */
let callers: string;

function everythingIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [folder, ...names.map((name) => join(folder, name))];
}

const notTheOwners = () => everythingIn(dataDir).filter((path) => lstatSync(path).uid !== ownerId);

/** Expects that the owner's panel opens the folder and finds the lines. */
async function expectOpens(): Promise<void> {
  const panel = await tryToSpawnPanel({ ...database.env, ...FIRST_START }, () => {}, owner);
  expect([panel.stderr(), panel.url]).toEqual(['', expect.stringMatching(/^http/)]);
  const admin = new TestClient(panel.url);
  expect((await admin.signIn(ADMIN.email, ADMIN.password)).status).toBe(200);
  const added = await admin.post('/api/accounts', {
    email: `${Date.now()}@panel.example`,
    password: 'long enough',
  });
  expect(added.status).toBe(201);
  panel.child.kill('SIGTERM');
  expect((await panel.ended).code).toBe(0);
}

beforeAll(async () => {
  database = await makeMigratedDatabase('embedded');
  dataDir = database.env.DATA_DIR ?? '';
  callers = mkdtempSync(join(tmpdir(), 'linekeeper-callers-'));
  if (isRoot) {
    for (const path of everythingIn(dataDir)) chownSync(path, NOBODY, NOBODY);
    // By default other users cannot enter this test run's folder.
    chmodSync(dirname(dataDir), 0o711);
  }
  await expectOpens();
});
afterAll(async () => {
  await endPanels();
  await database?.remove();
  rmSync(callers, { recursive: true, force: true });
});

const backups = () => readdirSync(callers).map((name) => join(callers, name));
const commands: [string, () => string[]][] = [
  ['migrate.ts', () => []],
  ['seed.ts', () => []],
  ['backup.ts', () => [`${callers}/`]],
  ['rotate-keys.ts', () => []],
  // The earlier backup needs the previous key, so a new one is made.
  ['backup.ts', () => [join(callers, 'rotated.lkb.gz')]],
  ['restore.ts', () => [join(callers, 'rotated.lkb.gz'), '--replace']],
];

test.each(commands)('%s leaves a folder that is its owner’s alone', async (program, args) => {
  const outcome = await runProgram(program, args(), database.env);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(notTheOwners()).toEqual([]);
});

test('after all of them the owner’s panel opens it', expectOpens);

test('a backup belongs to whoever called for it', () => {
  expect(backups()).toHaveLength(2);
  for (const file of backups()) {
    expect([file, lstatSync(file).uid]).toEqual([file, process.geteuid?.()]);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
  }
});

test('a panel starts as the owner of its folder alone', async () => {
  const before = everythingIn(dataDir);
  if (isRoot) {
    const refused = await tryToSpawnPanel(database.env);
    expect(await refused.ended).toMatchObject({ code: 1 });
    expect(refused.stderr()).toMatch(/^The data in .* belongs to .* with sudo -u \S+\n$/);
  } else {
    const panel = await spawnPanel(database.env);
    panel.child.kill('SIGTERM');
    expect((await panel.ended).code).toBe(0);
  }
  expect(everythingIn(dataDir).toSorted()).toEqual(before.toSorted());
  expect(notTheOwners()).toEqual([]);
});
