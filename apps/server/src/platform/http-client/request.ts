import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect, isIP, isIPv6, type LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { UnreachableReason } from '@linekeeper/contract/findings.ts';
import { addressPolicy, parseHost } from './address.ts';

/** Settings for requests to other machines; one object per process, and separate ones in tests. */
export type Outbound = {
  /** Decides if an IP address may be connected to, see `addressPolicy`. */
  permits: (address: string) => boolean;
  /** The same for addresses that other accounts than administrators choose; public ones alone by default. */
  permitsToOthers?: (address: string) => boolean;
  /** All addresses of a DNS name; the operating system's resolver by default. */
  resolve?: (name: string) => Promise<string[]>;
  /**
   * Deadline in milliseconds for a whole operation including DNS lookup and body; 10,000 by
   * default.
   */
  deadlineMs?: number;
  /** The panel's date, for agents to compare with their own. */
  today?: () => string;
  /** Milliseconds for which the response to a change waits for its first push; 2,000 by default. */
  replyAfterMs?: number;
};

export type JsonRequest = {
  scheme: 'http' | 'https';
  /** The host that an administrator typed; parsed by `parseHost`. */
  host: string;
  port: number;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path, beginning with a slash. User input in it is percent-encoded. */
  path: string;
  /** Credentials for Basic authentication. */
  credentials?: { username: string; password: string };
  /** Sent as JSON, unless it is bytes, whose type is among the headers. */
  body?: object;
  headers?: Record<string, string>;
};

/** The part of a request that an http or https address gives. */
export function targetOf(url: string): Pick<JsonRequest, 'scheme' | 'host' | 'port' | 'path'> {
  const { protocol, hostname: host, port, pathname, search } = new URL(url);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return {
    scheme,
    host,
    port: Number(port) || (scheme === 'https' ? 443 : 80),
    path: pathname + search,
  };
}

export type JsonObject = Record<string, unknown>;

/**
 * A response. `text` is its body, and `json` is null unless the body is exactly one JSON object. `sent_at` is by the server's own
 * clock if the response has a Date, otherwise by this process's.
 */
export type Reply = {
  kind: 'reply';
  status: number;
  text: string;
  json: JsonObject | null;
  sent_at: Date;
};
/** A failed request. `reason` is safe to show: it contains no address and nothing of the response. */
export type Unreachable = { kind: 'unreachable'; reason: UnreachableReason };

const permitsPublic = addressPolicy({ allow: [], loopbackAllowed: false });

/**
 * The settings for requests to an address that an account chose. Private addresses that the operator permits are those of
 * card servers, so only administrators may choose such an address.
 */
export const chosenBy = (outbound: Outbound, { is_admin }: { is_admin: boolean }): Outbound => ({
  ...outbound,
  permits: is_admin ? outbound.permits : (outbound.permitsToOthers ?? permitsPublic),
});

const DEFAULT_DEADLINE_MS = 10_000;
const BODY_CAP_BYTES = 64 * 1024;
const HEADER_CAP_BYTES = 16 * 1024;
// Addresses of a name that are tried, at most: a name may resolve to any number of foreign
// addresses, and the panel must not connect to all of them.
const ADDRESSES_TRIED = 4;
const NEXT_ADDRESS_AFTER_MS = 1_000;

/**
 * Runs `work` with a signal that aborts at the deadline of `limits`, or earlier with `outer`. Nested calls use the
 * earliest deadline, so several requests fit into one. No listener remains afterwards, whereas a signal of
 * AbortSignal.any() stays attached to one that lasts as long as the process.
 */
export async function withinDeadline<T>(
  { deadlineMs = DEFAULT_DEADLINE_MS }: Pick<Outbound, 'deadlineMs'>,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const late = new DOMException('The deadline is over', 'TimeoutError');
  const timer = setTimeout(() => ending.abort(late), deadlineMs).unref();
  const end = () => ending.abort(outer?.reason);
  outer?.addEventListener('abort', end, { once: true });
  if (outer?.aborted) end();
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', end);
  }
}

/**
 * Sends one request on a new connection to a permitted address and reads at most 64 KiB of JSON.
 * Redirects are not followed; certificates are checked against the system's authorities. Never
 * throws: errors are returned as `Unreachable`.
 */
export async function requestJson(
  outbound: Outbound,
  request: JsonRequest,
  outer?: AbortSignal,
): Promise<Reply | Unreachable> {
  return withinDeadline(outbound, outer, async (signal) => {
    try {
      const vetted = await vetHost(outbound, request.host, signal);
      if (signal.aborted) return unreachable(abortReason(signal));
      // Unknown and forbidden hosts give the same reason, or the panel could be used to scan
      // private networks.
      if (!vetted) return unreachable('host not found or not allowed');
      return await exchange(request, vetted, signal);
    } catch {
      return unreachable('connection failed');
    }
  });
}

export type VettedHost = NonNullable<Awaited<ReturnType<typeof vetHost>>>;

/**
 * The permitted address of a host, resolved once, so that a second lookup cannot change it; null if
 * the host is malformed or unknown, or has no permitted address.
 */
export async function vetHost(outbound: Outbound, text: string, signal: AbortSignal) {
  const host = parseHost(text);
  if (!host) return null;
  const found =
    host.kind === 'ip' ? [host.address] : await resolveName(outbound, host.name, signal);
  const addresses = found.filter((one) => outbound.permits(one)).slice(0, ADDRESSES_TRIED);
  if (addresses.length === 0) return null;
  const options = {
    host: host.kind === 'ip' ? host.address : host.name,
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  };
  return { addresses, options };
}

