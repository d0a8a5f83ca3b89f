import { today } from '@linekeeper/contract/dates.ts';
import type { Logger } from 'pino';
import type { Connection } from './db/connect.ts';
import { createAuth } from './domain/context/auth.ts';
import type { Services } from './domain/context/context.ts';
import { type Config, isLoopbackHost } from './platform/config/config.ts';
import { addressPolicy } from './platform/http-client/address.ts';
import { createSecrets } from './platform/keys/secrets.ts';
import { Live } from './platform/live.ts';
import { createMail } from './platform/mail/mail.ts';
import { CardService } from './platform/payments/card-service.ts';

/** Creates the services shared by all requests of a process. */
export function createServices(
  config: Config,
  connection: Connection,
  secretKey: string,
  log: Logger,
): Services {
  const secrets = createSecrets(secretKey);
  return {
    config,
    connection,
    db: connection.db,
    secrets,
    mail: createMail(config.smtp_url),
    cardService: config.stripe && new CardService(config.stripe),
    auth: createAuth(config, secrets),
    outbound: {
      permits: addressPolicy({
        allow: config.server_network_allow,
        loopbackAllowed: isLoopbackHost(config.host),
      }),
      today: () => today(config.time_zone),
    },
    live: new Live(connection),
    log,
    attempts: new Set(),
    stopping: new AbortController(),
    today: () => today(config.time_zone),
  };
}
