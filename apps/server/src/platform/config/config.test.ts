import { describe, expect, test } from 'vitest';
import { isLoopbackHost, readConfig } from './config.ts';

describe('the environment', () => {
  test('may be empty', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      time_zone: 'UTC',
      data_dir: './data',
      database_url: null,
      public_url: null,
      admin_email: null,
      admin_password: null,
      secret_key: null,
      smtp_url: null,
      trust_proxy: false,
      country_header: 'cf-ipcountry',
      log_level: 'info',
      server_network_allow: [],
      stripe: null,
      backup_dir: null,
      backups: null,
      audit_keep_days: null,
      job_keep_days: 90,
      update_feed: null,
    });
  });

  test('is read into what it means', () => {
    const config = readConfig({
      PORT: '0',
      PUBLIC_URL: 'https://panel.example/',
      ADMIN_EMAIL: 'Admin@Panel.Example',
      SERVER_NETWORK_ALLOW: ' 10.0.0.0/8,192.168.1.0/24  fd00::/8 ',
      LOG_LEVEL: '',
    });
    expect(config).toMatchObject({
      port: 0,
      admin_email: 'admin@panel.example',
      server_network_allow: ['10.0.0.0/8', '192.168.1.0/24', 'fd00::/8'],
      log_level: 'info',
    });
    expect(config.public_url?.origin).toBe('https://panel.example');
  });

  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['', false],
    ['10.0.0.1, 10.0.0.2', ['10.0.0.1', '10.0.0.2']],
  ])('TRUST_PROXY=%j trusts %j', (given, trusted) => {
    expect(readConfig({ TRUST_PROXY: given }).trust_proxy).toEqual(trusted);
  });

  test.each(['https://example.org/releases', 'https://example.org/releases/'])(
    'UPDATE_FEED=%s is a folder',
    (given) => {
      expect(readConfig({ UPDATE_FEED: given }).update_feed?.href).toBe(
        'https://example.org/releases/',
      );
    },
  );

  test.each([
    'https://example.org/releases?token=1',
    'https://me:secret@example.org/releases',
    'ftp://example.org/releases',
    '/srv/releases',
  ])('UPDATE_FEED=%s is refused', (given) => {
    expect(() => readConfig({ UPDATE_FEED: given })).toThrow('UPDATE_FEED: ');
  });

  test('that is wrong is refused in one sentence, which repeats no secret', () => {
    const read = () =>
      readConfig({
        PORT: 'eighty',
        ADMIN_PASSWORD: 'canary',
        SECRET_KEY: 'canary',
        LOG_LEVEL: 'loud',
      });
    expect(read).toThrow(/^The configuration is invalid\. [^\n]+$/);
    for (const variable of ['PORT', 'ADMIN_PASSWORD', 'SECRET_KEY', 'LOG_LEVEL']) {
      expect(read).toThrow(`${variable}: `);
    }
    expect(read).not.toThrow(/canary/);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.5.5.5', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.example', false],
  ['10.0.0.1', false],
])('whether only this machine reaches %s: %s', (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback);
});

describe('card payments', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };

  test('need both secrets, and may go elsewhere', () => {
    expect(readConfig(keys).stripe).toEqual({
      secret_key: 'sk_test_1',
      webhook_secret: 'whsec_1',
      api_base: null,
    });
    const elsewhere = { ...keys, STRIPE_API_BASE: 'http://127.0.0.1:4242' };
    expect(readConfig(elsewhere).stripe?.api_base?.port).toBe('4242');
    expect(() => readConfig({ ...keys, STRIPE_SECRET_KEY: '' })).toThrow(
      'STRIPE_SECRET_KEY is required',
    );
    const noWebhook = { ...keys, STRIPE_WEBHOOK_SECRET: '' };
    expect(() => readConfig(noWebhook)).toThrow('STRIPE_WEBHOOK_SECRET is required');
  });

  test.each([
    [{ STRIPE_SECRET_KEY: 'pk_live_1' }, 'STRIPE_SECRET_KEY: must begin with sk_ or rk_'],
    [{ STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET: must begin with whsec_'],
    [{ STRIPE_API_BASE: 'https://stripe.example/v1' }, 'STRIPE_API_BASE: must be an address'],
    [{ STRIPE_API_BASE: 'ftp://stripe.example' }, 'STRIPE_API_BASE'],
  ])('refuse %j', (wrong, words) => {
    expect(() => readConfig({ ...keys, ...wrong })).toThrow(words);
  });
});

describe('copies of backups', () => {
  const made = { BACKUP_SCHEDULE: 'hourly', BACKUP_DIR: '/b' };
  const s3 = {
    BACKUP_STORE: 'https://KEY@s3.example:9000/bucket/panel',
    BACKUP_STORE_SECRET: 'canary',
  };
  const sftp = {
    BACKUP_STORE: 'sftp://user@host.example/backups',
    BACKUP_STORE_KEY_FILE: '/key',
    BACKUP_STORE_FINGERPRINT: `SHA256:${'a'.repeat(43)}`,
  };

  test('go to S3, to SFTP, to a command or nowhere', () => {
    const copiesOf = (given: Record<string, string>) =>
      readConfig({ ...made, ...given }).backups?.copies;
    expect(copiesOf(s3)).toEqual({
      kind: 's3',
      url: 'https://s3.example:9000/bucket/panel',
      user: 'KEY',
      secret: 'canary',
      region: 'us-east-1',
    });
    expect(copiesOf(sftp)).toMatchObject({
      kind: 'sftp',
      host: 'host.example',
      port: 22,
      folder: 'backups',
    });
    const root = { ...sftp, BACKUP_STORE: 'sftp://user@[::1]:23' };
    expect(copiesOf(root)).toMatchObject({ host: '::1', port: 23, folder: '.' });
    expect(copiesOf({ BACKUP_COMMAND: '/copy  well' })).toEqual({
      kind: 'command',
      command: ['/copy', 'well'],
    });
    expect(copiesOf({})).toBe(null);
  });

  test.each([
    [{ BACKUP_STORE: 'https://KEY:canary@s3.example/bucket' }, 'BACKUP_STORE: must be'],
    [{ BACKUP_STORE: 'https://KEY@s3.example' }, 'BACKUP_STORE: must be'],
    [{ BACKUP_STORE: 'ftp://user@host.example/b' }, 'BACKUP_STORE: must be'],
    [{ ...s3, BACKUP_STORE_SECRET: '' }, 'BACKUP_STORE_SECRET is required'],
    [{ ...s3, BACKUP_COMMAND: '/copy' }, 'not both'],
    [{ ...s3, BACKUP_SCHEDULE: '' }, 'BACKUP_SCHEDULE is required'],
    [
      { ...sftp, BACKUP_STORE_KEY_FILE: '' },
      'BACKUP_STORE_KEY_FILE or BACKUP_STORE_SECRET is required',
    ],
    [{ ...sftp, BACKUP_STORE_FINGERPRINT: '' }, 'BACKUP_STORE_FINGERPRINT is required'],
    [{ ...sftp, BACKUP_STORE_FINGERPRINT: 'aa:bb' }, 'BACKUP_STORE_FINGERPRINT: must be'],
    [{ BACKUP_RECIPIENT: 'AGE-SECRET-KEY-1CANARY' }, 'BACKUP_RECIPIENT: must be an age public key'],
  ])('refuse %j', (wrong, words) => {
    const read = () => readConfig({ ...made, ...wrong });
    expect(read).toThrow(words);
    expect(read).not.toThrow(/canary/i);
  });
});
