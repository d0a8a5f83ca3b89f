import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../core/ids.ts';
import { readSecretKey } from '../core/key-file.ts';
import { createSecrets } from '../core/secrets.ts';
import type { Db } from '../db/transaction.ts';
import { type Panel, startPanel } from '../panel.ts';
import { TestClient } from '../testing/client.ts';
import { runProgram } from '../testing/command.ts';
import { dump } from '../testing/dump.ts';
import { newLine } from '../testing/lines.ts';
import { ADMIN, databases, startTestAgent } from '../testing/panel.ts';
import { FIRST_START, makeMigratedDatabase, movedTo, openShop } from '../testing/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const NEW_SECRET_KEY = 'the new key of the tests, long enough too';
const LINES = 1200;

const start = (env: Record<string, string>): Promise<Panel> =>
  startPanel({ ...env, HOST: '127.0.0.1', PORT: '0' }, pino({ level: 'silent' }));

/** Every sealed text in any column of any table, with all ids beside it. */
async function sealedTexts(db: Db) {
  const rows = Object.values(await dump(db)).flat();
  return rows.flatMap((row) => {
    const ids = [...row.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|secret_key_check/g)];
    return [...row.matchAll(/v1:[A-Za-z0-9+/]{38,}=*/g)].map(([sealed]) => ({
      sealed,
      ids: ids.map(([id]) => id),
    }));
  });
}

/** Whether a key opens a text, for any of the ids beside it. */
function opener(key: string) {
  const secrets = createSecrets(key);
  return ({ sealed, ids }: { sealed: string; ids: string[] }) =>
    ids.some((id) => {
      try {
        secrets.open(sealed, id);
        return true;
      } catch {
        return false;
      }
    });
}

/** More lines than one batch, and an import that waits. */
async function addSealedRows(db: Db, key: string, server_id: string): Promise<void> {
  const secrets = createSecrets(key);
  const { id: account_id } = await db
    .selectFrom('auth_users')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const ids = Array.from({ length: LINES }, newId);
  const sealed = ids.map((id) => secrets.seal(`pw of ${id}`, id));
  await sql`insert into users
      (id, username, password, added_date, expiry_date, status, owner_id, server_id)
    select id::uuid, 'stored' || id, sealed, '2026-01-01', '2099-01-01', '[]', ${account_id}, ${server_id}
    from unnest(${ids}::text[], ${sealed}::text[]) as given (id, sealed)`.execute(db);
  const job_id = newId();
  await db
    .insertInto('jobs')
    .values({ id: job_id, account_id, action: 'import', arguments: '{}', total: 2 })
    .execute();
  const line_id = newId();
  const password = secrets.seal('an imported password', line_id);
  await db
    .insertInto('job_items')
    .values([
      {
        job_id,
        position: 1,
        line_id,
        username: 'a',
        input: JSON.stringify({ password, name: 'A' }),
      },
      {
        job_id,
        position: 2,
        line_id: newId(),
        username: 'b',
        input: JSON.stringify({ name: 'B' }),
      },
    ])
    .execute();
}

