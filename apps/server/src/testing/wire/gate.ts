import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

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
