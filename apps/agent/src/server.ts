import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Body, Call, Reply } from './calls.ts';
import { causeOf, type Log } from './log.ts';
import { Refusal, refusalOf } from './refusal.ts';

const CHALLENGE = 'Basic realm="linekeeper agent", charset="UTF-8"';

const MAX_BODY_BYTES = 64 * 1024;
/** Bytes of a request that are read; a client that sends more is disconnected without a response. */
const MAX_READ_BYTES = 1024 * 1024;

/** Milliseconds that requests in flight have to finish after the agent is asked to stop. */
const GRACE_MS = 3000;
const MAX_LOGGED_PATH = 200;

type HttpOptions = {
  host: string;
  port: number;
  calls: ReadonlyMap<string, Call>;
  username: string;
  password: string;
  log: Log;
  requestTimeoutMs: number;
};

/**
 * The digest of a text. Digests have equal length, so the comparison does not reveal the text's length. RFC 7617 has
 * both sides normalise to NFC, so that a password typed on two systems is equal.
 */
function digest(text: string): Buffer {
  return createHash('sha256').update(text.normalize('NFC')).digest();
}

/** Returns a check of an Authorization header against this name and password. */
function createGate(username: string, password: string) {
  const wanted = digest(`${username}:${password}`);

  return (header: string | undefined): boolean => {
    const match = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '');
    const credentials = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8');
    // A username has no colon, so that name and password are compared as one text.
    return timingSafeEqual(digest(credentials), wanted);
  };
}

/**
 * The body; undefined if it is too large. It is read to its end even then, because the connection of a client that
 * still sends would be reset, and the response lost with it. Throws if the client disconnects.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    if (size > MAX_READ_BYTES) break;
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

/** The JSON of a body. Throws a 413 or 400 `Refusal` for anything but an object. */
function parse(bytes: Buffer | undefined): Body {
  if (!bytes) {
    const message = 'The request body is larger than 64 KiB';
    throw new Refusal(413, message, {}, { connection: 'close' });
  }
  let value: unknown;
  try {
    // With `fatal`, invalid bytes are an error instead of a replacement character.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'The request body must be a JSON object');
  }
  return value as Body;
}

/** The requested address; undefined for an invalid one. Without a host, two slashes at its start would begin one. */
function addressOf({ url = '' }: IncomingMessage): URL | undefined {
  return URL.parse(url.startsWith('/') ? `http://agent${url}` : url) ?? undefined;
}

function replyTo(error: unknown, log: Log): Reply & { headers: Record<string, string> } {
  const isRefusal = error instanceof Refusal;
  if (!isRefusal) log({ level: 'error', message: `Request failed: ${causeOf(error)}` });
  const { status, message, fields, headers } = isRefusal ? error : refusalOf(500, 'INTERNAL');
  return { status, body: { message, ...fields }, headers };
}

function logWhenDone(request: IncomingMessage, response: ServerResponse, log: Log): void {
  const started = performance.now();
  response.once('close', () => {
    log({
      level: 'info',
      method: request.method ?? '',
      // The logged path has neither the query nor the name and password of a whole address.
      path: (addressOf(request)?.pathname ?? '').slice(0, MAX_LOGGED_PATH),
      // The status of the response; null if the client disconnected before there was one.
      status: response.headersSent ? response.statusCode : null,
      ms: Math.round(performance.now() - started),
    });
  });
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await once(server.listen(port, host), 'listening').catch((error: unknown) => {
    const cause = causeOf(error);
    throw new Error(
      cause === 'EADDRINUSE'
        ? `port ${port} on ${host} is already in use (AGENT_PORT)`
        : `cannot listen on ${host} port ${port} (AGENT_HOST, AGENT_PORT): ${cause}`,
    );
  });
  const bound = (server.address() as AddressInfo).port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

export async function openServer(
  options: HttpOptions,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { calls, log, requestTimeoutMs } = options;
  const admits = createGate(options.username, options.password);

  /** Responds to a request. Throws 404, 405, 401 `WRONG_CREDENTIALS`, and the errors of `parse` and the call. */
  async function answer(request: IncomingMessage, bytes: Buffer | undefined): Promise<Reply> {
    const { pathname = '', searchParams: query = new URLSearchParams() } = addressOf(request) ?? {};
    const { method, headers } = request;
    const call = calls.get(pathname);
    if (!call) throw new Refusal(404, 'Not found');
    if (method !== call.method) {
      throw new Refusal(405, `Use ${call.method} here`, {}, { allow: call.method });
    }
    if (!call.open && !admits(headers.authorization)) {
      throw refusalOf(401, 'WRONG_CREDENTIALS', undefined, { 'www-authenticate': CHALLENGE });
    }
    return call.run({ body: method === 'GET' ? {} : parse(bytes), query, headers });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    logWhenDone(request, response, log);
    let bytes: Buffer | undefined;
    try {
      bytes = await readBody(request);
    } catch {
      return;
    }
    const reply: Reply & { headers?: Record<string, string> } = await answer(request, bytes).catch(
      (error: unknown) => replyTo(error, log),
    );
    const payload = Buffer.from(JSON.stringify(reply.body));
    response.writeHead(reply.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': payload.length,
      'cache-control': 'no-store',
      ...(server.listening ? {} : { connection: 'close' }),
      ...reply.headers,
    });
    response.end(payload);
  }

  const server = createServer({
    headersTimeout: Math.min(10_000, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 5000,
    // By default this interval is 30 s, and the two timeouts above could take that much longer.
    connectionsCheckingInterval: 500,
  });
  server.on('request', (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log({ level: 'error', message: `Reply failed: ${causeOf(error)}` });
      request.destroy();
    });
  });
  // Errors are handled elsewhere: `listen` throws for a port that it cannot get, and a failed
  // connection must not end the others.
  server.on('error', () => {});

  const url = await listen(server, options.host, options.port);
  return {
    url,
    async stop() {
      const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await once(server.close(), 'close');
      clearTimeout(impatience);
    },
  };
}
