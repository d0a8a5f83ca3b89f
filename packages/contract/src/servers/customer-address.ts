/** Reasons why customers may not reach an address; it can still be intended, for example within one house. */
const addressWarnings = [
  'loopback',
  'unspecified',
  'private',
  'link_local',
  'local_name',
  'single_label',
] as const;
type AddressWarning = (typeof addressWarnings)[number];

const LOCAL_NAME = /\.(?:local|localdomain|lan|internal|intranet|home\.arpa)$/;

function warningOfIpv4(address: string): AddressWarning | null {
  const [a = 0, b = 0] = address.split('.').map(Number);
  if (a === 127) return 'loopback';
  if (a === 0) return 'unspecified';
  if (a === 169 && b === 254) return 'link_local';
  const isShared = a === 100 && b >= 64 && b < 128;
  const isPrivate = a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168);
  return isPrivate || isShared ? 'private' : null;
}

function warningOfIpv6(address: string): AddressWarning | null {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped) return warningOfIpv4(mapped);
  if (/^(?:0*:)*0*1$/.test(address)) return 'loopback';
  if (/^[0:]+$/.test(address)) return 'unspecified';
  if (/^fe[89ab][0-9a-f]:/.test(address)) return 'link_local';
  return /^f[cd][0-9a-f]{2}:/.test(address) ? 'private' : null;
}

/** The reason why customers cannot reach a host; null if none is known. */
export function addressWarning(host: string): AddressWarning | null {
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  if (name === '') return null;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return warningOfIpv4(name);
  if (name.includes(':')) return warningOfIpv6(name);
  if (/(?:^|\.)localhost$/.test(name)) return 'loopback';
  if (LOCAL_NAME.test(name)) return 'local_name';
  return name.includes('.') ? null : 'single_label';
}

interface Addressed {
  host_ip: string;
  port: number;
  public_host: string | null;
  public_port: number | null;
}

/** The address that customers enter: the server's address for customers, or its own. */
export function customerAddress({ host_ip, port, public_host, public_port }: Addressed) {
  return { host: public_host ?? host_ip, port: public_port ?? port };
}
