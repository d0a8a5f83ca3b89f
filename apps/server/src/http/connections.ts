import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a client that does not finish its own request may hold up the end. */
const REQUESTS_MAY_LAST_MS = 6500;

/**
 * A closing server waits for its connections. Those on which no request ever arrived are nobody's
 * work: they are closed at once, and after a while those whose request still does not end.
 */
export function endIdleConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let isClosing = false;
  app.server.on('connection', (socket: Socket) => {
    if (isClosing) return void socket.destroy();
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of unused) socket.destroy();
    setTimeout(() => app.server.closeAllConnections(), REQUESTS_MAY_LAST_MS).unref();
  });
}
