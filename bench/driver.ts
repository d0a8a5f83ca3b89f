import { connect, type Socket } from 'node:net';

/** One request after another on each connection, as fast as the server replies. */
export interface Load {
  url: string;
  /** Returns a complete HTTP request, a different one at each call. */
  nextRequest: () => string;
  /** The status expected of each reply. */
  status: number;
  connections: number;
  milliseconds: number;
}

/** Throws on any other status, because fast failures would count as speed. */
export async function drive(load: Load): Promise<{ answers: number; aSecond: number }> {
  const { hostname, port } = new URL(load.url);
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, () => open(hostname, Number(port))),
  );
  const startedAt = performance.now();
  const endsAt = startedAt + load.milliseconds;
  const answered = await Promise.all(sockets.map((socket) => ask(socket, load, endsAt)));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const socket of sockets) socket.destroy();
  const answers = answered.reduce((sum, count) => sum + count, 0);
  return { answers, aSecond: answers / seconds };
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Resolves to the number of replies once the time is up and the last reply has come. */
function ask(socket: Socket, load: Load, endsAt: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0;
    let head = '';
    /** Bytes of the body still to come; null while the header is read. */
    let missing: number | null = null;
    const next = () => socket.write(load.nextRequest());
    const readHead = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const status = Number(head.slice(9, 12));
      if (status !== load.status) {
        reject(new Error(`${load.url} answered ${head}`));
        return;
      }
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1];
      if (length === undefined) {
        reject(new Error(`${load.url} does not say how long its answer is`));
        return;
      }
      missing = Number(length) - (head.length - end - 4);
    };
    socket.on('data', (chunk) => {
      if (missing === null) readHead(chunk);
      else missing -= chunk.length;
      if (missing !== 0) return;
      head = '';
      missing = null;
      answered += 1;
      if (performance.now() < endsAt) next();
      else resolve(answered);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${load.url} closed the connection`)));
    next();
  });
}
