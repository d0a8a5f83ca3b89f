import { isIPv4, isIPv6 } from 'node:net';
import { isDnsName } from '@linekeeper/contract/fields/host.ts';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = { network: Address; bits: number };

type ParsedHost = { kind: 'ip'; address: string } | { kind: 'name'; name: string };

const DOTTED_IPV4 = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/;
const IPV6_CHARACTERS = /^[0-9A-Fa-f:.]+$/;
/**
 * Parses a host that an administrator typed. Accepts a dotted IPv4 address (four decimal parts, no
 * leading zeros), an IPv6 address (brackets optional, no zone) or a DNS name of at most 253
 * letters, digits and hyphens; international names in `xn--` form only. Addresses are returned in
 * canonical form, names in lower case. Returns null for anything else; never throws.
 */
export function parseHost(text: string): ParsedHost | null {
  if (isDottedIPv4(text)) return { kind: 'ip', address: text };
  const unbracketed = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (isPlainIPv6(unbracketed)) {
    return { kind: 'ip', address: ipaddr.parse(unbracketed).toString() };
  }
  return isDnsName(text) ? { kind: 'name', name: text.toLowerCase() } : null;
}

/**
 * A host in one form for all of its spellings: a mapped IPv4 address as plain IPv4, and every name
 * and address of this machine as `loopback`. Text that is not a host is returned in lower case.
 */
export function addressOf(text: string): string {
  const parsed = parseHost(text.replace(/\.$/, ''));
  if (!parsed) return text.toLowerCase();
  if (parsed.kind === 'name') {
    return /(^|\.)localhost$/.test(parsed.name) ? 'loopback' : parsed.name;
  }
  const address = ipaddr.process(parsed.address);
  return address.range() === 'loopback' ? 'loopback' : address.toString();
}

function isDottedIPv4(text: string): boolean {
  return DOTTED_IPV4.test(text) && isIPv4(text);
}

function isPlainIPv6(text: string): boolean {
  return IPV6_CHARACTERS.test(text) && isIPv6(text);
}

/**
 * Networks of cloud metadata services, which give out credentials. Those in link-local and reserved
 * ranges are missing, because these are never permitted.
 */
const METADATA_NETWORKS = [
  '100.100.100.200/32', // Alibaba Cloud
  '168.63.129.16/32', // Azure
  'fd00:ec2::/32', // Amazon
  'fd00:42::42/128', // Scaleway
  'fd20:ce::254/128', // Google Cloud
].map(parseCidr);

const GLOBAL_UNICAST_IPV6 = parseCidr('2000::/3');

/**
 * Returns a predicate over IP addresses. Public unicast passes. Loopback, private, shared (CGNAT)
 * and unique-local addresses pass if a CIDR of `allow` (SERVER_NETWORK_ALLOW) covers them; those of
 * 127.0.0.0/8 also without one if `loopbackAllowed` is set, while the panel itself listens on
 * loopback. An IPv6 address that carries an IPv4 one (mapped, compatible, translated, NAT64, 6to4,
 * Teredo, ISATAP) passes if a CIDR covers the IPv6 form and every IPv4 address inside passes
 * separately. All others, such as link-local, metadata, multicast, reserved or text that is not an
 * address, never pass, regardless of `allow`.
 *
 * @throws Error naming the entry of `allow` that is not a CIDR.
 */
export function addressPolicy({
  allow,
  loopbackAllowed,
}: {
  allow: string[];
  loopbackAllowed: boolean;
}): (address: string) => boolean {
  const allowed = allow.filter((entry) => entry.trim() !== '').map(parseCidr);
  const isListed = (address: Address) => allowed.some((cidr) => covers(cidr, address));

  function permitsIPv4(address: ipaddr.IPv4): boolean {
    if (isMetadata(address)) return false;
    switch (address.range()) {
      case 'unicast':
        return true;
      case 'loopback':
        return loopbackAllowed || isListed(address);
      case 'private':
      case 'carrierGradeNat':
        return isListed(address);
      default:
        return false;
    }
  }

  function permitsIPv6(address: ipaddr.IPv6): boolean {
    if (isMetadata(address)) return false;
    const range = address.range();
    if (range === 'loopback' || range === 'uniqueLocal') return isListed(address);
    const inner = embeddedIPv4(address);
    if (inner) return isListed(address) && inner.length > 0 && inner.every(permitsIPv4);
    return range === 'unicast' && covers(GLOBAL_UNICAST_IPV6, address);
  }

  return (text) => {
    if (isDottedIPv4(text)) return permitsIPv4(ipaddr.IPv4.parse(text));
    return isPlainIPv6(text) && permitsIPv6(ipaddr.IPv6.parse(text));
  };
}

