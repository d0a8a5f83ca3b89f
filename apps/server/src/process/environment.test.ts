import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { makeDatabase } from '../testing/panel.ts';
import { endPanels, spawnPanel } from '../testing/process.ts';

vi.setConfig({ testTimeout: 120_000 });
afterAll(endPanels);

const secrets = {
  SECRET_KEY: 'canary-secret-key-of-more-than-32-characters',
  ADMIN_PASSWORD: 'canary-admin-password',
};
const databasePassword = 'canary-database-password';
const nowhere = (host: string) => `postgres://panel:${databasePassword}@${host}:1/panel`;

/** Ends with code 1 and one sentence on stderr, and says neither secrets nor where in the code. */
async function refusalOf(env: Record<string, string>): Promise<{ sentence: string; log: string }> {
  const panel = await spawnPanel(env);
  expect(await panel.ended).toMatchObject({ code: 1, signal: null });
  expect(panel.url).toBe('');
  const sentence = panel.stderr();
  expect(sentence).toMatch(/^[^\n]{20,300}\n$/);
  expect(sentence).not.toMatch(/\bat .+:\d+:\d+|node:internal|Error:/);
  expect(panel.stdout() + sentence).not.toContain('canary');
  return { sentence, log: panel.stdout() };
}

describe('a wrong environment ends the start with one sentence', () => {
  const cases: [name: string, env: Record<string, string>, sentence: RegExp][] = [
    ['a PORT that is no number', { PORT: 'http' }, /PORT: .*number/],
    ['a PORT that does not exist', { PORT: '70000' }, /PORT: .*65535/],
    ['an unknown TIME_ZONE', { TIME_ZONE: 'Mars/Olympus' }, /TIME_ZONE: is not a time zone/],
    ['a database without a SECRET_KEY', { DATABASE_URL: nowhere('127.0.0.1') }, /SECRET_KEY is/],
    ['a short SECRET_KEY', { SECRET_KEY: 'canary' }, /SECRET_KEY: must be at least 32/],
    ['a network that is none', { SERVER_NETWORK_ALLOW: '10.0.0.0/99' }, /10\.0\.0\.0\/99/],
    ['an SMTP_URL that is no address', { SMTP_URL: 'mail.canary' }, /SMTP_URL: /],
    ['a proxy that is no address', { TRUST_PROXY: 'nginx' }, /TRUST_PROXY: /],
    ['a DATABASE_URL that is no address', { DATABASE_URL: 'canary', ...secrets }, /DATABASE_URL: /],
  ];
  test.concurrent.each(cases)('%s', async (_, env, sentence) => {
    const needed = env.DATABASE_URL ? {} : await unusedFolder();
    expect((await refusalOf({ ...needed, ...env })).sentence).toMatch(sentence);
  });

  test.concurrent.each(['127.0.0.1', 'localhost'])(
    'a database that does not answer at %s, which the log has too',
    async (host) => {
      const { sentence, log } = await refusalOf({ ...secrets, DATABASE_URL: nowhere(host) });
      expect(sentence).toMatch(/ECONNREFUSED|refused/);
      expect(log).toContain('Error initializing database:');
    },
  );

  test.concurrent('a port that is taken', async () => {
    const database = await makeDatabase('postgres');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { sentence } = await refusalOf({ ...secrets, ...database.env, PORT: String(port) });
    expect(sentence).toMatch(/already in use/);
    expect(sentence).toContain(String(port));
    other.close();
    await database.remove();
  });
});

/** Nothing is written before the environment was found sound, so nothing has to be removed. */
async function unusedFolder(): Promise<Record<string, string>> {
  const database = await makeDatabase('embedded');
  await database.remove();
  return database.env;
}
