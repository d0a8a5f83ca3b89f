import { DEFAULT_DES_KEY, type NewcamdPort } from '../fields/receiver-fields.ts';

/**
 * The address that a customer enters into a receiver. The panel and the browser call the same functions, so that a
 * preview is exactly what the customer gets.
 * Decision 0042: the server's protocol decides, because old lines have `cccam` on NewCamd servers, too.
 */

export interface Address {
  host: string;
  port: string;
}

export interface Login {
  username: string;
  password: string;
}

interface ReceiverServer {
  server_name: string;
  protocol: 'CCcam' | 'NewCamd';
  des_key: string | null;
  newcamd_ports: readonly NewcamdPort[];
}

/** Splits 'fra1.lines.example:12000' at the last colon, since IPv6 addresses contain colons. */
export function splitHostPort(hostPort: string): Address {
  const colon = hostPort.lastIndexOf(':');
  if (colon < 0) return { host: hostPort, port: '' };
  return { host: hostPort.slice(0, colon), port: hostPort.slice(colon + 1) };
}

/** The key in the format of receivers: '01 02 03 …'. */
export function desKeyBytes(des_key: string | null): string {
  return (des_key ?? DEFAULT_DES_KEY).match(/../g)?.join(' ') ?? '';
}

/** True for a server that has no port to give to customers. No new line is sold on it. */
export function lacksPorts(server: Pick<ReceiverServer, 'protocol' | 'newcamd_ports'>): boolean {
  return server.protocol === 'NewCamd' && server.newcamd_ports.length === 0;
}

export function cccamLine({ host, port }: Address, { username, password }: Login): string {
  return `C: ${host} ${port} ${username} ${password}`;
}

/** N lines, one for each port, because NewCamd has a port for each CAID. */
export function newcamdLines(
  { des_key, newcamd_ports }: Pick<ReceiverServer, 'des_key' | 'newcamd_ports'>,
  host: string,
  { username, password }: Login,
) {
  const key = desKeyBytes(des_key);
  return newcamd_ports.map(({ port, caid }) => ({
    port,
    // The CAID is in capital letters, as card servers write it.
    caid: caid.toUpperCase(),
    line: `N: ${host} ${port} ${username} ${password} ${key}`,
  }));
}

/** The label of a reader, by which OSCam identifies it: without blanks and at most 63 bytes long. */
function labelOf(server_name: string, host: string): string {
  const label = (text: string) =>
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9._-]/g, '')
      .slice(0, 40);
  return label(server_name) || label(host) || 'reader';
}

/** The address of a reader in OSCam: an IPv6 address without the brackets that a port otherwise needs. */
const deviceOf = (host: string, port: string | number) =>
  `${host.replace(/^\[(.*)\]$/, '$1')},${port}`;

function block(settings: Record<string, string>): string {
  const names = Object.keys(settings);
  const width = Math.max(...names.map((name) => name.length));
  const rows = names.map((name) => `${name.padEnd(width)} = ${settings[name]}`);
  return ['[reader]', ...rows].join('\n');
}

/**
 * A `[reader]` block for `oscam.server`, with which a customer's OSCam connects to the server with this line over
 * CCcam.
 */
export function oscamReader(
  { server_name }: Pick<ReceiverServer, 'server_name'>,
  { host, port }: Address,
  { username, password }: Login,
): string {
  return block({
    label: labelOf(server_name, host),
    protocol: 'cccam',
    device: deviceOf(host, port),
    user: username,
    password,
    group: '1',
    inactivitytimeout: '30',
    cccversion: '2.3.2',
    ccckeepalive: '1',
  });
}

/** OSCam readers for NewCamd, one for each port. */
export function oscamNewcamdReaders(
  { server_name, des_key, newcamd_ports }: Omit<ReceiverServer, 'protocol'>,
  host: string,
  { username, password }: Login,
): string {
  return newcamd_ports
    .map(({ port, caid, provid }) => {
      const isAlone = newcamd_ports.filter((other) => other.caid === caid).length === 1;
      const suffix = isAlone ? caid : `${caid}-${port}`;
      const ident = provid && `${caid}:${provid}`.toUpperCase();
      return block({
        label: `${labelOf(server_name, host)}-${suffix}`,
        protocol: 'newcamd',
        key: (des_key ?? DEFAULT_DES_KEY).toUpperCase(),
        device: deviceOf(host, port),
        user: username,
        password,
        caid: caid.toUpperCase(),
        ...(ident ? { ident } : {}),
        group: '1',
        // With a timeout of -1, OSCam connects again after a failure of the network, and not only at the next request.
        inactivitytimeout: '-1',
      });
    })
    .join('\n\n');
}

/** All forms in which a customer can enter this server. */
export function receiversOf(server: ReceiverServer, address: Address, login: Login) {
  const isCccam = server.protocol === 'CCcam';
  const hasPorts = server.newcamd_ports.length > 0;
  return {
    cccam: isCccam ? cccamLine(address, login) : null,
    newcamd: newcamdLines(server, address.host, login),
    des_key: desKeyBytes(server.des_key),
    // Blocks for OSCam's file `oscam.server`, by their protocol.
    oscam: {
      cccam: isCccam ? oscamReader(server, address, login) : null,
      newcamd: hasPorts ? oscamNewcamdReaders(server, address.host, login) : null,
    },
  };
}
export type Receivers = ReturnType<typeof receiversOf>;

/** Placeholders for name and password in texts for several customers. */
export const LOGIN_WORDS: Login = { username: 'username', password: 'password' };

function identAt({ newcamd_ports }: Pick<ReceiverServer, 'newcamd_ports'>, index: number): string {
  const { caid = '', provid = '' } = newcamd_ports[index] ?? {};
  return `CAID ${[caid, provid].filter(Boolean).join(':').toUpperCase()}`;
}

const isCLine = (line: string) => line.startsWith('C: ');

/**
 * The C and N lines of a line at these addresses, without duplicates, by default with placeholders for name and
 * password. N lines end in a comment with CAID and provider of their port, because a reader of OSCam needs just these. A
 * NewCamd server without ports has no N lines: only its address is known.
 */
export function enteredLines(
  server: Omit<ReceiverServer, 'server_name'>,
  addresses: readonly string[],
  login = LOGIN_WORDS,
): string[] {
  const lines = addresses.flatMap((hostPort) => {
    const address = splitHostPort(hostPort);
    const { cccam, newcamd } = receiversOf({ ...server, server_name: '' }, address, login);
    const nLines = newcamd.map(({ line }, index) => `${line} # ${identAt(server, index)}`);
    const given = [...(cccam ? [cccam] : []), ...nLines];
    return given.length > 0 ? given : [`${address.host} ${address.port}`];
  });
  return [...new Set(lines)];
}

/** The C or N line with the username of one customer; the placeholder for the password stays. */
export function namedLine(line: string, username: string): string {
  const parts = line.split(' ');
  return /^[CN]: /.test(line) ? parts.with(3, username).join(' ') : line;
}

/**
 * True if the customer has to change a receiver that has all of the lines in `before`: one of these is not in `after`,
 * or `after` has a further line and no C line, which would be enough for everything.
 */
export function mustChange(before: readonly string[], after: readonly string[]): boolean {
  const lacks = (lines: readonly string[], others: readonly string[]) =>
    others.some((line) => !lines.includes(line));
  return lacks(after, before) || (!after.some(isCLine) && lacks(before, after));
}

/** The blocks of a file `oscam.server`, those for CCcam first. */
export function oscamFile({ cccam, newcamd }: Receivers['oscam']): string {
  return [cccam, newcamd].filter((part) => part !== null).join('\n\n');
}
