// @module-tag thorough
import { once } from 'node:events';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Panel, startPanel } from '../commands/panel.ts';
import { turnOn } from '../testing/accounts/two-factor.ts';
import { TestClient } from '../testing/client.ts';
import { ADMIN, databases, makeDatabase } from '../testing/panel.ts';
import { runProgram } from '../testing/process/command.ts';
import { FIRST_START, makeMigratedDatabase } from '../testing/process/process.ts';

describe.each(databases)('reset-password on %s', (kind) => {
  let panel: Panel;
  let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
  let env: Record<string, string>;
  const start = () => startPanel({ ...env, ...FIRST_START, PORT: '0' }, pino({ level: 'silent' }));
  const reset = (args: string[], input: string | null = null) =>
    runProgram('reset-password.ts', args, env, () => {}, process.cwd(), input);
  const printed = ({ stdout }: { stdout: string }) => /^Password: (\S+)$/m.exec(stdout)?.[1] ?? '';
  const signIn = (password: string, email = ADMIN.email) =>
    new TestClient(panel.url).signIn(email, password);

  beforeAll(async () => {
    database = await makeMigratedDatabase(kind);
    env = { ...database.env, HOST: '127.0.0.1' };
    panel = await start();
  });
  afterAll(async () => {
    await panel?.close();
    await database?.remove();
  });

  test('gets an administrator back in who lost password, phone and codes, beside a running panel', async () => {
    const { db } = panel.services;
    const client = new TestClient(panel.url);
    const { body } = await client.signIn(ADMIN.email, ADMIN.password);
    const { id } = body.user;
    await turnOn(db, { id, ...ADMIN, client });
    const made = await client.post('/api/auth/api-keys', { name: 'a script' });
    await client.post(`/api/accounts/${id}/reset-link`);
    for (let tries = 0; tries < 6; tries++) await signIn('a wrong password');
    expect((await signIn(ADMIN.password)).status).toBe(429);

    const kept = await reset([ADMIN.email.toUpperCase()]);
    expect(kept).toMatchObject({ code: 0, stderr: '' });
    expect(kept.stdout).toContain('--two-factor-off');
    expect((await signIn(ADMIN.password)).status).toBe(401);
    expect((await signIn(printed(kept))).body).toMatchObject({ two_factor_required: true });

    const found = await reset([ADMIN.email, '--two-factor-off']);
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.stdout).toContain('Two-factor sign-in: turned off');
    expect((await signIn(printed(found))).body).toMatchObject({ user: { email: ADMIN.email } });
    expect((await client.get('/api/me')).status).toBe(401);
    const script = new TestClient(panel.url);
    script.apiKey = made.body.key;
    expect((await script.get('/api/me')).status).toBe(401);
    for (const table of ['two_factor', 'recovery_codes', 'one_time_tokens'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
    const entries = await db
      .selectFrom('audit_log')
      .select(['actor_id', 'subject_id', 'address', 'data'])
      .where('action', '=', 'account.reset_on_machine')
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      { actor_id: null, subject_id: id, address: null, data: {} },
      { actor_id: null, subject_id: id, address: null, data: { two_factor: false } },
    ]);
  });

  test('takes a password that was asked for, and prints none', async () => {
    const found = await reset([ADMIN.email, '--ask'], 'chosen by the operator\n');
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.stdout).not.toContain('Password:');
    expect((await signIn('chosen by the operator')).status).toBe(200);
    for (const [input, problem] of [
      ['short\n', 'Password must be at least 8 characters'],
      ['password\n', 'This password is too common. Choose another one.'],
      ['', 'No password was entered. Nothing was changed'],
    ] as const) {
      const refused = await reset([ADMIN.email, '--ask'], input);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain(problem);
    }
    expect((await signIn('chosen by the operator')).status).toBe(200);
  });

  test('says why it does nothing: unknown, banned, misspelt', async () => {
    expect(await reset(['nobody@panel.example'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `No account has the email nobody@panel.example. Administrators: ${ADMIN.email}\n`,
    });
    const admin = new TestClient(panel.url);
    await admin.signIn(ADMIN.email, 'chosen by the operator');
    const other = { email: 'other@panel.example', password: 'a long password' };
    const { body } = await admin.post('/api/accounts', { ...other, group_id: '1' });
    expect((await admin.post(`/api/accounts/${body.account.id}/ban`)).status).toBe(200);
    const banned = await reset([other.email]);
    expect(banned).toMatchObject({ code: 1, stdout: '' });
    expect(banned.stderr).toContain(`${other.email} is banned. Nothing was changed`);
    for (const args of [[], [ADMIN.email, other.email], ['admin'], [ADMIN.email, '--two-factor']]) {
      expect(await reset(args)).toMatchObject({ code: 1, stdout: '' });
    }
    expect((await signIn('chosen by the operator')).status).toBe(200);
  });

  test('does so where no panel runs', async () => {
    await panel.close();
    const found = await reset([ADMIN.email]);
    expect(found).toMatchObject({ code: 0, stderr: '' });
    panel = await start();
    expect((await signIn(printed(found))).status).toBe(200);
  });
});

