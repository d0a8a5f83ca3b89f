import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** What was sent before the end may still stand in the system's queue: it is accepted first. */
const STILL_ACCEPTED_MS = 300;
/** A proxy that looks whether this panel is ready has to see that it is not, and turn to others. */
const STILL_ACCEPTED_FROM_PROXY_MS = 2500;
const PROXY_LOOKS_WITHIN_MS = 10_000;
/** How long what a client sent before the end may take to be read. */
const UNREAD_MAY_LAST_MS = 500;
/** How long a client that does not finish its own request may hold up the end. */
const REQUESTS_MAY_LAST_MS = 6500;
const LOOK_EVERY_MS = 100;
/** How long a busy process may take to accept what stands in the system's queue. */
const QUEUE_MAY_LAST_MS = 2000;
const QUIET_TURNS = 5;

/**
 * A process that computes accepts a connection or so each time it comes round: what was sent long
 * before the end may still wait. Ends when none comes for some turns.
 */
async function takeWhatWaits(accepted: () => number): Promise<void> {
  const endsAt = performance.now() + QUEUE_MAY_LAST_MS;
  for (let before = -1; before !== accepted() && performance.now() < endsAt; ) {
    before = accepted();
    for (let turn = 0; turn < QUIET_TURNS; turn++) await nextTurn();
  }
}

/** The end of the server as a proxy sees it coming. */
export interface Closing {
  hasBegun(): boolean;
  /** Somebody asked whether this panel is ready. */
  wasAskedFor(): void;
}

/**
 * A closing server waits for its connections: each ends with the reply under way. For a moment new
 * ones are taken as before; then those that have nothing under way are closed; those on which no
 * request ever arrived after another moment, in which what was sent already is read; and after a
 * while those whose request still does not end.
 */
export function endIdleConnections(app: FastifyInstance): Closing {
  const unused = new Set<Socket>();
  let isClosing = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let accepted = 0;
  app.server.on('connection', (socket: Socket) => {
    accepted += 1;
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) void reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), REQUESTS_MAY_LAST_MS).unref();
    const isBehindProxy = performance.now() - askedAt < PROXY_LOOKS_WITHIN_MS;
    await sleep(isBehindProxy ? STILL_ACCEPTED_FROM_PROXY_MS : STILL_ACCEPTED_MS);
    await takeWhatWaits(() => accepted);
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
