import type { FastifyInstance } from 'fastify';

/** Replies of the API speak of accounts: no browser and no proxy keeps them. */
export function keepOutOfCaches(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url;
    if (path.startsWith('/api/') && !path.startsWith('/api/docs')) {
      void reply.header('cache-control', 'no-store');
    }
  });
}
