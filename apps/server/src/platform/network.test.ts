import { expect, test } from 'vitest';
import { networkOf } from './network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:51234', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:ffff::]:8080', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1%eth0', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  [' 192.0.2.7 ', '192.0.2.7'],
])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));

test.each([
  undefined,
  '',
  'unknown',
  '_hidden',
  '999.1.1.1',
  '1',
  '0x7f.1',
  '127.1',
  'a'.repeat(5000),
  '::g',
])('%j, which is no address, counts as one with all others', (address) =>
  expect(networkOf(address)).toBe('unknown'),
);
