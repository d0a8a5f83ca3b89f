import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Milliseconds within which the headers and body of a request must arrive. */
const REQUEST_MAY_TAKE_MS = 30_000;
/** Milliseconds for a request with a file: ten megabytes at 150 kbit/s. `withUpload` ends silent uploads earlier. */
const UPLOAD_MAY_TAKE_MS = 600_000;
const LOOK_EVERY_MS = 500;

/** Ends slow requests with 408. By default Node gives headers a minute and checks every 30 s only. */
export function requestTimeouts(ms = REQUEST_MAY_TAKE_MS) {
  return {
    body_ms: ms,
    server: {
      requestTimeout: UPLOAD_MAY_TAKE_MS,
      http: { headersTimeout: ms, connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, ms) },
    },
  };
}

function announcesBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Ends slow requests without a file. Node has a single timeout for all requests, which is set for uploads. */
export function endSlowBodies(app: FastifyInstance, ms: number): void {
  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    if (announcesBody(raw.headers) && !routeOptions.config.endpoint?.takesFile) {
      const end = () => {
        if (raw.complete) return;
        const error = Object.assign(new Error('The request timed out before it was complete'), {
          code: 'ERR_HTTP_REQUEST_TIMEOUT',
        });
        app.server.emit('clientError', error, raw.socket);
      };
      const timer = setTimeout(end, ms).unref();
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
