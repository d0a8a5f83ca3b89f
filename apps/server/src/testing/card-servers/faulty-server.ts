import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import {
  TEST_CERTIFICATE,
  TEST_KEY,
} from '../../domain/machines/card-server/testing/certificate.ts';

/** Handles a connection alone or, with `reach`, by means of the card server behind the proxy. */
type Fault = (socket: Socket, reach: () => Socket) => void;

const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

function answer(status: string, type: string, body: string): Fault {
  const length = Buffer.byteLength(body);
  const text = `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`;
  return (socket) => socket.once('data', () => socket.end(text));
}

/** Sends one byte a second as long as the connection is open. */
function trickle(socket: Socket): void {
  const text = `${JSON_HEAD}content-length: 60000\r\n\r\n{"message":"`.padEnd(60_000, 'x');
  let position = 0;
  const timer = setInterval(() => socket.write(text[position++] ?? ''), 1000);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Socket): void {
  const block = Buffer.alloc(256 * 1024, 'a');
  let left = 50 * 1024 * 1024;
  const pour = () => {
    while (left > 0 && socket.writable) {
      left -= block.length;
      if (!socket.write(block)) return;
    }
  };
  socket.on('drain', pour);
  socket.write(`${JSON_HEAD}content-length: ${left}\r\n\r\n`);
  pour();
}

/**
 * Forwards the request, then closes the connection before the reply: the change is made, but
 * unknown.
 */
function loseReply(socket: Socket, reach: () => Socket): void {
  const server = reach();
  socket.pipe(server);
  server.once('data', () => {
    socket.resetAndDestroy();
    server.destroy();
  });
}

function speakTls(socket: Socket): void {
  const secure = new tls.TLSSocket(socket, {
    isServer: true,
    key: TEST_KEY,
    cert: TEST_CERTIFICATE,
  });
  secure.on('error', () => socket.destroy());
}

/** All ways in which a card server can fail, simulated with raw sockets. */
export const faults = {
  // The port itself is closed; see `fail`.
  refused: () => {},
  silent: (socket) => socket.resume(),
  half_open: (socket) => socket.pause(),
  one_byte_a_second: (socket) => socket.once('data', () => trickle(socket)),
  reset: (socket) => socket.once('data', () => socket.resetAndDestroy()),
  status_500: answer('500 Internal Server Error', 'application/json', '{"message":"Disk full"}'),
  status_401: answer('401 Unauthorized', 'application/json', '{}'),
  html: answer('200 OK', 'text/html', '<!doctype html><h1>It works!</h1>'),
  cut_json: (socket) =>
    socket.once('data', () => socket.end(`${JSON_HEAD}content-length: 40\r\n\r\n{"message":"us`)),
  fifty_megabytes: (socket) => socket.once('data', () => flood(socket)),
  redirect: (socket) =>
    socket.once('data', () =>
      socket.end(
        'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n',
      ),
    ),
  bad_certificate: speakTls,
  reply_lost: loseReply,
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof faults;

export interface FaultyServer {
  port: number;
  /** Makes every connection from now on fail in this way; `null` ends the fault. */
  fail(fault: FaultName | (() => FaultName | null) | null): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a proxy in front of the card server on port `behind`. It fails as set by `fail`. */
export async function startFaultyServer(behind: number): Promise<FaultyServer> {
  const sockets = new Set<Socket>();
  let choose: () => FaultName | null = () => null;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const reach = () => keep(net.connect(behind, '127.0.0.1'));
  const server = net.createServer((socket) => {
    keep(socket);
    const fault = choose();
    if (fault === 'refused') socket.resetAndDestroy();
    else if (fault) faults[fault](socket, reach);
    else {
      const through = reach();
      socket.pipe(through).pipe(socket);
      socket.on('close', () => through.destroy());
      through.on('close', () => socket.destroy());
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    fail: async (fault) => {
      choose = typeof fault === 'function' ? fault : () => fault;
      for (const socket of sockets) socket.destroy();
      if (fault === 'refused') await close();
      else if (!server.listening) await listen(port);
    },
    stop: async () => {
      if (server.listening) await close();
    },
  };
}