/** True for an address of the public internet; false for private networks and this machine. */
export function isPublic(text: string): boolean {
  if (isDottedIPv4(text)) return ipaddr.IPv4.parse(text).range() === 'unicast';
  return isPlainIPv6(text) && ipaddr.IPv6.parse(text).range() === 'unicast';
}

function isMetadata(address: Address): boolean {
  return METADATA_NETWORKS.some((cidr) => covers(cidr, address));
}

function covers(cidr: Cidr, address: Address): boolean {
  return cidr.network.kind() === address.kind() && address.match(cidr.network, cidr.bits);
}

function parseCidr(entry: string): Cidr {
  const text = entry.trim();
  const [address = '', prefix, ...rest] = text.split('/');
  const isVersion4 = isDottedIPv4(address);
  const bits = prefix === undefined ? (isVersion4 ? 32 : 128) : Number(prefix);
  const isWellFormed =
    (isVersion4 || isPlainIPv6(address)) &&
    rest.length === 0 &&
    (prefix === undefined || /^\d{1,3}$/.test(prefix)) &&
    bits <= (isVersion4 ? 32 : 128);
  if (!isWellFormed) {
    throw new Error(
      `SERVER_NETWORK_ALLOW: "${text}" is not a network such as 10.0.0.0/8 or fd12:3456::/32`,
    );
  }
  const network = isVersion4
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
    : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
  // 192.168.1.10/8 is more likely a mistake than an intention to allow all of 192.0.0.0/8.
  if (network.toString() !== ipaddr.parse(address).toString()) {
    throw new Error(
      `SERVER_NETWORK_ALLOW: "${text}" names a host inside a network; write ${network}/${bits}`,
    );
  }
  return { network, bits };
}

type Embedding = { cidr: Cidr; positions: number[][]; isInverted?: boolean };

const LAST_FOUR = [[12, 13, 14, 15]];

/** Byte positions of the IPv4 address inside these IPv6 forms. */
const EMBEDDINGS: Embedding[] = [
  { cidr: parseCidr('::/96'), positions: LAST_FOUR }, // IPv4-compatible
  { cidr: parseCidr('::ffff:0:0/96'), positions: LAST_FOUR }, // IPv4-mapped
  { cidr: parseCidr('::ffff:0:0:0/96'), positions: LAST_FOUR }, // translated (SIIT)
  { cidr: parseCidr('64:ff9b::/96'), positions: LAST_FOUR }, // NAT64
  { cidr: parseCidr('2002::/16'), positions: [[2, 3, 4, 5]] }, // 6to4
  { cidr: parseCidr('2001::/32'), positions: [[4, 5, 6, 7]] }, // Teredo server
  { cidr: parseCidr('2001::/32'), positions: LAST_FOUR, isInverted: true }, // Teredo client
  {
    // NAT64 for local use: the position depends on a prefix length known only to that network, so
    // every layout of RFC 6052 is read.
    cidr: parseCidr('64:ff9b:1::/48'),
    positions: [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], ...LAST_FOUR],
  },
];

/** The embedded IPv4 addresses; null if the form contains none. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4[] | null {
  const bytes = address.toByteArray();
  const forms = EMBEDDINGS.filter(({ cidr }) => covers(cidr, address));
  if (forms.length === 0) return isIsatap(bytes) ? [pick(bytes, LAST_FOUR[0])] : null;
  const readings = forms.flatMap(({ positions, isInverted }) =>
    positions.map((places) => pick(bytes, places, isInverted)),
  );
  // In the wrong layout, padding is read as 0.x.x.x, to which no connection is possible.
  return readings.filter((reading) => reading.range() !== 'unspecified');
}

function isIsatap(bytes: number[]): boolean {
  return (
    (bytes[8] === 0 || bytes[8] === 2) && !bytes[9] && bytes[10] === 0x5e && bytes[11] === 0xfe
  );
}

function pick(bytes: number[], places: number[] = [], isInverted = false): ipaddr.IPv4 {
  const mask = isInverted ? 0xff : 0;
  return new ipaddr.IPv4(places.map((place) => (bytes[place] ?? 0) ^ mask));
}
