import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { createConnection, type Socket } from 'node:net';

export interface RawRequest {
  method?: string;
  /** The path, sent unchanged, unlike a URL, which would be normalised. */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  agent?: Agent;
  /** The local address of the connection, such as 127.0.0.2. */
  localAddress?: string;
}

export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The raw body, possibly compressed. */
  bytes: Buffer;
}

/** Sends a request with exactly these headers, without additions of a library. */
export function sendRaw(base: string, options: RawRequest): Promise<RawReply> {
  const { hostname, port } = new URL(base);
  const { body, headers, path, method = 'GET', agent, localAddress } = options;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        headers: { ...length, ...headers },
        ...(localAddress ? { localAddress } : {}),
        ...(agent ? { agent } : { agent: false }),
      },
      async (reply) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of reply) chunks.push(chunk);
        } catch (error) {
          return reject(error);
        }
        // Without a length, a truncated reply ends like a complete one.
        if (!reply.complete) return reject(new Error('The reply was cut short'));
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, headers } = reply;
        resolve({ status, headers, bytes, text: bytes.toString() });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export const JSON_TYPE = { 'content-type': 'application/json' };

export interface GatedRequest {
  /** URL of the panel. */
  url: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

export interface GatedReply {
  status: number;
  headers: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it reads
  body: any;
}

interface Held {
  socket: Socket;
  lastByte: Buffer;
}

/** Sends a request except for its last byte, so that the panel cannot begin to handle it. */
async function hold({ url, method, path, headers, body }: GatedRequest): Promise<Held> {
  const { hostname, port, host } = new URL(url);
  const content = Buffer.from(JSON.stringify(body));
  const lines = Object.entries({
    host,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(content.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = createConnection(Number(port), hostname);
  await once(socket, 'connect');
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const most = Buffer.concat([head, content.subarray(0, -1)]);
  await new Promise<void>((resolve, reject) => {
    socket.write(most, (error) => (error ? reject(error) : resolve()));
  });
  return { socket, lastByte: content.subarray(-1) };
}

async function readReply(socket: Socket): Promise<GatedReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end).toLowerCase();
  const status = Number(/^http\/1\.1 (\d{3})/.exec(headers)?.[1]);
  return { status, headers, body: JSON.parse(text.slice(end + 4)) };
}

/**
 * Sends many requests at the same time: each is held at its last byte until all others have
 * arrived.
 */
export async function sendTogether(requests: readonly GatedRequest[]): Promise<GatedReply[]> {
  const held = await Promise.all(requests.map(hold));
  const replies = held.map(({ socket }) => readReply(socket));
  for (const { socket, lastByte } of held) socket.write(lastByte);
  return Promise.all(replies);
}
