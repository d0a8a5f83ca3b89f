import type { Finding } from '@linekeeper/contract/findings.ts';
import type { ServerRow } from '../../db/schema/schema.ts';
import type { Outbound } from '../../platform/http-client/request.ts';
import type { Services } from '../context/context.ts';
import { apiDriver } from './card-server/api-driver.ts';
import { type Connected, failedWith } from './card-server/check-connection.ts';
import type { CardServer } from './card-server/client.ts';
import type { CardServerDriver } from './card-server/driver.ts';
import { webifDriver } from './card-server/webif/webif-driver.ts';
import { withPassword } from './servers.ts';

/** The address and sign-in of a server; its password is in plain text. */
export type Opened = CardServer &
  Pick<ServerRow, 'kind' | 'tls_fingerprint' | 'plain_http_allowed'>;

/** A stored server; its password is encrypted. */
export type Reachable = Opened & Pick<ServerRow, 'id'>;

/** The driver of a stored server. `limits` replace the limits of the panel’s own calls. */
export function openDriver(
  { outbound, secrets }: Pick<Services, 'outbound' | 'secrets'>,
  row: Reachable,
  limits: Pick<Outbound, 'deadlineMs'> = {},
): CardServerDriver {
  return driverOf({ ...outbound, ...limits }, withPassword(secrets, row));
}

/** The driver of a server whose password is in plain text. */
export function driverOf(outbound: Outbound, server: Opened): CardServerDriver {
  return server.kind === 'oscam_webif'
    ? webifDriver(outbound, server)
    : apiDriver(outbound, server);
}

/** A server's settings, possibly unsaved and incomplete. */
export type ServerConfiguration = Partial<Opened & Pick<ServerRow, 'port'>>;

const REQUIRED_FIELDS = ['host_ip', 'port', 'api_port', 'username', 'password'] as const;
/** Fields that are required unless the web interface of OSCam is open to everyone who can reach it. */
const CREDENTIALS: readonly string[] = ['username', 'password'];

/** The server with all settings that a call needs, or a finding that names the missing ones. */
export function completed(given: ServerConfiguration): Opened | { incomplete: Finding } {
  const { host_ip = '', api_port = 0, api_scheme = 'http', username = '', password = '' } = given;
  const { kind = 'api', tls_fingerprint = null, plain_http_allowed = false } = given;
  const fields = REQUIRED_FIELDS.filter(
    (field) =>
      String(given[field] ?? '').trim() === '' &&
      !(kind === 'oscam_webif' && CREDENTIALS.includes(field)),
  );
  if (fields.length > 0) {
    return { incomplete: { code: 'CONFIGURATION_INCOMPLETE', data: { fields } } };
  }
  const reached = { host_ip, api_port, api_scheme, username, password };
  return { ...reached, kind, tls_fingerprint, plain_http_allowed };
}

/** Tests a configuration that may be unsaved and incomplete. Never throws. */
export async function testConfiguration(
  outbound: Outbound,
  configuration: ServerConfiguration,
): Promise<Connected> {
  const server = completed(configuration);
  if ('incomplete' in server) return failedWith(server.incomplete);
  return driverOf(outbound, server).test(undefined, true);
}
