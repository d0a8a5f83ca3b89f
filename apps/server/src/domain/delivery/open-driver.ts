import type { ServerRow } from '../../db/schema/schema.ts';
import type { Outbound } from '../../platform/http-client/request.ts';
import type { Services } from '../context/context.ts';
import { apiDriver } from './card-server/api-driver.ts';
import type { CardServerDriver } from './card-server/driver.ts';
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
  return apiDriver({ ...outbound, ...limits }, withPassword(secrets, row));
}
