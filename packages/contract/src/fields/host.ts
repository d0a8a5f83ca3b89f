import * as z from 'zod';

const NAME_MAX_LENGTH = 253;
// The pattern has no `i` flag, because case folding would let U+212A (the Kelvin sign) pass for a k.
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
// A name may not end in a number, because resolvers read `0x7f.1`, `2130706433` and `127.1` as addresses.
const NUMERIC_LABEL = /^(?:\d+|0[xX][0-9A-Fa-f]*)$/;

/** True for a DNS name of letters, digits and hyphens; international names only in their `xn--` form. */
export function isDnsName(text: string): boolean {
  if (text.length > NAME_MAX_LENGTH) return false;
  const labels = text.split('.');
  return labels.every((label) => LABEL.test(label)) && !NUMERIC_LABEL.test(labels.at(-1) ?? '');
}

const ipAddress = z.union([z.ipv4(), z.ipv6()]);

/** True for a DNS name, an IPv4 address or an IPv6 address, which may have brackets. */
export function isHost(text: string): boolean {
  return isDnsName(text) || ipAddress.safeParse(text.replace(/^\[(.*)\]$/, '$1')).success;
}
