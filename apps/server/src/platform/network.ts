import ipaddr from 'ipaddr.js';

/** Number of 16-bit groups in a /64, the network of one household or server, which can use all of its addresses. */
const IPV6_PREFIX_PARTS = 4;
const WIDE_IPV6_PREFIX_PARTS = 3;
const WIDE_IPV4_PREFIX_PARTS = 3;
/** An IPv4 address, or an IPv6 one in brackets, with a port, as some proxies forward it. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

/**
 * The network of a client's address, for limits: an IPv4 address itself, even if it is mapped into
 * IPv6, and the /64 of an IPv6 address. All other texts are one network, which includes the missing
 * address of a client that has disconnected.
 */
export function networkOf(address = ''): string {
  const parsed = parseAddress(address);
  if (!parsed) return 'unknown';
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipv6Network(parsed as ipaddr.IPv6, IPV6_PREFIX_PARTS);
}

/** The /24 or /48 of an address, which many customers share; null if the text is not an address. */
export function wideNetworkOf(address: string): string | null {
  const parsed = parseAddress(address);
  if (!parsed) return null;
  if (parsed.kind() === 'ipv6') return ipv6Network(parsed as ipaddr.IPv6, WIDE_IPV6_PREFIX_PARTS);
  return `${parsed.toString().split('.').slice(0, WIDE_IPV4_PREFIX_PARTS).join('.')}.0/24`;
}

function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, bracketed, plain] = WITH_PORT.exec(address.trim()) ?? [];
  const text = (bracketed ?? plain ?? address.trim()).replace(/%.*$/, '');
  // An IPv4 address must have four parts: some parsers accept "1" and "0x7f.1", too.
  if (/^\d/.test(text) && !text.includes(':') && text.split('.').length !== 4) return null;
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function ipv6Network({ parts }: ipaddr.IPv6, length: number): string {
  const prefix = parts.slice(0, length).map((part) => part.toString(16));
  return `${prefix.join(':')}::/${16 * length}`;
}
