import { today } from '@linekeeper/contract/dates.ts';
import type { Logger } from 'pino';
import { createAuth } from './core/auth.ts';
import { addressPolicy } from './core/card-server/address.ts';
import { type Config, isLoopbackHost } from './core/config.ts';
import type { Services } from './core/context.ts';
import { JobQueue } from './core/job-queue.ts';
import { Live } from './core/live.ts';
import { createMail } from './core/mail.ts';
import { createSecrets } from './core/secrets.ts';
import type { Connection } from './db/connect.ts';

/** Everything a request may need, made once a process. */
export function createServices(
  config: Config,
  connection: Connection,
  secretKey: string,
  log: Logger,
): Services {
  const secrets = createSecrets(secretKey);
  const mail = createMail(config.smtp_url, log);
  return {
    config,
    connection,
    db: connection.db,
    secrets,
    mail,
    auth: createAuth(connection.db, config, secrets, mail),
    outbound: {
      permits: addressPolicy({
        allow: config.server_network_allow,
        loopbackAllowed: isLoopbackHost(config.host),
      }),
    },
    live: new Live(connection),
    jobQueue: new JobQueue(connection, log),
    log,
    stopping: new AbortController(),
    today: () => today(config.time_zone),
  };
}
