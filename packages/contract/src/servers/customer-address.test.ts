import { expect, test } from 'vitest';
import { addressWarning, customerAddress } from './customer-address.ts';

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['localhost', 'loopback'],
  ['panel.localhost', 'loopback'],
  ['::1', 'loopback'],
  ['[::1]', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['::', 'unspecified'],
  ['10.0.0.5', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.20', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12:3456::1', 'private'],
  ['FC00::1', 'private'],
  ['169.254.10.1', 'link_local'],
  ['fe80::1', 'link_local'],
  ['oscam.local', 'local_name'],
  ['OSCAM.LAN', 'local_name'],
  ['oscam.home.arpa', 'local_name'],
  ['oscam', 'single_label'],
  ['fra1.lines.example', null],
  ['fra1.lines.example.', null],
  ['local.example', null],
  ['203.0.113.24', null],
  ['172.15.0.1', null],
  ['172.32.0.1', null],
  ['100.128.0.1', null],
  ['192.169.0.1', null],
  ['2001:db8::1', null],
  ['', null],
])('%s: %s', (host, warning) => {
  expect(addressWarning(host)).toBe(warning);
});

test('customers enter the address for them, and else the panel’s own', () => {
  const own = { host_ip: '10.0.0.5', port: 12000 };
  expect(customerAddress({ ...own, public_host: null, public_port: null })).toEqual({
    host: '10.0.0.5',
    port: 12000,
  });
  const given = { public_host: 'fra1.lines.example', public_port: 443 };
  expect(customerAddress({ ...own, ...given })).toEqual({ host: 'fra1.lines.example', port: 443 });
});
