import ipaddr from 'ipaddr.js';

/** A whole household or server has one /64, and can take any address of it. */
const IPV6_PREFIX_PARTS = 4;
/** An IPv4 address, or an IPv6 one in brackets, with a port, as some proxies forward it. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

/**
 * The network that a client's address is in, by which limits count: an IPv4 address itself, also where
 * it is mapped into IPv6, and the /64 of an IPv6 address. All texts that are no address are one network;
 * so is the missing address of a client whose socket is gone.
 */
export function networkOf(address = ''): string {
  const [, bracketed, plain] = WITH_PORT.exec(address.trim()) ?? [];
  const text = (bracketed ?? plain ?? address.trim()).replace(/%.*$/, '');
  // Only with four parts: "1" and "0x7f.1" are addresses to some parsers.
  if (/^\d/.test(text) && !text.includes(':') && text.split('.').length !== 4) return 'unknown';
  if (!ipaddr.isValid(text)) return 'unknown';
  const parsed = ipaddr.process(text);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const { parts } = parsed as ipaddr.IPv6;
  return `${parts
    .slice(0, IPV6_PREFIX_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
