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
      log_level: 'info',
      server_network_allow: [],
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
    expect(read).toThrow(/^The configuration is wrong\. [^\n]+$/);
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
