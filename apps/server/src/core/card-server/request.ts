import { lookup } from 'node:dns/promises';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { parseHost } from './address.ts';

/** How the panel reaches other machines; one for the whole process, another in tests. */
export type Outbound = {
  /** Whether an IP address may be dialled, see `addressPolicy`. */
  permits: (address: string) => boolean;
  /** All addresses of a DNS name; the operating system's resolver by default. */
  resolve?: (name: string) => Promise<string[]>;
  /** Milliseconds for one whole operation, name lookup and body included; 10,000 by default. */
  deadlineMs?: number;
};

export type JsonRequest = {
  scheme: 'http' | 'https';
  /** As typed by an administrator; parsed strictly. */
  host: string;
  port: number;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with a slash; never made from user input. */
  path: string;
  /** Sent as Basic auth. */
  credentials?: { username: string; password: string };
  body?: object;
};

export type JsonObject = Record<string, unknown>;

/** `json` is null when the body is not one JSON object, an empty body included. */
export type Reply = { kind: 'reply'; status: number; json: JsonObject | null };
/** `reason` is fit for a user's eyes: it holds no address and nothing of the response. */
export type Unreachable = { kind: 'unreachable'; reason: UnreachableReason };

export type UnreachableReason =
  | 'certificate not trusted'
  | 'connection closed early'
  | 'connection failed'
  | 'connection refused'
  | 'connection reset'
  | 'connection timed out'
  | 'host not found or not allowed'
  | 'invalid response'
  | 'network unreachable'
  | 'request cancelled'
  | 'response too large'
  | 'secure connection failed';

const DEFAULT_DEADLINE_MS = 10_000;
const BODY_CAP_BYTES = 64 * 1024;
const HEADER_CAP_BYTES = 16 * 1024;
// A name may list any number of strangers' addresses; the panel is not there to knock on them all.
const ADDRESSES_TRIED = 4;
const NEXT_ADDRESS_AFTER_MS = 1_000;

/**
 * Runs `work` with a signal that aborts after the outbound's deadline, or earlier with `outer`.
 * Nested calls share the earliest end, so several requests fit into one total deadline.
 */
export async function withinDeadline<T>(
  outbound: Outbound,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException('Deadline passed', 'TimeoutError')),
    outbound.deadlineMs ?? DEFAULT_DEADLINE_MS,
  );
  const followOuter = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', followOuter, { once: true });
  if (outer?.aborted) followOuter();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', followOuter);
  }
}

/**
 * Sends one request on a fresh connection to an address that the policy permits, and reads at most
 * 64 KiB of JSON back. Redirects are returned, not followed; certificates are checked against the
 * system's authorities. Never throws: what goes wrong on the way is an `Unreachable`.
 */
export async function requestJson(
  outbound: Outbound,
  request: JsonRequest,
  outer?: AbortSignal,
): Promise<Reply | Unreachable> {
  return withinDeadline(outbound, outer, async (signal) => {
    try {
      const addresses = await vettedAddresses(outbound, request.host, signal);
      if (signal.aborted) return unreachable(abortReason(signal));
      // An unknown host and a forbidden one must look alike, or the panel maps private networks.
      if (addresses.length === 0) return unreachable('host not found or not allowed');
      return await exchange(request, addresses, signal);
    } catch {
      return unreachable('connection failed');
    }
  });
}

function unreachable(reason: UnreachableReason): Unreachable {
  return { kind: 'unreachable', reason };
}

function abortReason(signal: AbortSignal): UnreachableReason {
  return signal.reason?.name === 'TimeoutError' ? 'connection timed out' : 'request cancelled';
}

/** The addresses to dial, all permitted; none when the host is malformed, unknown or refused. */
async function vettedAddresses(
  outbound: Outbound,
  text: string,
  signal: AbortSignal,
): Promise<string[]> {
  const host = parseHost(text);
  if ('error' in host) return [];
  const found =
    host.kind === 'ip' ? [host.address] : await resolveName(outbound, host.name, signal);
  return found.filter((address) => outbound.permits(address)).slice(0, ADDRESSES_TRIED);
}

async function resolveName(
  outbound: Outbound,
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  const resolve = outbound.resolve ?? systemResolve;
  const aborted = Promise.withResolvers<string[]>();
  const giveUp = () => aborted.resolve([]);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([resolve(name), aborted.promise]);
  } catch {
    return [];
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

async function systemResolve(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

type Settle = (result: Reply | Unreachable) => void;

function exchange(
  request: JsonRequest,
  addresses: string[],
  signal: AbortSignal,
): Promise<Reply | Unreachable> {
  return new Promise((resolve) => {
    const payload = request.body === undefined ? undefined : JSON.stringify(request.body);
    const outgoing = openRequest(request, addresses, payload);
    const settle: Settle = (result) => {
      signal.removeEventListener('abort', onAbort);
      resolve(result);
      outgoing.destroy();
    };
    const onAbort = () => settle(unreachable(abortReason(signal)));
    signal.addEventListener('abort', onAbort, { once: true });
    outgoing.on('error', (error) => settle(unreachable(reasonOf(error, outgoing))));
    outgoing.on('response', (incoming) => readReply(incoming, outgoing, settle));
    outgoing.on('upgrade', () => settle(unreachable('invalid response')));
    outgoing.end(payload);
  });
}

type RequestOptions = https.RequestOptions &
  Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>;

function openRequest(
  request: JsonRequest,
  addresses: string[],
  payload: string | undefined,
): ClientRequest {
  const host = parseHost(request.host);
  const isName = 'name' in host;
  const { credentials } = request;
  const options: RequestOptions = {
    agent: false,
    host: isName ? host.name : addresses[0],
    port: request.port,
    method: request.method,
    path: request.path,
    // The answer that was vetted is the answer that is dialled: no second lookup.
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    servername: isName ? host.name : '',
    rejectUnauthorized: true,
    maxHeaderSize: HEADER_CAP_BYTES,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      connection: 'close',
      ...(credentials && { authorization: basicAuth(credentials) }),
      ...(payload !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
    },
  };
  return request.scheme === 'https' ? https.request(options) : http.request(options);
}

/** The Authorization header's value; also what must never be echoed to a user. */
export function basicAuth({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

function pinnedLookup(addresses: string[]): LookupFunction {
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
  // Without a length the end of the connection is the end of the body, cut or not: only JSON that
  // stops in the middle gives the cut away.
  const endsWithConnection = length === undefined && encoding === undefined;
  if (!json && endsWithConnection && text.trimStart().startsWith('{')) {
    return unreachable('connection closed early');
  }
  return { kind: 'reply', status: incoming.statusCode ?? 0, json };
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

const REASONS: Record<string, UnreachableReason> = {
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
  // Node reports a polite early end under the same code, but without a system call.
  if (code === 'ECONNRESET') return error.syscall ? 'connection reset' : 'connection closed early';
  const known = REASONS[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return 'invalid response';
  return code.startsWith('ERR_SSL') ? 'secure connection failed' : 'connection failed';
}
