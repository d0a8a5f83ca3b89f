import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Connections made before the end may still be in the operating system's queue, so the server keeps
 * accepting for this long.
 */
const STILL_ACCEPTED_MS = 300;
/** Long enough for a proxy to notice that this panel is not ready. */
const STILL_ACCEPTED_FROM_PROXY_MS = 2500;
const PROXY_LOOKS_WITHIN_MS = 10_000;
/** Time to read requests that were sent before the end. */
const UNREAD_MAY_LAST_MS = 500;
/** Time for clients to finish sending their requests. */
const REQUESTS_MAY_LAST_MS = 6500;
const LOOK_EVERY_MS = 100;
/** Node accepts one connection in a turn of the event loop: after so many without one, none waits. */
const QUIET_TURNS = 5;
const MOST_TURNS = 10_000;

/** State of the shutdown, as seen by a proxy. */
export interface Shutdown {
  hasBegun(): boolean;
  /** Call at every request of /ready. */
  wasAskedFor(): void;
}

/**
 * Closes connections at shutdown in steps. For a moment new ones are accepted as usual; then idle
 * ones are closed; then those without any request, after some time to read what was already sent;
 * finally those whose request does not end. Replies in progress are completed and end their
 * connection.
 */
export function endIdleConnections(app: FastifyInstance): Shutdown {
  const unused = new Set<Socket>();
  let accepted = 0;
  let isClosing = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  app.server.on('connection', (socket: Socket) => {
    accepted += 1;
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  const acceptWaiting = async () => {
    for (let before = -1, turns = 0; before !== accepted && turns < MOST_TURNS; ) {
      before = accepted;
      for (let quiet = 0; quiet < QUIET_TURNS; quiet++, turns++) await nextTurn();
    }
  };
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), REQUESTS_MAY_LAST_MS).unref();
    const isBehindProxy = performance.now() - askedAt < PROXY_LOOKS_WITHIN_MS;
    await sleep(isBehindProxy ? STILL_ACCEPTED_FROM_PROXY_MS : STILL_ACCEPTED_MS);
    // Connections made long before the end may still wait to be accepted.
    await acceptWaiting();
    const looking = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS).unref();
    app.server.once('close', () => clearInterval(looking));
    setTimeout(() => {
      for (const socket of unused) socket.destroy();
    }, UNREAD_MAY_LAST_MS).unref();
  });
  return {
    hasBegun: () => isClosing,
    wasAskedFor: () => {
      askedAt = performance.now();
    },
  };
}
