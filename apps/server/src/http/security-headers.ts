import helmet from '@fastify/helmet';
import fastify, { type FastifyInstance } from 'fastify';

const directives = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'worker-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/** Of the one reply that helmet is asked for, what is about that reply alone. */
const ofOneReply = ['connection', 'content-length', 'content-type', 'date'];

/** Helmet's headers, read once at the start because every reply has them. */
async function readHelmetHeaders(isHttps: boolean): Promise<Record<string, string>> {
  const probe = fastify();
  await probe.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: isHttps,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  });
  probe.get('/', async () => '');
  const { headers } = await probe.inject('/');
  await probe.close();
  const said = Object.entries(headers).filter(([name]) => !ofOneReply.includes(name));
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]));
}

/**
 * Headers by which a browser guards its user; returns them. A hook that runs later may say something else.
 */
export async function guardReplies(
  app: FastifyInstance,
  isHttps: boolean,
): Promise<Record<string, string>> {
  const headers = await readHelmetHeaders(isHttps);
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
  return headers;
}

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
