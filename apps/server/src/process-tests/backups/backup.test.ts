// @module-tag thorough
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startPanel } from '../../commands/panel.ts';
import { connectPostgres } from '../../db/connect.ts';
import type { Db } from '../../db/transaction.ts';
import { readSecretKey } from '../../platform/keys/key-file.ts';
import { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import {
  ADMIN,
  databases,
  makeDatabase,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { runProgram } from '../../testing/process/command.ts';
import { sendRaw } from '../../testing/wire/raw.ts';

/** Sells lines until the returned function is called, which returns their number. */
function keepSelling({ client }: TestAccount) {
  let [sold, isStopped] = [0, false];
  const selling = (async () => {
    while (!isStopped) {
      const { status } = await client.post('/api/lines', newLine(`sold${sold}`));
      expect(status).toBe(201);
      sold += 1;
    }
  })();
  return {
    sold: () => sold,
    stop: async () => {
      isStopped = true;
      await selling;
    },
  };
}

/** Expects that the backup is consistent: every sale has its line, transfer and wanted state. */
async function expectOneMoment(db: Db): Promise<number> {
  await expectBalancedBooks(db);
  const { rows } = await sql<{ lines: number; sales: number; wanted: number; keys: number }>`select
    (select count(*) from users) as lines,
    (select count(*) from credit_transfers where kind = 'sale') as sales,
    (select count(*) from server_accounts) as wanted,
    (select count(*) from idempotency_keys where endpoint = 'createLine') as keys`.execute(db);
  const lines = rows[0]?.lines ?? -1;
  expect(rows).toEqual([{ lines, sales: lines, wanted: lines, keys: lines }]);
  return lines;
}

describe.each(databases)('a panel in use on %s', (kind) => {
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let panel: TestPanel;
  let folder: string;
  let env: Record<string, string>;
  let secretKey: string;
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel(kind);
    await panel.addServer(agent.url);
    folder = await mkdtemp(join(tmpdir(), 'linekeeper-backups-'));
    env = { ...panel.env, PORT: new URL(panel.url).port };
    secretKey = env.SECRET_KEY ?? readSecretKey(env.DATA_DIR ?? '') ?? '';
  });
  afterAll(async () => {
    await panel?.stop();
    await agent?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('is backed up as it is at one moment, and opens elsewhere', async () => {
    const seller = await panel.reseller({ credits: 5000 });
    const selling = keepSelling(seller);
    onTestFinished(selling.stop);
    await eventually(() => expect(selling.sold()).toBeGreaterThan(3));
    const soldBefore = selling.sold();
    const backup = await runProgram('backup.ts', [folder], env);
    await selling.stop();
    expect(backup).toMatchObject({ code: 0, stderr: '' });
    expect(backup.stdout).toContain('The backup does not contain the key');
    const [name = '', ...others] = await readdir(folder);
    expect(name).toMatch(/^linekeeper-\d{4}-\d\d-\d\d-\d{6}\.lkb\.gz$/);
    expect(others).toEqual([]);
    const file = join(folder, name);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const target = await makeDatabase('postgres');
    const targetEnv = { ...target.env, SECRET_KEY: secretKey };
    if (kind === 'postgres') {
      const wrongKey = { ...targetEnv, SECRET_KEY: 'k'.repeat(40) };
      expect(await runProgram('restore.ts', [file], wrongKey)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/made with a different key from the given SECRET_KEY/),
      });
    }
    const pushAll = kind === 'embedded' ? ['--push-all'] : [];
    expect(await runProgram('restore.ts', [file, ...pushAll], targetEnv)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('its checksum matches the backup'),
    });
    const connection = await connectPostgres(target.env.DATABASE_URL ?? '');
    const lines = await expectOneMoment(connection.db);
    const { rows: due } = await sql`
      select from server_accounts where revision > synced_revision`.execute(connection.db);
    // Without --push-all, at most the pushes in progress at the time of the backup are due.
    if (kind === 'embedded') expect(due).toHaveLength(lines);
    else expect(due.length).toBeLessThanOrEqual(1);
    await connection.close();
    expect(lines).toBeGreaterThanOrEqual(soldBefore);
    expect(lines).toBeLessThan(selling.sold());

    const copy = await startPanel(
      { ...targetEnv, HOST: '127.0.0.1', PORT: '0' },
      pino({ level: 'silent' }),
    );
    const admin = new TestClient(copy.url);
    await admin.signIn(ADMIN.email, ADMIN.password);
    const { body } = await admin.get('/api/lines?limit=1&sort=username');
    const revealed = await admin.post(`/api/lines/${body.items[0].id}/reveal`);
    expect(revealed.body).toEqual({ password: `pw-${body.items[0].username}`, page: null });
    await copy.close();
    await target.remove();
  });

  test('is not restored over', async () => {
    const [name = ''] = await readdir(folder);
    const refused = await runProgram('restore.ts', [join(folder, name), '--replace'], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^A panel .*Stop .*first\n$/);
    expect((await panel.admin.get('/api/lines?limit=1')).body.items).toHaveLength(1);
  });

  test('gives its database to administrators alone, and only where nothing else can read it', async () => {
    const { client } = await panel.reseller();
    const path = '/api/backup';
    const ask = async (cookie: string, headers: Record<string, string> = {}) =>
      (await sendRaw(panel.url, { method: 'POST', path, headers: { cookie, ...headers } })).status;
    const { cookie } = panel.admin;
    if (kind === 'postgres') return expect(await ask(cookie)).toBe(404);
    const timesLogged = async () => {
      const { db } = panel.services;
      const logged = sql`select from audit_log where action = 'panel.backed_up'`;
      return (await logged.execute(db)).rows.length;
    };
    const before = await timesLogged();
    expect(await ask('')).toBe(401);
    expect(await ask(client.cookie)).toBe(403);
    expect(await ask(cookie, { origin: 'https://elsewhere.example' })).toBe(403);
    expect((await panel.admin.get(path)).status).toBe(404);
    expect(await ask(cookie)).toBe(200);
    const left = await readdir(env.DATA_DIR ?? '');
    expect(left.filter((name) => name.startsWith('backup-'))).toEqual([]);
    expect(await timesLogged()).toBe(before + 1);
  });
});

test('where no panel ever ran nothing is made, and no file that is there is written over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-nothing-'));
  const file = join(folder, 'none.lkb.gz');
  const outcome = await runProgram('backup.ts', [file], { DATA_DIR: folder });
  expect(outcome).toMatchObject({ code: 1, stderr: `There is no database in ${folder}\n` });
  expect(await readdir(folder)).toEqual([]);
  await writeFile(file, 'an older backup');
  const again = await runProgram('backup.ts', [file], { DATA_DIR: folder });
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
  expect(await readFile(file, 'utf8')).toBe('an older backup');
  await rm(folder, { recursive: true });
});
