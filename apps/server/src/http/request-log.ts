import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

/** Paths that monitoring calls every second. They are logged only at a low log level or with an error status. */
const WATCHED = new Set(['/health', '/ready', '/metrics']);

/** Milliseconds within which one of the requests refused with 503 is logged, because clients repeat them. */
const REFUSED_EVERY_MS = 1000;
const causes = new WeakMap<FastifyRequest, unknown>();

/** Adds the cause of a refusal to the log entry of its request, so that there is one entry instead of two. */
export function noteCause(request: FastifyRequest, error: unknown): void {
  causes.set(request, error);
}

/** The path of a request. That of a customer's page is its secret, and is left out. */
const loggedPath = (url: string) => url.split('?')[0]?.replace(/^\/+(?:l|%[46]c)\/.*/i, '/l/…');

/** Writes one structured line per request, without headers, query or body. */
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
        path: loggedPath(request.url),
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
