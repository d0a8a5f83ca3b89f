import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];

/**
 * A logger that names its request in each line. Few requests write a line, so the child logger is
 * created at the first one.
 */
export function lazyRequestLog(log: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger {
  return new RequestLog(log, bindings) as unknown as FastifyBaseLogger;
}

class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  #own: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get own(): FastifyBaseLogger {
    this.#own ??= this.#parent.child(this.#bindings);
    return this.#own;
  }

  get level(): string {
    return this.#parent.level;
  }
}

for (const name of [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
  'child',
] as const) {
  Object.defineProperty(RequestLog.prototype, name, {
    value(this: RequestLog, ...line: [object]) {
      return this.own[name](...line);
    },
  });
}

/**
 * Monitoring calls these every second, so they are logged only at a low log level or with an error
 * status.
 */
const WATCHED = new Set(['/health', '/ready', '/metrics']);

/** Of the requests refused with 503, one in this time is logged: clients repeat them until the cause is gone. */
const REFUSED_EVERY_MS = 1000;
const causes = new WeakMap<FastifyRequest, unknown>();

/** The request's line says why it was refused; without this, that takes a line of its own. */
export function noteCause(request: FastifyRequest, error: unknown): void {
  causes.set(request, error);
}

/** One structured line per request, without headers, query or body. */
export function logRequests(app: FastifyInstance, log: FastifyBaseLogger): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  let nextRefusal = -Infinity;
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 503) {
      if (performance.now() < nextRefusal) return done();
      nextRefusal = performance.now() + REFUSED_EVERY_MS;
    }
    const isRoutine = WATCHED.has(request.routeOptions.url ?? '') && reply.statusCode === 200;
    const err = causes.get(request);
    log[err ? 'error' : isRoutine ? 'debug' : 'info'](
      {
        reqId: request.id,
        method: request.method,
        path: request.url.split('?')[0],
        endpoint: request.routeOptions.config.endpoint?.name,
        status: reply.statusCode,
        ip: request.ip,
        ms: Math.round(reply.elapsedTime),
        account_id: request.ctx?.signedIn?.id,
        err,
      },
      'request',
    );
    done();
  });
}
