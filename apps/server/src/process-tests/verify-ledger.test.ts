// @module-tag thorough
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Panel, startPanel } from '../commands/panel.ts';
import { readSecretKey } from '../platform/keys/key-file.ts';
import { TestClient } from '../testing/client.ts';
import { withoutTriggers } from '../testing/database/tamper.ts';
import { ADMIN, databases, makeDatabase } from '../testing/panel.ts';
import { runProgram } from '../testing/process/command.ts';
import { FIRST_START, makeMigratedDatabase } from '../testing/process/process.ts';

describe.each(databases)('ledger:verify on %s', (kind) => {
  let panel: Panel;
  let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
  let env: Record<string, string>;
  let seller: string;
  const verify = (more: Record<string, string> = {}) =>
    runProgram('verify-ledger.ts', [], { ...env, ...more });
  beforeAll(async () => {
    database = await makeMigratedDatabase(kind);
    const own = { ...database.env, ...FIRST_START, HOST: '127.0.0.1' };
    panel = await startPanel({ ...own, PORT: '0' }, pino({ level: 'silent' }));
    env = { ...own, PORT: new URL(panel.url).port };
    const admin = new TestClient(panel.url);
    await admin.signIn(ADMIN.email, ADMIN.password);
    const account = { email: 'seller@panel.example', password: 'a long password', credits: 9 };
    seller = (await admin.post('/api/accounts', account)).body.account.id;
  });
  afterAll(async () => {
    await database?.remove();
  });

  const sound = /^2 accounts, 1 transfers: every balance is correct, and every seal is intact\n$/;

  test('says beside a running panel that all is right', async () => {
    expect(await verify()).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(sound),
    });
  });

  test('names each difference of both chains, and fails', async () => {
    const { db } = panel.services;
    const transfer = await db.selectFrom('credit_transfers').select('id').executeTakeFirstOrThrow();
    const entry = await db.selectFrom('audit_log').select('id').executeTakeFirstOrThrow();
    await withoutTriggers(db, async (tx) => {
      await sql`update credit_transfers set note = 'in cash'`.execute(tx);
      await sql`update auth_users set credits = credits + 1 where id = ${seller}`.execute(tx);
      await sql`update audit_log set address = '10.0.0.1' where id = ${entry.id}`.execute(tx);
    });
    const lines = [
      `Transfer ${transfer.id} was changed after it was sealed`,
      `Account ${seller} has 10 credits, but its transfers add up to 9`,
      'All balances, issued credits and sales add up to 1 instead of 0',
      `Audit entry ${entry.id} was changed after it was sealed`,
    ];
    expect(await verify()).toEqual({
      code: 1,
      stdout: `${lines.join('\n')}\n`,
      stderr: '2 accounts, 1 transfers: 4 differences\n',
    });
  });

  test('does so where no panel runs, and with the right key only', async () => {
    const key = env.SECRET_KEY ?? readSecretKey(env.DATA_DIR ?? '') ?? '';
    await panel.close();
    const alone = { ...env, ADMIN_EMAIL: '', ADMIN_PASSWORD: '' };
    const found = await runProgram('verify-ledger.ts', [], alone);
    expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('add up to 9') });
    const other = await runProgram('verify-ledger.ts', [], {
      ...alone,
      SECRET_KEY: `${key}, another`,
    });
    expect(other.code).toBe(1);
    expect(other.stdout).toBe('');
  });
});

test('ledger:verify says where there is nothing to verify', async () => {
  const { env, remove } = await makeDatabase('embedded');
  const { code, stderr } = await runProgram('verify-ledger.ts', [], env);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `There is no database in ${env.DATA_DIR}\n`,
  });
  await remove();
});
