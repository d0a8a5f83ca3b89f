import { createHash, timingSafeEqual } from 'node:crypto';
import { on, once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Body, Call, Reply } from './calls.ts';
import { causeOf, type Log } from './log.ts';
import { Refusal, refusalOf } from './refusal.ts';

const CHALLENGE = 'Basic realm="linekeeper agent", charset="UTF-8"';

const MAX_BODY_BYTES = 64 * 1024;
const TOO_LARGE = 'The request body is larger than 64 KiB';

const DRAIN_MS = 1000;
const DRAIN_BYTES = 1024 * 1024;

/** Time that requests in flight have to finish after the agent is asked to stop. */
const GRACE_MS = 3000;
const MAX_LOGGED_PATH = 200;

type HttpOptions = {
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

  return function admits(header: string | undefined): boolean {
    const match = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '');
    const credentials = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8');
    // A username has no colon, so that name and password are compared as one text.
    return timingSafeEqual(digest(credentials), wanted);
  };
}

/** The client disconnected before the body was complete, so nothing is replied. */
class Abandoned extends Error {}

/** Throws 413 for a body that is too large, which is left to `drain`. */
async function collect(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw new Refusal(413, TOO_LARGE);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Abandoned();
  }
  return Buffer.concat(chunks);
}

/**
 * Parses the body as a JSON object; throws `Refusal` (400, 413) or `Abandoned`. `accept` is called
 * before the body is read, to send 100 Continue.
 */
async function readJson(request: IncomingMessage, accept: () => void): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    throw new Refusal(413, TOO_LARGE);
  }
  accept();
  const bytes = await collect(request);
  let value: unknown;
  try {
    // With `fatal`, invalid bytes are an error; otherwise all would become one replacement character.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'The request body must be a JSON object');
  }
  return value as Body;
}

/**
 * Discards what the client is still sending, within bounds. Closing immediately would reset the
 * connection and destroy a reply that the client has not read yet.
 */
async function drain(request: IncomingMessage): Promise<void> {
  const limits = { signal: AbortSignal.timeout(DRAIN_MS), close: ['end', 'close'] };
  const chunks = on(request, 'data', limits);
  request.resume();
  let size = 0;
  try {
    for await (const [chunk] of chunks) {
      size += chunk.length;
      if (size > DRAIN_BYTES) return;
    }
  } catch {
    // The client is too slow, or gone.
  }
}

/** The path without the query, and without user:password@host of an absolute URL. */
function pathOf(request: IncomingMessage): string {
  const path = (request.url ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return path.replace(/[?#].*$/s, '') || '/';
}

function queryOf(request: IncomingMessage): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(request.url ?? '')?.[1]);
}

type Admits = ReturnType<typeof createGate>;

function choose(calls: HttpOptions['calls'], admits: Admits, request: IncomingMessage): Call {
  const call = calls.get(pathOf(request));
  if (!call) throw new Refusal(404, 'Not found');
  if (request.method !== call.method) {
    throw new Refusal(405, `Use ${call.method} here`, { allow: call.method });
  }
  if (!call.open && !admits(request.headers.authorization)) {
    throw refusalOf(401, 'WRONG_CREDENTIALS', undefined, { 'www-authenticate': CHALLENGE });
  }
  return call;
}

function replyTo(error: unknown, log: Log): Reply & { headers: Record<string, string> } {
  const isRefusal = error instanceof Refusal;
  if (!isRefusal) log({ level: 'error', message: `Request failed: ${causeOf(error)}` });
  const { status, message, fields, headers } = isRefusal ? error : refusalOf(500, 'INTERNAL');
  return { status, body: { message, ...fields }, headers };
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply & { headers?: Record<string, string> },
  closing: boolean,
): Promise<void> {
  const payload = Buffer.from(JSON.stringify(reply.body));
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
  const unread = (encoding !== undefined || Number(length) > 0) && !request.complete;
  response.writeHead(reply.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': payload.length,
    'cache-control': 'no-store',
    ...(unread || closing ? { connection: 'close' } : {}),
    ...reply.headers,
  });
  if (!unread) {
    response.end(payload);
    return;
  }
  // This write already completes the reply; ending it makes Node close the connection.
  response.write(payload);
  await drain(request);
  response.end();
}

/** Replies in JSON even to input so malformed or slow that it never became a request. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex, begun: boolean) {
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  const statuses = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };
  const status = statuses[error.code as keyof typeof statuses] ?? 400;
  const payload = JSON.stringify({ message: STATUS_CODES[status] });
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n`;
  const type = `content-type: application/json; charset=utf-8\r\n`;
  socket.end(`${head}${type}content-length: ${payload.length}\r\n\r\n${payload}`);
}

function logWhenDone(request: IncomingMessage, response: ServerResponse, log: Log): void {
  const started = performance.now();
  response.once('close', () => {
    log({
      level: 'info',
      method: request.method ?? '',
      path: pathOf(request).slice(0, MAX_LOGGED_PATH),
      // null if the client disconnected before there was a status.
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
  host: string,
  port: number,
  options: HttpOptions,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { calls, log, requestTimeoutMs } = options;
  const admits = createGate(options.username, options.password);
  const sockets = new Set<Socket>();
  const answering = new Map<Duplex, ServerResponse>();
  let closing = false;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    answering.set(socket, response);
    response.once('close', () => {
      // Unless the next request on this connection is already being handled.
      if (answering.get(socket) === response) answering.delete(socket);
    });
    logWhenDone(request, response, log);
    const accept = () => {
      // Sent only now, so that a client with Expect: 100-continue does not upload a body that is
      // refused.
      if (request.headers.expect !== undefined) response.writeContinue();
    };
    try {
      const call = choose(calls, admits, request);
      const asked = { query: queryOf(request), headers: request.headers };
      await send(
        request,
        response,
        await call.run(() => readJson(request, accept), asked),
        closing,
      );
    } catch (error) {
      if (error instanceof Abandoned) return;
      await send(request, response, replyTo(error, log), closing);
    }
  }

  const server = createServer({
    headersTimeout: Math.min(10_000, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 5000,
    // With the default of 30 s, the two timeouts above could take up to 30 s longer.
    connectionsCheckingInterval: 500,
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      log({ level: 'error', message: `Reply failed: ${causeOf(error)}` });
      request.destroy();
    });
  };
  server.on('request', onRequest).on('checkContinue', onRequest);
  // The start tells of a port that it cannot get; a connection that cannot be accepted ends no other.
  server.on('error', () => {});
  server.on('clientError', (error, socket) => {
    answerBrokenRequest(error, socket, answering.get(socket)?.headersSent ?? false);
  });

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  const url = await listen(server, host, port);
  return {
    url,
    stop() {
      closing = true;
      return new Promise((resolve) => {
        const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearTimeout(impatience);
          resolve();
        });
        // closeIdleConnections() would leave connections open that have never sent a request.
        for (const socket of sockets) if (!answering.has(socket)) socket.destroy();
      });
    },
  };
}
