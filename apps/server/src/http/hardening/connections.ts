import type { Server, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Connections made before the end may still be in the operating system's queue, so the server keeps
 * accepting for this long.
 */
const STILL_ACCEPTED_MS = 300;
/** Milliseconds for which connections are still accepted behind a proxy, until it notices the shutdown. */
const STILL_ACCEPTED_FROM_PROXY_MS = 2500;
const PROXY_LOOKS_WITHIN_MS = 10_000;
/** Milliseconds for reading requests that were sent before the shutdown. */
const UNREAD_MAY_LAST_MS = 500;
/** Time for clients to finish sending their requests. */
const REQUESTS_MAY_LAST_MS = 6500;
const LOOK_EVERY_MS = 100;
/** Turns of the event loop for accepting the connections still in the operating system's queue. */
const MOST_TURNS_AT_THE_END = 10_000;
const QUIET_TURNS_AT_THE_END = 5;

/** The state of the panel's shutdown, which /ready reports to a proxy. */
export interface Shutdown {
  hasBegun(): boolean;
  /** Records that somebody asked for /ready, so that the shutdown waits for a proxy to notice it. */
  wasAskedFor(): void;
}

/**
 * Closes connections at shutdown in steps. For a moment new ones are accepted as usual. Then idle ones are closed, then
 * those without any request, after some time for data that was already sent, and last those whose request does not end.
 * Replies in progress are completed and close their connection.
 */
export function endIdleConnections(app: FastifyInstance, acceptQueue: AcceptQueue): Shutdown {
  const unused = new Set<Socket>();
  let isClosing = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
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
    // Connections that were made long before the shutdown may not have been accepted yet.
    await acceptQueue.empty(MOST_TURNS_AT_THE_END, QUIET_TURNS_AT_THE_END);
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

/**
 * Turns of the event loop without a new connection after which the queue is empty. Each turn
 * accepts one connection; there are two, because the first turn may have begun before the call.
 */
const QUIET_TURNS = 2;
const MOST_TURNS = 1000;

/**
 * The operating system's queue of connections. Node accepts one per turn of the event loop, so
 * while turns are long, new connections wait for seconds.
 */
export class AcceptQueue {
  #accepted = 0;
  #emptying: Promise<void> | null = null;

  constructor(server: Server) {
    server.on('connection', () => {
      this.#accepted += 1;
    });
  }

  /**
   * Resolves when the queue is empty, or after `mostTurns` turns of the event loop, so that it ends
   * on slow machines and under constant load. Concurrent callers share one run.
   */
  async empty(mostTurns = MOST_TURNS, quietTurns = QUIET_TURNS): Promise<void> {
    this.#emptying ??= this.#takeAll(mostTurns, quietTurns).finally(() => {
      this.#emptying = null;
    });
    await this.#emptying;
  }

  async #takeAll(mostTurns: number, quietTurns: number): Promise<void> {
    for (let before = -1, turns = 0; before !== this.#accepted && turns < mostTurns; ) {
      before = this.#accepted;
      for (let quiet = 0; quiet < quietTurns; quiet++, turns++) await nextTurn();
    }
  }
}
