import http, { type IncomingHttpHeaders } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { addressPolicy } from '../../../../platform/http-client/address.ts';
import type { Outbound } from '../../../../platform/http-client/request.ts';
import { atEnd } from '../../../../testing/at-end.ts';
import type { CardServer } from '../client.ts';
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.ts';

/** Calls to servers of this machine. */
export const outbound: Outbound = {
  permits: addressPolicy({ allow: [], loopbackAllowed: true }),
  deadlineMs: 2_000,
};

/** A server on loopback that counts its connections. */
export type TestServer = { port: number; connections: () => number };

const running = new Set<() => Promise<void>>();

/** Stops every server started since the last call; those that still run end with the test file. */
export async function stopServers(): Promise<void> {
  const stopping = [...running].map((stop) => stop());
  running.clear();
  await Promise.all(stopping);
}

async function listen(server: net.Server, address = '127.0.0.1', port = 0): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  const stop = atEnd(() => {
    running.delete(stop);
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  running.add(stop);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  return { port: (server.address() as AddressInfo).port, connections: () => count };
}

/** Passes each raw connection to `onConnection`. */
export function startTcp(
  onConnection: (socket: Socket) => void,
  address?: string,
  port?: number,
): Promise<TestServer> {
  return listen(net.createServer(onConnection), address, port);
}

/** Replies to the first bytes of each connection with `text` and closes it. */
export function startCanned(text: string, address?: string, port?: number): Promise<TestServer> {
  return startTcp((socket) => socket.once('data', () => socket.end(text)), address, port);
}

/** A TLS server with the test certificate; `names` collects the server names (SNI) requested. */
export async function startTls(text: string, names: (string | false)[] = []): Promise<TestServer> {
  const server = tls.createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (socket) => {
    names.push(socket.servername ?? false);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(text));
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return listen(server);
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const { port } = await startTcp(() => {});
  await stopServers();
  return port;
}

export function httpText(status: number, body: string, headers: string[] = []): string {
  const lines = [`HTTP/1.1 ${status} X`, `content-length: ${Buffer.byteLength(body)}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

export type SeenCall = {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: unknown;
};

type ApiReply = { status: number; json?: object; text?: string };

/** A card server's API: `answer` returns the replies, `calls` collects the requests. */
export async function startApi(
  answer: (call: SeenCall) => ApiReply | Promise<ApiReply>,
): Promise<TestServer & { calls: SeenCall[]; cardServer: CardServer }> {
  const calls: SeenCall[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, body: text === '' ? null : JSON.parse(text) };
    calls.push(call);
    const reply = await answer(call);
    response.statusCode = reply.status;
    response.end(reply.text ?? (reply.json ? JSON.stringify(reply.json) : ''));
  });
  const started = await listen(server);
  return { ...started, calls, cardServer: cardServerAt(started.port) };
}

export function cardServerAt(port: number): CardServer {
  return {
    host_ip: '127.0.0.1',
    api_port: port,
    api_scheme: 'http',
    username: 'panel',
    password: 'server-secret',
  };
}
