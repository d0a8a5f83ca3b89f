// @module-tag thorough
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Panel, startPanel } from '../../commands/panel.ts';
import { readSecretKey } from '../../platform/keys/key-file.ts';
import { TestClient } from '../../testing/client.ts';
import { dumpWithoutJobs } from '../../testing/database/dump.ts';
import { addSealedRows, opener, sealedTexts } from '../../testing/ledger/sealed.ts';
import { newLine } from '../../testing/lines.ts';
import { holdChecks } from '../../testing/loops.ts';
import { ADMIN, databases, startTestAgent } from '../../testing/panel.ts';
import { runProgram } from '../../testing/process/command.ts';
import {
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  openTestWorld,
} from '../../testing/process/process.ts';

const NEW_SECRET_KEY = 'the new key of the tests, long enough too';
/** The number is larger than one batch. */
const LINES = 1200;

const start = (env: Record<string, string>): Promise<Panel> =>
  startPanel({ ...env, HOST: '127.0.0.1', PORT: '0' }, pino({ level: 'silent' }));

/** Kills the process as soon as the new key is on disk. */
function killOnceKept(child: ChildProcess, keyFolder: string): void {
  const watching = setInterval(async () => {
    if (!(await readdir(keyFolder)).includes('secret.key.new')) return;
    clearInterval(watching);
    child.kill('SIGKILL');
  }, 5);
  child.once('exit', () => clearInterval(watching));
}

