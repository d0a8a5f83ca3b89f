import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { Services } from './core/context.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { authRoutes } from './features/auth/routes.ts';
import { creditRoutes } from './features/credits/routes.ts';
import { bulkRoutes } from './features/lines/bulk/routes.ts';
import { lineRoutes } from './features/lines/routes.ts';
import { preferenceRoutes } from './features/preferences/routes.ts';
import { serverRoutes } from './features/servers/routes.ts';
import { settingsRoutes } from './features/settings/routes.ts';
import { syncRoutes } from './features/sync/routes.ts';
import { serveBackup } from './http/backup.ts';
import { keepOutOfCaches } from './http/caching.ts';
import { endIdleConnections } from './http/connections.ts';
import { document } from './http/documentation.ts';
import { handleErrors, validatorCompiler } from './http/errors.ts';
import { streamEvents } from './http/events.ts';
import { mount } from './http/mount.ts';
import { serveWebApp } from './http/static.ts';
import { reportState } from './http/system.ts';

/** Every feature of the panel. */
const routes = [
  ...authRoutes,
  ...preferenceRoutes,
  ...settingsRoutes,
  ...lineRoutes,
  ...bulkRoutes,
  ...serverRoutes,
  ...syncRoutes,
  ...accountRoutes,
  ...creditRoutes,
];

const WEB_APP_FOLDER = join(import.meta.dirname, '../../web/dist');
const BODY_LIMIT_BYTES = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config } = services;
  const app = fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.trust_proxy,
    // An id of any length is judged like every other input, by its schema.
    routerOptions: { maxParamLength: 16_384 },
    // What cannot be decoded names nothing: it is answered, and logged, like every unknown path.
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : '/api/'),
    // A request that reaches a closing server is still answered: its connection ends with the reply.
    return503OnClosing: false,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser('text/plain');
  handleErrors(app);
  logRequests(app);
  keepOutOfCaches(app);
  const closing = endIdleConnections(app);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'https:'],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    strictTransportSecurity: config.public_url?.protocol === 'https:',
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  });
  await document(
    app,
    services.auth.cookie.name,
    routes.map(({ endpoint }) => endpoint),
  );
  await serveWebApp(app, WEB_APP_FOLDER);
  reportState(app, services, closing);
  streamEvents(app, services);
  await serveBackup(app, services);
  app.register(async (scope) => mount(scope, services, routes));
  return app;
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?')[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** Asked every second by whoever watches: said only where the level is low, or the answer is bad. */
const WATCHED = new Set(['/health', '/ready', '/metrics']);

/** One structured line a request; never a header, a query or a body. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const isRoutine = WATCHED.has(request.routeOptions.url ?? '') && reply.statusCode === 200;
    request.log[isRoutine ? 'debug' : 'info'](
      {
        method: request.method,
        path: request.url.split('?')[0],
        endpoint: request.routeOptions.config.endpoint?.name,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        account_id: request.ctx?.signedIn?.id,
      },
      'request',
    );
  });
}
