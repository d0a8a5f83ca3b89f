import type { Day } from '@linekeeper/contract/dates.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from '../db/connect.ts';
import type { Db } from '../db/transaction.ts';
import type { SignedIn } from './access.ts';
import type { Auth } from './auth.ts';
import type { Outbound } from './card-server/request.ts';
import type { Config } from './config.ts';
import type { JobQueue } from './job-queue.ts';
import type { Live } from './live.ts';
import type { Mail } from './mail.ts';
import type { Secrets } from './secrets.ts';

/** What lives as long as the process and is handed to whoever needs it. */
export interface Services {
  config: Config;
  connection: Connection;
  db: Db;
  secrets: Secrets;
  auth: Auth;
  outbound: Outbound;
  live: Live;
  jobQueue: JobQueue;
  mail: Mail;
  log: FastifyBaseLogger;
  /** Aborts calls to card servers that would hold up the end of the process. */
  stopping: AbortController;
  /** What day it is in the panel's time zone. */
  today(): Day;
}

/** One request: who asks, from where, and the services. */
export interface Ctx extends Services {
  /** The account that asks; throws 401 where nobody is signed in. */
  actor: SignedIn;
  signedIn: SignedIn | null;
  session_id: string | null;
  address: string;
  headers: Headers;
  /** Adds a Set-Cookie header to the reply. */
  setCookie(header: string): void;
  /** Has the reply saved as a file under this name: letters, digits, dots and dashes. */
  saveAs(fileName: string): void;
}
