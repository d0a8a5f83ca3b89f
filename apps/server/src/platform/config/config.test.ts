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