describe.each(databases)('keys:rotate on %s', (kind) => {
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
  let panel: Panel;
  let admin: TestClient;
  let oldKey: string;
  const folder = () => database.env.DATA_DIR ?? '';
  const rotate = (more: Record<string, string> = {}, onSpawn?: (child: ChildProcess) => void) =>
    runProgram('rotate-keys.ts', [], { ...database.env, ...more }, onSpawn);

  beforeAll(async () => {
    agent = await startTestAgent();
    database = await makeMigratedDatabase(kind);
    panel = await start({ ...database.env, ...FIRST_START });
    oldKey = database.env.SECRET_KEY ?? readSecretKey(folder()) ?? '';
    const shop = await openShop(panel.url, agent.url);
    admin = shop.admin;
    expect((await shop.reseller.client.post('/api/lines', newLine('sold'))).status).toBe(201);
    await addSealedRows(panel.services.db, oldKey, shop.server_id);
  });
  afterAll(async () => {
    await panel?.close();
    await agent?.close();
    await database?.remove();
  });

  async function expectUsable(): Promise<void> {
    const { body } = await admin.get('/api/lines?limit=1&sort=username&q=sold');
    const revealed = await admin.post(`/api/lines/${body.items[0].id}/reveal`);
    expect(revealed.body).toEqual({ password: 'pw-sold' });
    const servers = await admin.get('/api/servers');
    const tested = await admin.post(`/api/servers/${servers.body.items[0].id}/test`);
    expect(tested.body).toMatchObject({ status: 'active' });
  }

  test('is refused while a panel runs', async () => {
    const before = await dump(panel.services.db);
    const refused = await rotate({ NEW_SECRET_KEY });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^A panel .*Stop/) });
    expect(await dump(panel.services.db)).toEqual(before);
  });

  test('killed in the middle leaves a panel that starts with the key it has', async () => {
    if (kind === 'postgres') return;
    await panel.close();
    const killed = await rotate({}, (child) => {
      const watching = setInterval(async () => {
        if (!(await readdir(folder())).includes('secret.key.new')) return;
        clearInterval(watching);
        child.kill('SIGKILL');
      }, 5);
      child.once('exit', () => clearInterval(watching));
    });
    expect(killed.code).toBeNull();
    expect(await readdir(folder())).toContain('secret.key.new');
    panel = await start(database.env);
    admin = movedTo(panel.url, admin);
    if (readSecretKey(folder()) !== oldKey) await admin.signIn(ADMIN.email, ADMIN.password);
    await expectUsable();
    expect(await readdir(folder())).not.toContain('secret.key.new');
    oldKey = readSecretKey(folder()) ?? '';
  });

  test('seals everything anew, and the old key opens nothing', async () => {
    const before = await sealedTexts(panel.services.db);
    const opensOld = opener(oldKey);
    expect(before).toHaveLength(LINES + 4);
    expect(before.filter((text) => !opensOld(text))).toEqual([]);
    await panel.close();
    if (kind === 'postgres') {
      expect(await rotate()).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Set NEW_SECRET_KEY to the new key'),
      });
    }
    const rotated = await rotate(kind === 'postgres' ? { NEW_SECRET_KEY } : {});
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    expect(rotated.stdout).toContain(`line passwords: ${LINES + 1} sealed anew`);

    const newKey = kind === 'postgres' ? NEW_SECRET_KEY : (readSecretKey(folder()) ?? '');
    expect(newKey).not.toBe(oldKey);
    await expect(start({ ...database.env, SECRET_KEY: oldKey })).rejects.toThrow(
      'This database was made with another SECRET_KEY',
    );
    panel = await start(
      kind === 'postgres' ? { ...database.env, SECRET_KEY: newKey } : database.env,
    );
    const opensNew = opener(newKey);
    const after = await sealedTexts(panel.services.db);
    expect(after).toHaveLength(before.length);
    expect(after.filter((text) => !opensNew(text) || opensOld(text))).toEqual([]);
  });

  test('signs everybody out, and all goes on with the new key', async () => {
    const returned = movedTo(panel.url, admin);
    expect((await returned.get('/api/me')).status).toBe(401);
    admin = new TestClient(panel.url);
    expect((await admin.signIn(ADMIN.email, ADMIN.password)).status).toBe(200);
    await expectUsable();
  });

  test('keeps the key before for older backups, or says that it is done already', async () => {
    if (kind === 'embedded') {
      const kept = (await readdir(folder())).filter((name) => name.includes('.until-'));
      const keys = await Promise.all(kept.map((name) => readFile(join(folder(), name), 'utf8')));
      expect(keys).toContain(`${oldKey}\n`);
      return;
    }
    await panel.close();
    const again = await rotate({ NEW_SECRET_KEY });
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('has the key of NEW_SECRET_KEY already');
    const lost = await rotate({ NEW_SECRET_KEY: 'yet another key, and long enough for that' });
    expect(lost).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('made with another SECRET_KEY'),
    });
    panel = await start({ ...database.env, SECRET_KEY: NEW_SECRET_KEY });
  });
});
