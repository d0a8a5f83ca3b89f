import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CHALLENGE } from './auth.ts';
import { Abandoned, drain, hasBody, readJson } from './body.ts';
import type { Call, Reply } from './calls.ts';
import { RenderFailure } from './files/rendered-files.ts';
import { causeOf, type Log } from './log.ts';
import { Refusal } from './refusal.ts';

/** Time that requests in flight have to finish after the agent is asked to stop. */
const GRACE_MILLISECONDS = 3000;
const MAX_LOGGED_PATH = 200;

type HttpOptions = {
  calls: ReadonlyMap<string, Call>;
  admits: (authorization: string | undefined) => boolean;
  log: Log;
  requestTimeoutMs: number;
};

type HttpServer = {
  url: string;
  stop(): Promise<void>;
};

/** The path without the query, and without user:password@host of an absolute URL. */
function pathOf(request: IncomingMessage): string {
  const path = (request.url ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return path.replace(/[?#].*$/s, '') || '/';
}

function queryOf(request: IncomingMessage): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(request.url ?? '')?.[1]);
}

function choose(options: HttpOptions, request: IncomingMessage): Call {
  const call = options.calls.get(pathOf(request));
  if (!call) throw new Refusal(404, 'Not found');
  if (request.method !== call.method) {
    throw new Refusal(405, `Use ${call.method} here`, { allow: call.method });
  }
  if (!call.open && !options.admits(request.headers.authorization)) {
    const headers = { 'www-authenticate': CHALLENGE };
    const message = 'Missing or wrong username or password';
    throw new Refusal(401, message, headers, { code: 'WRONG_CREDENTIALS' });
  }
  return call;
}

function replyTo(error: unknown, log: Log): Reply & { headers?: Record<string, string> } {
  if (error instanceof Refusal) {
    const { status, message, fields, headers } = error;
    return { status, body: { message, ...fields }, headers };
  }
  if (error instanceof RenderFailure) {
    const { message, code, files } = error;
    return { status: 500, body: { message, code, data: { file: files } } };
  }
  log({ level: 'error', message: `Request failed: ${causeOf(error)}` });
  return { status: 500, body: { message: 'Internal error', code: 'INTERNAL' } };
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply & { headers?: Record<string, string> },
  closing: boolean,
): Promise<void> {
  const payload = Buffer.from(JSON.stringify(reply.body));
  const unread = hasBody(request) && !request.complete;
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
  let status = 400;
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') status = 408;
  if (error.code === 'HPE_HEADER_OVERFLOW') status = 431;
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

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const inUse = `port ${port} on ${host} is already in use (AGENT_PORT)`;
      const other = `cannot listen on ${host} port ${port} (AGENT_HOST, AGENT_PORT): ${causeOf(error)}`;
      reject(new Error(error.code === 'EADDRINUSE' ? inUse : other));
    });
    server.listen(port, host, () => {
      const bound = (server.address() as AddressInfo).port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}

export async function openServer(
  host: string,
  port: number,
  options: HttpOptions,
): Promise<HttpServer> {
  const { log, requestTimeoutMs } = options;
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
      const call = choose(options, request);
      await send(
        request,
        response,
        await call.run(() => readJson(request, accept), queryOf(request)),
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
        const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MILLISECONDS);
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