describe.each(databases)('keys:rotate on %s', (kind) => {
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
  let panel: Panel;
  let admin: TestClient;
  let oldKey: string;
  /** The working directory of the command; with PostgreSQL the key is written there. */
  let called: string;
  const isEmbedded = kind === 'embedded';
  const keyFolder = () => (isEmbedded ? (database.env.DATA_DIR ?? '') : called);
  const rotate = (more: Record<string, string> = {}, onSpawn?: (child: ChildProcess) => void) => {
    const env = { ...database.env, ...(isEmbedded ? {} : { SECRET_KEY: oldKey }), ...more };
    return runProgram('rotate-keys.ts', [], env, onSpawn, called);
  };
  const namesLike = async (pattern: RegExp) =>
    (await readdir(keyFolder())).filter((name) => pattern.test(name)).sort();
  const readKey = async (name: string) =>
    (await readFile(join(keyFolder(), name), 'utf8')).trimEnd();
  /** The key of the last rotation, read from its file as an operator would. */
  const newestKey = async () =>
    readKey(isEmbedded ? 'secret.key' : ((await namesLike(/^secret\.key\.since-/)).at(-1) ?? ''));
  const startWith = (key: string) =>
    start(isEmbedded ? database.env : { ...database.env, SECRET_KEY: key });

  beforeAll(async () => {
    called = await mkdtemp(join(tmpdir(), 'linekeeper-called-'));
    agent = await startTestAgent();
    database = await makeMigratedDatabase(kind);
    panel = await start({ ...database.env, ...FIRST_START });
    await holdChecks(panel.services.db);
    oldKey = database.env.SECRET_KEY ?? readSecretKey(keyFolder()) ?? '';
    const world = await openTestWorld(panel.url, agent.url);
    admin = world.admin;
    expect((await world.reseller.client.post('/api/lines', newLine('sold'))).status).toBe(201);
    await addSealedRows(panel.services.db, oldKey, world.server_id, LINES);
  });
  afterAll(async () => {
    await panel?.close();
    await agent?.close();
    await database?.remove();
    await rm(called, { recursive: true, force: true });
  });

  async function expectUsable(): Promise<void> {
    const { body } = await admin.get('/api/lines?limit=1&sort=username&q=sold');
    const revealed = await admin.post(`/api/lines/${body.items[0].id}/reveal`);
    expect(revealed.body).toEqual({ password: 'pw-sold', page: null });
    const servers = await admin.get('/api/servers');
    const tested = await admin.post(`/api/servers/${servers.body.items[0].id}/test`);
    expect(tested.body).toMatchObject({ status: 'active' });
  }

  /** Expects that all encrypted values can be decrypted with this key only, while the panel runs. */
  async function expectSealedWith(key: string, before: string): Promise<void> {
    const [opens, opensBefore] = [opener(key), opener(before)];
    const texts = await sealedTexts(panel.services.db);
    expect(texts).toHaveLength(LINES + 6);
    expect(texts.filter((text) => !opens(text) || opensBefore(text))).toEqual([]);
  }

  async function signInAgain(): Promise<void> {
    admin = new TestClient(panel.url);
    expect((await admin.signIn(ADMIN.email, ADMIN.password)).status).toBe(200);
  }

  test('is refused while a panel runs, and leaves no key', async () => {
    const before = await dumpWithoutJobs(panel.services.db);
    const refused = await rotate({ NEW_SECRET_KEY });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^A panel .*Stop/) });
    expect(await dumpWithoutJobs(panel.services.db)).toEqual(before);
    expect(await namesLike(/^secret\.key\./)).toEqual([]);
  });

  test('killed in the middle leaves a panel that starts with the key it has', async () => {
    await panel.close();
    const killed = await rotate({}, (child) => killOnceKept(child, keyFolder()));
    expect(killed.code).toBeNull();
    expect(await namesLike(/^secret\.key\.new$/)).toHaveLength(1);
    if (isEmbedded) {
      panel = await start(database.env);
    } else {
      // The old key works if nothing was committed, otherwise the stored one.
      panel = await startWith(oldKey).catch(async () => {
        oldKey = await readKey('secret.key.new');
        return startWith(oldKey);
      });
    }
    admin = movedTo(panel.url, admin);
    if ((await admin.get('/api/me')).status === 401) await signInAgain();
    await expectUsable();
    if (isEmbedded) {
      expect(await namesLike(/^secret\.key\.new$/)).toEqual([]);
      oldKey = readSecretKey(keyFolder()) ?? '';
    }
    await panel.close();
    if (!isEmbedded) await rm(join(called, 'secret.key.new'));
  });

  test('killed in the middle and run again goes on with the key it wrote', async () => {
    const before = oldKey;
    const holder = new pg.Client(database.env.DATABASE_URL ?? '');
    if (!isEmbedded) {
      // Blocks the rotation at the lines' passwords: by then the key is stored and nothing is
      // committed.
      await holder.connect();
      await holder.query('begin');
      await holder.query('select from users for update');
    }
    const killed = await rotate({}, (child) => killOnceKept(child, keyFolder()));
    if (!isEmbedded) await holder.end();
    expect(killed.code).toBeNull();
    const kept = await readKey('secret.key.new');
    expect(Buffer.from(kept, 'base64')).toHaveLength(32);
    expect((await stat(join(keyFolder(), 'secret.key.new'))).mode & 0o777).toBe(0o600);

    const other = await rotate({ NEW_SECRET_KEY: 'another new key, and long enough for that' });
    const again = await rotate();
    expect(again).toMatchObject({ code: 0, stderr: '' });
    if (again.stdout.includes('Continuing an interrupted rotation')) {
      expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('was interrupted') });
    }
    expect(again.stdout).toContain(
      isEmbedded
        ? `The new key is in ${join(keyFolder(), 'secret.key')}`
        : `The new key is in ${join(called, 'secret.key.since-')}`,
    );
    expect(await newestKey()).toBe(kept);
    expect(await namesLike(/^secret\.key\.new/)).toEqual([]);
    await expect(start({ ...database.env, SECRET_KEY: before })).rejects.toThrow(
      'This database was encrypted with another SECRET_KEY',
    );
    oldKey = kept;
    panel = await startWith(kept);
    await expectSealedWith(kept, before);
    await signInAgain();
    await expectUsable();
    await panel.close();
  });

  test('makes the new key itself, and keeps it where it says', async () => {
    const before = oldKey;
    const rotated = await rotate();
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    expect(rotated.stdout).toContain(`line passwords: ${LINES + 1} converted to the new key`);
    expect(rotated.stdout).toContain('two-factor secrets: 1 converted to the new key');
    const key = await newestKey();
    expect(key).not.toBe(before);
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    const file = /^The new key is in ([^;\n]+)/m.exec(rotated.stdout)?.[1] ?? '';
    expect((await readFile(file, 'utf8')).trimEnd()).toBe(key);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    // Neither key may be printed, because terminals keep their output.
    for (const shown of [before, key]) expect(rotated.stdout).not.toContain(shown);
    if (!isEmbedded) {
      expect(rotated.stdout).toContain('Now set SECRET_KEY to it');
      // The settings still contain the old key, so the command prints again where the new one is.
      const again = await rotate();
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout).toContain(`The new key is in ${file}`);
    }
    oldKey = key;
    panel = await startWith(key);
    await expectSealedWith(key, before);
    await panel.close();
  });

  test('seals everything with a given key, kept on the disk first', async () => {
    const before = oldKey;
    const rotated = await rotate({ NEW_SECRET_KEY });
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    expect(await newestKey()).toBe(NEW_SECRET_KEY);
    await expect(start({ ...database.env, SECRET_KEY: before })).rejects.toThrow(
      'This database was encrypted with another SECRET_KEY',
    );
    if (isEmbedded) {
      const kept = await namesLike(/\.until-/);
      expect(await Promise.all(kept.map(readKey))).toContain(before);
    } else {
      const again = await rotate({ NEW_SECRET_KEY });
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout).toContain('has already been encrypted with another key');
      const lost = await rotate({ SECRET_KEY: 'k'.repeat(40), NEW_SECRET_KEY: 'n'.repeat(40) });
      // The key was lost from the settings; the copy on disk must be mentioned.
      expect(lost.stdout).toContain('The new key is in');
    }
    oldKey = NEW_SECRET_KEY;
    panel = await startWith(NEW_SECRET_KEY);
    await expectSealedWith(NEW_SECRET_KEY, before);
  });

  test('signs everybody out, and all goes on with the new key', async () => {
    const returned = movedTo(panel.url, admin);
    expect((await returned.get('/api/me')).status).toBe(401);
    await signInAgain();
    await expectUsable();
    await panel.close();
  });

  test('refuses a key that is not the database’s, and changes and keeps nothing', async () => {
    const names = await namesLike(/^secret\.key/);
    if (isEmbedded) {
      await writeFile(join(keyFolder(), 'secret.key'), 'a key of another database, long enough');
    } else {
      for (const name of names) await rm(join(called, name));
    }
    const wrong = 'a key of another database, long enough';
    const refused = await rotate(isEmbedded ? {} : { SECRET_KEY: wrong });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('encrypted with another SECRET_KEY'),
    });
    expect(await namesLike(/^secret\.key/)).toEqual(isEmbedded ? names : []);
    if (isEmbedded) await writeFile(join(keyFolder(), 'secret.key'), `${oldKey}\n`);
    panel = await startWith(oldKey);
    await signInAgain();
    await expectUsable();
  });

  test('seals nothing where the new key cannot be kept', async () => {
    await panel.close();
    await mkdir(join(keyFolder(), 'secret.key.new.part'));
    expect(await rotate()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The new key cannot be written to .* Nothing was changed\./),
    });
    panel = await startWith(oldKey);
    admin = movedTo(panel.url, admin);
    await expectUsable();
  });
});