describe('the socket of a panel', () => {
  let panel: Panel;
  let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
  let path: string;
  beforeAll(async () => {
    database = await makeMigratedDatabase('embedded');
    path = join(database.env.DATA_DIR ?? '', 'operator.sock');
    // A panel that was killed leaves this file.
    writeFileSync(path, '');
    panel = await startPanel(
      { ...database.env, ...FIRST_START, HOST: '127.0.0.1', PORT: '0' },
      pino({ level: 'silent' }),
    );
  });
  afterAll(async () => {
    await database?.remove();
  });

  async function ask(body: string, method = 'POST') {
    const call = request({ socketPath: path, method });
    call.setHeader('content-length', Buffer.byteLength(body));
    call.end(body);
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    return { status: reply.statusCode, body: await text(reply) };
  }

  test('is for the panel’s user alone', () => {
    const { mode, uid } = statSync(path);
    expect([(mode & 0o777).toString(8), uid]).toEqual(['600', process.getuid?.()]);
  });

  test('takes whole resets and nothing else', async () => {
    const sound = { email: ADMIN.email, password: 'a long password', ends_two_factor: false };
    const asked: [string, string?][] = [
      [''],
      ['{'],
      ['null'],
      [JSON.stringify({ ...sound, group_id: '1' })],
      [JSON.stringify({ ...sound, password: 'short' })],
      [JSON.stringify({ ...sound, email: { toString: 1 } })],
      [JSON.stringify({ ...sound, password: 'x'.repeat(5000) })],
      [JSON.stringify(sound), 'PUT'],
    ];
    for (const [body, method] of asked) expect((await ask(body, method)).status).toBe(400);
    const old = await new TestClient(panel.url).signIn(ADMIN.email, ADMIN.password);
    expect(old.status).toBe(200);
    expect((await ask(JSON.stringify(sound))).status).toBe(200);
  });

  test('goes with the panel, and where there is none the command says what to do', async () => {
    rmSync(path);
    const refused = await runProgram('reset-password.ts', [ADMIN.email], database.env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe(
      `A panel is running on ${database.env.DATA_DIR}, and has no ${path}. If it is still starting, run this ` +
        'command again in a minute. Otherwise, stop the panel, run this command again, then start the panel\n',
    );
    writeFileSync(path, '');
    const useless = await runProgram('reset-password.ts', [ADMIN.email], database.env);
    expect(useless.stderr).toMatch(
      /A panel is running on .*Stop the panel, run this command again/s,
    );
    rmSync(path);
    await panel.close();
    expect(statSync(path, { throwIfNoEntry: false })).toBe(undefined);
  });
});

test('reset-password says where there is no database', async () => {
  const { env, remove } = await makeDatabase('embedded');
  const { code, stderr } = await runProgram('reset-password.ts', [ADMIN.email], env);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `There is no database in ${env.DATA_DIR}\n`,
  });
  await remove();
});
