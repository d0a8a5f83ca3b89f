import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long what a client sent before the end may take to be read. */
const UNREAD_MAY_LAST_MS = 500;
/** How long a client that does not finish its own request may hold up the end. */
const REQUESTS_MAY_LAST_MS = 6500;
const LOOK_EVERY_MS = 100;

/**
 * A closing server waits for its connections: each ends with the reply under way. Those that have
 * nothing under way are closed; those on which no request ever arrived after a moment, in which
 * what was sent already is read; and after a while those whose request still does not end.
 */
export function endIdleConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let isClosing = false;
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) void reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    const looking = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS).unref();
    app.server.once('close', () => clearInterval(looking));
    setTimeout(() => {
      for (const socket of unused) socket.destroy();
    }, UNREAD_MAY_LAST_MS).unref();
    setTimeout(() => app.server.closeAllConnections(), REQUESTS_MAY_LAST_MS).unref();
  });
}
