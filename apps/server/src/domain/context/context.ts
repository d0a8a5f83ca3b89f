import type { Day } from '@linekeeper/contract/dates.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from '../../db/connect.ts';
import type { Db } from '../../db/transaction.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Outbound } from '../../platform/http-client/request.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/keys/secrets.ts';
import type { Live } from '../../platform/live.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { CardService } from '../../platform/payments/card-service.ts';
import type { SignedIn } from './access.ts';
import type { Auth } from './auth.ts';
import type { Profile } from './caller.ts';

/** Objects that live as long as the process. */
export interface Services {
  config: Config;
  connection: Connection;
  db: Db;
  secrets: Secrets;
  auth: Auth;
  outbound: Outbound;
  live: Live;
  mail: Mail;
  /** The service for card payments; null if they are not set up. */
  cardService: CardService | null;
  log: FastifyBaseLogger;
  /** Attempts of pushes that continue after the response was sent; closing waits for them. */
  attempts: Set<Promise<unknown>>;
  /** Aborts calls to card servers that would delay stopping the process. */
  stopping: AbortController;
  /** The current day in the panel's time zone. */
  today(): Day;
}

/** One request: acting account, client address, and the services. */
export interface Ctx extends Services {
  /** The acting account; the getter throws NO_AUTHENTICATED_USER if no account is signed in. */
  actor: SignedIn;
  signedIn: SignedIn | null;
  /** Further fields of the acting account, read together with the session. */
  profile: Profile | null;
  /** The id of the session; null without one, which includes calls with an API key. */
  session_id: string | null;
  api_key_id: string | null;
  /** False for a key without the scope that reads redeem codes: replies to it contain none. */
  sees_codes: boolean;
  address: string;
  /** The client's network, for limits: all addresses that one client can use. */
  network: string;
  /** True if a trusted proxy forwarded the request. */
  is_proxied: boolean;
  /** Request id, as in the log and in the response's header. */
  request_id: string;
  headers: { get(name: string): string | null };
  /** Adds a Set-Cookie header to the reply. */
  setCookie(header: string): void;
  /** Makes browsers save the reply as a file with this name: letters, digits, dots and dashes. */
  saveAs(fileName: string): void;
}

/** The context of what the panel does for an account by itself, without a request. */
export const ctxOfAccount = (services: Services, actor: SignedIn): Ctx => ({
  ...services,
  actor,
  signedIn: actor,
  profile: null,
  session_id: null,
  api_key_id: null,
  sees_codes: true,
  address: '',
  network: '',
  is_proxied: false,
  request_id: newId(),
  headers: new Headers(),
  setCookie: () => {},
  saveAs: () => {},
});
