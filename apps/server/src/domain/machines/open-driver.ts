import type { ServerRow } from '../../db/schema/schema.ts';
import type { Outbound } from '../../platform/http-client/request.ts';
import type { Services } from '../context/context.ts';
import { apiDriver } from './card-server/api-driver.ts';
import {
  type ConnectionReport,
  completed,
  connectionReport,
  failedWith,
  type ServerConfiguration,
} from './card-server/check-connection.ts';
import type { CardServer } from './card-server/client.ts';
import type { CardServerDriver } from './card-server/driver.ts';
import { webifDriver } from './card-server/webif/webif-driver.ts';
import { withPassword } from './servers.ts';

/** The columns of a server that say how the panel reaches it. */
export type Reachable = Pick<
  ServerRow,
  | 'id'
  | 'host_ip'
  | 'api_port'
  | 'api_scheme'
  | 'username'
  | 'password'
  | 'kind'
  | 'tls_fingerprint'
  | 'plain_http_allowed'
>;

/** The driver of a stored server. `limits` replace those of the panel's calls. */
export function openDriver(
  { outbound, secrets }: Pick<Services, 'outbound' | 'secrets'>,
  row: Reachable,
  limits: Pick<Outbound, 'deadlineMs'> = {},
): CardServerDriver {
  return driverOf({ ...outbound, ...limits }, withPassword(secrets, row));
}

type Opened = CardServer & Pick<ServerRow, 'kind' | 'tls_fingerprint' | 'plain_http_allowed'>;

/** The driver of a server whose password is in plain text. */
export function driverOf(outbound: Outbound, server: Opened): CardServerDriver {
  return server.kind === 'oscam_webif'
    ? webifDriver(outbound, server)
    : apiDriver(outbound, server);
}

/** Tests a configuration that may be unsaved and incomplete. Never throws. */
export async function testConfiguration(
  outbound: Outbound,
  configuration: ServerConfiguration,
): Promise<ConnectionReport> {
  const { kind = 'api', tls_fingerprint = null, plain_http_allowed = false } = configuration;
  const server = completed(configuration);
  if ('incomplete' in server) return connectionReport(failedWith(server.incomplete));
  const driver = driverOf(outbound, { ...server, kind, tls_fingerprint, plain_http_allowed });
  return connectionReport(await driver.test(undefined, true));
}
