import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Panel, startPanel } from '../../commands/panel.ts';
import { removeEverything } from '../../db/backup/restore-backup.ts';
import { migrate } from '../../db/migrate.ts';
import { type Db, transact } from '../../db/transaction.ts';
import { emailChangeToken } from '../../domain/accounts/one-time-tokens.ts';
import { newTotpSecret } from '../../domain/accounts/totp.ts';
import { newId } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/keys/passwords.ts';
import { createSecrets } from '../../platform/keys/secrets.ts';
import { codeOf, secondStep } from '../../testing/accounts/two-factor.ts';
import { TestClient } from '../../testing/client.ts';
import { copyEmptyTemplate } from '../../testing/database/embedded-template.ts';
import { openDatabase } from '../../testing/database/open-database.ts';
import { databases, makeDatabase, type TestDatabase } from '../../testing/panel.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SECRET_KEY = 'a secret key of the tests, long enough';
const LAST_OF_1_1 = '0059_articles_folded';
const PASSWORD = 'correct horse battery';
const secrets = createSecrets(SECRET_KEY);
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');
const newToken = () => randomBytes(32).toString('base64url');

/** Stores an account as version 1.1.0 did. */
async function storeAccount(db: Db, name: string) {
  const id = newId();
  const email = `${name}@panel.example`;
  const hash = await hashPassword(PASSWORD);
  await sql`insert into auth_users (id, email, email_verified, username, group_id)
    values (${id}, ${email}, true, ${name}, '1')`.execute(db);
  await sql`insert into auth_credentials (id, user_id, account_id, provider_id, password)
    values (${newId()}, ${id}, ${id}, 'credential', ${hash})`.execute(db);
  return { id, email };
}

const storeResetLink = (db: Db, account_id: string, token: string) =>
  sql`insert into password_reset_links as link (account_id, token_hash, made_by, expires_at, created_at)
    values (${account_id}, ${hashOf(token)}, null, now() + interval '1 hour', now())
    on conflict (account_id) do update set token_hash = excluded.token_hash`.execute(db);

async function storeEmailChange(db: Db, account_id: string, new_email: string): Promise<string> {
  const id = newId();
  await sql`insert into email_changes (account_id, id, new_email, session_id, expires_at, created_at)
    values (${account_id}, ${id}, ${new_email}, null, now() + interval '1 hour', now())
    on conflict (account_id) do update set id = excluded.id, new_email = excluded.new_email`.execute(
    db,
  );
  return emailChangeToken(secrets, id);
}

async function storeChallenge(db: Db, account_id: string): Promise<string> {
  const challenge = newToken();
  await sql`insert into two_factor_challenges (account_id, token_hash, expires_at)
    values (${account_id}, ${hashOf(challenge)}, now() + interval '5 minutes')`.execute(db);
  return challenge;
}

/** Stores the rows that a panel of version 1.1.0 leaves, with an open link of each kind. */
async function storeOpenLinks(db: Db) {
  const forgetful = await storeAccount(db, 'forgetful');
  const reset = newToken();
  await storeResetLink(db, forgetful.id, reset);

  const moving = await storeAccount(db, 'moving');
  const change = await storeEmailChange(db, moving.id, 'moved@panel.example');

  const careful = await storeAccount(db, 'careful');
  const totpSecret = newTotpSecret();
  await sql`insert into two_factor (account_id, secret, is_on)
    values (${careful.id}, ${secrets.seal(totpSecret, careful.id)}, true)`.execute(db);
  const challenge = await storeChallenge(db, careful.id);

  const session = newToken();
  await sql`insert into auth_sessions (id, user_id, token, expires_at)
    values (${newId()}, ${careful.id}, ${session}, now() + interval '1 day')`.execute(db);
  return { careful, moving, reset, change, challenge, totpSecret, session };
}

async function makeOldDatabase(kind: TestDatabase) {
  const database = await makeDatabase(kind);
  const { DATA_DIR } = database.env;
  if (DATA_DIR) await copyEmptyTemplate(inject('embeddedTemplateFolder'), DATA_DIR);
  const { db, close } = await openDatabase(database.env);
  await transact(db, removeEverything);
  await migrate(db, LAST_OF_1_1);
  const open = await storeOpenLinks(db);
  await close();
  return { ...database, open };
}

describe.each(databases)('what 1.1.0 left open, on %s', (kind) => {
  let old: Awaited<ReturnType<typeof makeOldDatabase>>;
  let panel: Panel;
  let db: Db;
  beforeAll(async () => {
    old = await makeOldDatabase(kind);
    const env = { ...old.env, SECRET_KEY, HOST: '127.0.0.1', PORT: '0' };
    panel = await startPanel(env, pino({ level: 'silent' }));
    db = panel.services.db;
  });
  afterAll(() => panel?.close());

  const send = (path: string, body: object) => new TestClient(panel.url).post(path, body);
  const reset = (token: string) =>
    send('/api/auth/reset-password', { token, new_password: 'a brand new password' });
  const confirm = (token: string) => send('/api/auth/confirm-email', { token });

  test('works after the upgrade: session, password link, new address, second step', async () => {
    const { open } = old;
    const cookie = panel.services.auth.sessionCookie(open.session).split(';')[0] ?? '';
    const client = new TestClient(panel.url);
    expect((await client.send('GET', '/api/me', undefined, { cookie })).body).toMatchObject({
      email: open.careful.email,
    });

    expect((await reset(open.reset)).status).toBe(200);
    expect((await reset(open.reset)).body.code).toBe('INVALID_RESET_LINK');

    expect((await confirm(open.change)).body).toMatchObject({ success: true, email_changed: true });
    expect((await client.signIn('moved@panel.example', PASSWORD)).status).toBe(200);
    expect((await confirm(open.change)).body.code).toBe('INVALID_CONFIRMATION');

    const { challenge } = open;
    const code = await codeOf(db, open.totpSecret);
    expect((await secondStep(client, { challenge, code })).status).toBe(200);
    expect((await secondStep(client, { challenge, code })).body.code).toBe('CHALLENGE_ENDED');
  });
});
