import type { FastifyInstance } from 'fastify';

/** API replies contain account data, so browsers and proxies must not store them. */
export function keepOutOfCaches(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url;
    if (path.startsWith('/api/') && !path.startsWith('/api/docs')) {
      void reply.header('cache-control', 'no-store');
    }
    done();
  });
}
