import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errorStatus } from '@linekeeper/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { refusal } from '../../platform/errors/refusal.ts';

/** Milliseconds for a sender that keeps sending and has not read the refusal. */
const REFUSED_MAY_SEND_MS = 2000;

const codes: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
};

const refused = new WeakSet<Duplex>();
const answering = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();

/**
 * True for a request that was followed by bytes that do not belong to a request, such as the end of
 * a body that is longer than announced. Its end is uncertain then.
 */
export function isMalformed({ socket }: IncomingMessage): boolean {
  return refused.has(socket);
}

function replyOf(code: ErrorCode, headers: Record<string, string>): string {
  const body = JSON.stringify(refusal(code).body);
  const fields = {
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = errorStatus(code);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/**
 * Responds to bytes that are not HTTP with REQUEST_TIMEOUT, HEADERS_TOO_LARGE or REQUEST_MALFORMED, and ends their
 * connection.
 */
export class MalformedRequests {
  #headers: Record<string, string> = {};

  readonly refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (refused.has(socket) || socket.destroyed) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = codes[error.code ?? ''] ?? 'REQUEST_MALFORMED';
    const { request, response } = answering.get(socket) ?? {};
    const end = () => {
      socket.end(replyOf(code, this.#headers));
      setTimeout(() => socket.destroy(), REFUSED_MAY_SEND_MS).unref();
    };
    // An earlier request on this connection is complete and in progress, so its reply comes first.
    if (request?.complete && response && !response.closed) response.once('close', end);
    else end();
  };

  watch(app: FastifyInstance, headers: Record<string, string>): void {
    this.#headers = headers;
    app.addHook('preHandler', (request, reply, done) => {
      // This request was refused already, so its work must not begin.
      if (isMalformed(request.raw)) return void reply.hijack();
      answering.set(request.raw.socket, { request: request.raw, response: reply.raw });
      done();
    });
  }
}