const PORT_DEADLINE_MS = 3_000;

/** True if a port accepts a connection, on which nothing is sent; null if its host is unknown or not permitted. */
export function portAnswers(
  outbound: Outbound,
  { host, port }: Pick<JsonRequest, 'host' | 'port'>,
  outer?: AbortSignal,
): Promise<boolean | null> {
  return withinDeadline({ ...outbound, deadlineMs: PORT_DEADLINE_MS }, outer, async (signal) => {
    const vetted = await vetHost(outbound, host, signal);
    if (!vetted || signal.aborted) return null;
    const socket = connect({ ...vetted.options, port });
    try {
      await once(socket, 'connect', { signal });
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  });
}

function unreachable(reason: UnreachableReason): Unreachable {
  return { kind: 'unreachable', reason };
}

export function abortReason(signal: AbortSignal): UnreachableReason {
  return signal.reason?.name === 'TimeoutError' ? 'connection timed out' : 'request cancelled';
}

async function resolveName(
  outbound: Outbound,
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { resolve = systemResolve } = outbound;
  if (signal.aborted) return [];
  const aborted = once(signal, 'abort').then(() => []);
  return Promise.race([resolve(name), aborted]).catch(() => []);
}

async function systemResolve(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

type Settle = (result: Reply | Unreachable) => void;

function exchange(
  request: JsonRequest,
  vetted: VettedHost,
  signal: AbortSignal,
): Promise<Reply | Unreachable> {
  return new Promise((resolve) => {
    const { body } = request;
    const payload = Buffer.isBuffer(body) ? body : body && JSON.stringify(body);
    const outgoing = openRequest(request, vetted, payload);
    const settle: Settle = (result) => {
      resolve(result);
      outgoing.destroy();
    };
    signal.addEventListener('abort', () => settle(unreachable(abortReason(signal))));
    outgoing.on('error', (error) => settle(unreachable(reasonOf(error, outgoing))));
    outgoing.on('response', (incoming) => readReply(incoming, outgoing, settle));
    outgoing.on('upgrade', () => settle(unreachable('invalid response')));
    outgoing.end(payload);
  });
}

function openRequest(
  { scheme, port, method, path, headers, credentials }: JsonRequest,
  { options: { host, ...dialling } }: VettedHost,
  payload: string | Buffer | undefined,
): ClientRequest {
  const options = {
    agent: false,
    host,
    ...dialling,
    port,
    method,
    path,
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: true,
    maxHeaderSize: HEADER_CAP_BYTES,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      connection: 'close',
      ...(payload !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
      ...headers,
      ...(credentials && { authorization: basicAuth(credentials) }),
    },
  };
  return scheme === 'https' ? https.request(options) : http.request(options);
}

/** The value of the Authorization header, which must never be shown to a user. */
export function basicAuth({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** A lookup that returns only the addresses that were checked, because a second one could return others. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, all[0]?.address ?? '', all[0]?.family);
  };
}

function readReply(incoming: IncomingMessage, outgoing: ClientRequest, settle: Settle): void {
  incoming.on('error', (error) => settle(unreachable(reasonOf(error, outgoing))));
  if (Number(incoming.headers['content-length'] ?? 0) > BODY_CAP_BYTES) {
    settle(unreachable('response too large'));
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > BODY_CAP_BYTES) settle(unreachable('response too large'));
    else chunks.push(chunk);
  });
  incoming.on('end', () => settle(toReply(incoming, Buffer.concat(chunks))));
}

function toReply(incoming: IncomingMessage, body: Buffer): Reply | Unreachable {
  const text = new TextDecoder().decode(body);
  const json = parseObject(text);
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  // Without a length, the body ends with the connection, complete or not, so incomplete JSON is the
  // only sign of an interruption.
  const endsWithConnection = length === undefined && encoding === undefined;
  if (!json && endsWithConnection && text.trimStart().startsWith('{')) {
    return unreachable('connection closed early');
  }
  return { kind: 'reply', status: incoming.statusCode ?? 0, text, json, sent_at: sentAt(incoming) };
}

function sentAt({ headers: { date = '' } }: IncomingMessage): Date {
  const sent = new Date(date);
  return Number.isNaN(sent.getTime()) ? new Date() : sent;
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** Reasons by the error codes of sockets. */
export const REASONS: Record<string, UnreachableReason> = {
  ECONNREFUSED: 'connection refused',
  ETIMEDOUT: 'connection timed out',
  EPIPE: 'connection reset',
  EHOSTUNREACH: 'network unreachable',
  EHOSTDOWN: 'network unreachable',
  ENETUNREACH: 'network unreachable',
  ENETDOWN: 'network unreachable',
  EADDRNOTAVAIL: 'network unreachable',
  EPROTO: 'secure connection failed',
  HPE_HEADER_OVERFLOW: 'response too large',
  HPE_INVALID_EOF_STATE: 'connection closed early',
};

function reasonOf(error: NodeJS.ErrnoException, outgoing: ClientRequest): UnreachableReason {
  if ((outgoing.socket as TLSSocket | null)?.authorizationError) return 'certificate not trusted';
  const code = error.code ?? '';
  // Node uses the same code when the server closes the connection early, but then without a system
  // call.
  if (code === 'ECONNRESET') return error.syscall ? 'connection reset' : 'connection closed early';
  const known = REASONS[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return 'invalid response';
  return code.startsWith('ERR_SSL') ? 'secure connection failed' : 'connection failed';
}
