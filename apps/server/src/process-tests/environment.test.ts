// @module-tag thorough
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connectPostgres } from '../db/connect.ts';
import { readConfig } from '../platform/config/config.ts';
import { makeDatabase } from '../testing/panel.ts';
import { endPanels, tryToSpawnPanel } from '../testing/process/process.ts';

afterAll(endPanels);

const secrets = {
  SECRET_KEY: 'canary-secret-key-of-more-than-32-characters',
  ADMIN_PASSWORD: 'canary-admin-password',
};
const nowhere = 'postgres://panel:canary-database-password@127.0.0.1:1/panel';
const shortSecrets = { ADMIN_PASSWORD: 'canary', SECRET_KEY: 'canary' };

/** The start must fail with code 1 and one sentence on stderr, without secrets or a stack trace. */
async function refusalOf(env: Record<string, string>): Promise<{ sentence: string; log: string }> {
  const panel = await tryToSpawnPanel(env);
  expect(await panel.ended).toMatchObject({ code: 1, signal: null });
  expect(panel.url).toBe('');
  const sentence = panel.stderr();
  expect(sentence).toMatch(/^[^\n]{20,2000}\n$/);
  expect(sentence).not.toMatch(/\bat .+:\d+:\d+|node:internal|Error:/);
  expect(panel.stdout() + sentence).not.toContain('canary');
  return { sentence, log: panel.stdout() };
}

const wrong: [variable: string, value: string, complaint: RegExp][] = [
  ['PORT', 'http', /PORT: .*number/],
  ['PORT', '70000', /PORT: .*65535/],
  ['TIME_ZONE', 'Mars/Olympus', /TIME_ZONE: is not a time zone/],
  ['PUBLIC_URL', 'panel.example', /PUBLIC_URL: /],
  ['PUBLIC_URL', 'https://panel.example/panel', /PUBLIC_URL: must be an address without a path/],
  ['ADMIN_EMAIL', 'admin', /ADMIN_EMAIL: /],
  ['LOG_LEVEL', 'loud', /LOG_LEVEL: /],
  ['SERVER_NETWORK_ALLOW', '10.0.0.0/99', /SERVER_NETWORK_ALLOW: "10\.0\.0\.0\/99" is not/],
  ['SERVER_NETWORK_ALLOW', '192.168.1.10/8', /SERVER_NETWORK_ALLOW: .*192\.0\.0\.0\/8/],
  ['SMTP_URL', 'mail.example', /SMTP_URL: must begin with smtp:/],
  ['SMTP_URL', 'smtp://mail.example:70000', /SMTP_URL: cannot be read\. The form is smtp:/],
  ['SMTP_URL', 'smtp://panel:a#b@mail.example', /SMTP_URL: cannot be read\. The form is smtp:/],
  ['TRUST_PROXY', 'nginx', /TRUST_PROXY: must be true, false, or/],
  ['TRUST_PROXY', '10.0.0.0/33', /TRUST_PROXY: must be true, false, or/],
  ['DATABASE_URL', 'localhost:5432', /DATABASE_URL: must begin with postgres:/],
  ['BACKUP_SCHEDULE', 'daily 3:30', /BACKUP_SCHEDULE: must be off, hourly, .*, not "daily 3:30"/],
  ['BACKUP_KEEP', '0', /BACKUP_KEEP: must be a whole number from 1 to 10000, not "0"/],
  ['AUDIT_KEEP_DAYS', '7', /AUDIT_KEEP_DAYS: must be a whole number from 30 to 36500, not "7"/],
  ['JOB_KEEP_DAYS', '-1', /JOB_KEEP_DAYS: must be a whole number from 1 to 36500, not "-1"/],
  ['DATABASE_URL', `postgres://u:canary#b@h/n`, /DATABASE_URL: cannot be read .*%23/],
  ['DATABASE_URL', 'postgres://one:5432,two:port/n', /DATABASE_URL: cannot be read/],
];

describe('a wrong environment', () => {
  test.each(wrong)('is refused by its name: %s %s', (variable, value, complaint) => {
    expect(() => readConfig({ [variable]: value })).toThrow(complaint);
  });

  test.concurrent('ends the start with one sentence that names everything wrong', async () => {
    const env = Object.fromEntries(wrong.map(([variable, value]) => [variable, value]));
    const { sentence } = await refusalOf({ ...env, ...shortSecrets });
    for (const variable of new Set(wrong.map(([name]) => name))) {
      expect(sentence).toContain(`${variable}: `);
    }
    for (const variable of Object.keys(shortSecrets)) {
      expect(sentence).toContain(`${variable}: must be at least`);
    }
  });

  test.concurrent('is refused before the data folder is made', async () => {
    const DATA_DIR = join(tmpdir(), `linekeeper-never-${randomUUID()}`);
    await refusalOf({ DATA_DIR, TIME_ZONE: 'Mars/Olympus' });
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test.concurrent('lacks a SECRET_KEY for a database that others can read', async () => {
    const { sentence } = await refusalOf({ DATABASE_URL: nowhere });
    expect(sentence).toContain('SECRET_KEY is required with DATABASE_URL');
  });

  test.concurrent('names what keeps the database from being made, and the log says so too', {
    tags: ['spec:8.48'],
  }, async () => {
    const { env, remove } = await makeDatabase('postgres');
    const connection = await connectPostgres(env.DATABASE_URL ?? '');
    await connection.query('drop table schema_migrations');
    const { sentence, log } = await refusalOf({ ...secrets, ...env });
    expect(sentence).toMatch(/already exists/);
    expect(log).toContain('Error initializing database:');
    await connection.close();
    await remove();
  });

  test.concurrent('names a port that is taken', async () => {
    const database = await makeDatabase('postgres');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { sentence } = await refusalOf({ ...secrets, ...database.env, PORT: String(port) });
    expect(sentence).toBe(`PORT=${port}: the port is already in use on 127.0.0.1\n`);
    other.close();
    await database.remove();
  });

  test('may leave variables empty, as compose files do', () => {
    const empty = Object.fromEntries(wrong.map(([variable]) => [variable, '']));
    expect(readConfig(empty)).toMatchObject({ port: 8080, time_zone: 'UTC', database_url: null });
  });
});
