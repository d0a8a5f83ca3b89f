import { showDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import { serverProtocols } from '@linekeeper/contract/servers.ts';

/** What a customer types into the receiver, in that order. */
export const credentialNames = [
  'username',
  'password',
  'protocol',
  'server',
  'port',
  'expiry',
] as const;
export type Credentials = Record<(typeof credentialNames)[number], string>;

/** 'fra1.lines.example:12000' as host and port; an IPv6 address has colons of its own. */
function splitHostPort(hostPort: string): [host: string, port: string] {
  const colon = hostPort.lastIndexOf(':');
  return colon < 0 ? [hostPort, ''] : [hostPort.slice(0, colon), hostPort.slice(colon + 1)];
}

export function credentialsOf(line: Line, password: string): Credentials {
  const [server, port] = splitHostPort(line.host_port[0] ?? '');
  const protocol = serverProtocols.find(
    (name) => name.toLowerCase() === line.protocol.toLowerCase(),
  );
  return {
    username: line.username,
    password,
    protocol: protocol ?? line.protocol,
    server,
    port,
    expiry: showDay(line.expiry_date),
  };
}
