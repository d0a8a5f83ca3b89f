import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import client from 'prom-client';
import type { Config } from '../platform/config/config.ts';
import { version } from '../platform/config/version.ts';
import { sendRefusal } from './errors.ts';
import { logRequests } from './request-log.ts';
import { guardReplies } from './security-headers.ts';
import { serveWebApp } from './static.ts';

const RETRY_AFTER_SECONDS = 5;
const OPEN = /^\/(health|ready|metrics)(\?|$)/;

/**
 * Responds in the panel's place until its database is available: /health and /ready report the wait, the web app is
 * served, and all other requests get DATABASE_UNAVAILABLE. The result of `waitingFor` contains no password.
 */
export async function buildWaitingRoom(
  { trust_proxy, public_url }: Config,
  log: FastifyBaseLogger,
  webFolder: string,
  waitingFor: () => { database: string; reason: string },
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trust_proxy,
    // Connections are closed by force, because the panel needs the port immediately.
    forceCloseConnections: true,
  });
  logRequests(app, log);
  guardReplies(app, public_url?.protocol === 'https:');
  app.addHook('onRequest', async ({ method, url }, reply) => {
    void reply.header('connection', 'close');
    const isRead = method === 'GET' || method === 'HEAD';
    if (OPEN.test(url) || (isRead && !/^\/api(\/|\?|$)/.test(url))) return;
    void reply.header('retry-after', RETRY_AFTER_SECONDS).header('cache-control', 'no-store');
    return sendRefusal(reply, 'DATABASE_UNAVAILABLE');
  });
  await serveWebApp(app, webFolder);
  const state = () => {
    const { database, reason } = waitingFor();
    return { status: 'waiting', version, waiting_for: `the database at ${database}`, reason };
  };
  app.get('/health', async () => state());
  app.get('/ready', (_request, reply) =>
    reply.status(503).send({ ...state(), database: 'unreachable', migrations: 'unknown' }),
  );
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const isUp = new client.Gauge({
    name: 'linekeeper_database_up',
    help: 'Whether the database answered this panel: 1 or 0',
    registers: [registry],
  });
  isUp.set(0);
  app.get('/metrics', async (_request, reply) => {
    void reply.type(registry.contentType);
    return registry.metrics();
  });
  return app;
}
