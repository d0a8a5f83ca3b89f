import { describe, expect, test } from 'vitest';
import {
  NEEDS_LISTING,
  NEVER_PERMITTED,
  PUBLIC_ADDRESSES,
} from '../../domain/machines/card-server/testing/hostile-addresses.ts';
import {
  AWKWARD_NAMES,
  MALFORMED_HOSTS,
} from '../../domain/machines/card-server/testing/hostile-hosts.ts';
import { addressPolicy, parseHost } from './address.ts';

const closed = addressPolicy({ allow: [], loopbackAllowed: false });
const onLoopback = addressPolicy({ allow: [], loopbackAllowed: true });
const wideOpen = addressPolicy({ allow: ['0.0.0.0/0', '::/0'], loopbackAllowed: true });

describe('parseHost', () => {
  test('the hostile table is long enough', () => {
    const all = [...MALFORMED_HOSTS, ...NEVER_PERMITTED, ...NEEDS_LISTING, ...AWKWARD_NAMES];
    expect(new Set(MALFORMED_HOSTS).size).toBe(MALFORMED_HOSTS.length);
    expect(MALFORMED_HOSTS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(all).size).toBe(all.length);
  });

  test.each(MALFORMED_HOSTS)('refuses %j', (text) => {
    expect(parseHost(text)).toBeNull();
  });

  test.each(AWKWARD_NAMES)('takes %s as a name', (text) => {
    expect(parseHost(text)).toEqual({ kind: 'name', name: text.toLowerCase() });
  });

  test.each([...NEVER_PERMITTED, ...NEEDS_LISTING, ...PUBLIC_ADDRESSES])(
    'takes %s as an address',
    (text) => {
      expect(parseHost(text)).toMatchObject({ kind: 'ip' });
    },
  );

  test.each([
    ['8.8.8.8', '8.8.8.8'],
    ['[2606:4700:0000::1111]', '2606:4700::1111'],
    ['2606:4700:0:0:0:0:0:1111', '2606:4700::1111'],
    ['FD12::A', 'fd12::a'],
    ['::FFFF:10.0.0.1', '::ffff:a00:1'],
  ])('gives %s in canonical form', (text, address) => {
    expect(parseHost(text)).toEqual({ kind: 'ip', address });
  });

  test.each([
    'a'.repeat(63),
    `${'a'.repeat(63)}.example`,
    `${'a.'.repeat(126)}a`,
    'a--b.example',
    '3com.example',
  ])('takes %s as a name', (name) => {
    expect(parseHost(name)).toEqual({ kind: 'name', name });
  });
});

describe('addressPolicy', () => {
  test.each(PUBLIC_ADDRESSES)('permits the public %s', (address) => {
    expect(closed(address)).toBe(true);
  });

  test.each(NEVER_PERMITTED)('refuses %s whatever is listed', (address) => {
    expect(closed(address)).toBe(false);
    expect(wideOpen(address)).toBe(false);
  });

  test.each(NEEDS_LISTING)('refuses %s until it is listed', (address) => {
    expect(closed(address)).toBe(false);
    expect(wideOpen(address)).toBe(true);
  });

  test.each([...MALFORMED_HOSTS, ...AWKWARD_NAMES])('refuses %j, which is no address', (text) => {
    expect(wideOpen(text)).toBe(false);
  });

  test('loopback without a CIDR means 127.0.0.0/8 and nothing else', () => {
    const permitted = NEEDS_LISTING.filter((address) => onLoopback(address));
    expect(permitted).toEqual(['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.255']);
  });

  test('a CIDR opens its own range only', () => {
    const permits = addressPolicy({
      allow: ['10.1.0.0/16', ' 192.168.1.7 ', 'fd12:3456::/32', '::1', ''],
      loopbackAllowed: false,
    });
    const inside = ['10.1.0.0', '10.1.255.255', '192.168.1.7', 'fd12:3456::9', '::1'];
    const outside = ['10.0.255.255', '10.2.0.0', '192.168.1.8', 'fd12:3457::9', '127.0.0.1'];
    expect(inside.filter(permits)).toEqual(inside);
    expect(outside.filter(permits)).toEqual([]);
  });

  test('an embedded address needs both its form and itself listed', () => {
    const formOnly = addressPolicy({ allow: ['64:ff9b::/96'], loopbackAllowed: false });
    expect(formOnly('64:ff9b::8.8.8.8')).toBe(true);
    expect(formOnly('64:ff9b::10.0.0.1')).toBe(false);
    const innerOnly = addressPolicy({ allow: ['10.0.0.0/8'], loopbackAllowed: false });
    expect(innerOnly('::ffff:10.0.0.1')).toBe(false);
    const both = addressPolicy({ allow: ['::ffff:0:0/96', '10.0.0.0/8'], loopbackAllowed: false });
    expect(both('::ffff:10.0.0.1')).toBe(true);
    expect(both('::ffff:127.0.0.1')).toBe(false);
  });

  test.each([
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/8x',
    '10.0.0.0/255.0.0.0',
    '10/8',
    '010.0.0.0/8',
    'fd00::/129',
    'fd00::1%eth0/64',
    'all',
    'localhost/8',
    '10.0.0.0/8 fd00::/8',
  ])('rejects the setting %j', (entry) => {
    const build = () => addressPolicy({ allow: ['10.0.0.0/8', entry], loopbackAllowed: false });
    expect(build).toThrow(`SERVER_NETWORK_ALLOW: "${entry}" is not a network`);
  });

  test('rejects host bits and says what to write', () => {
    const build = () => addressPolicy({ allow: ['192.168.1.10/24'], loopbackAllowed: false });
    expect(build).toThrow('write 192.168.1.0/24');
  });
});
