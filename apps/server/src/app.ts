import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import type { ZodType } from 'zod';
import type { Services } from './domain/context/context.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { activityRoutes } from './features/activity/routes.ts';
import { apiKeyRoutes } from './features/api-keys/routes.ts';
import { articleRoutes } from './features/articles/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { authRoutes } from './features/auth/routes.ts';
import { bookRoutes } from './features/book/routes.ts';
import { contactRoutes } from './features/contact/routes.ts';
import { creditRoutes } from './features/credits/routes.ts';
import { dashboardRoutes } from './features/dashboard/routes.ts';
import { geoRoutes } from './features/geo/routes.ts';
import { groupRoutes } from './features/groups/routes.ts';
import { customerPages } from './features/lines/page/open-page.ts';
import { lineRoutes } from './features/lines/routes.ts';
import { messageRoutes } from './features/messages/routes.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { preferenceRoutes } from './features/preferences/routes.ts';
import { priceRoutes } from './features/prices/routes.ts';
import { redeemCodeRoutes } from './features/redeem-codes/routes.ts';
import { serverRoutes } from './features/servers/routes.ts';
import { settingsRoutes } from './features/settings/routes.ts';
import { syncRoutes } from './features/sync/routes.ts';
import { systemRoutes } from './features/system/routes.ts';
import { ticketRoutes } from './features/tickets/routes.ts';
import { applyStripeEvent } from './features/top-ups/apply-stripe-event.ts';
import { topUpRoutes } from './features/top-ups/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import { serveAgent } from './http/agent-files.ts';
import { serveBackup } from './http/backup.ts';
import { serveCustomerPages } from './http/customer-pages.ts';
import { answerInTime } from './http/deadline.ts';
import { document } from './http/documentation.ts';
import { handleErrors, validatorCompiler } from './http/errors.ts';
import { AcceptQueue, endIdleConnections } from './http/hardening/connections.ts';
import { MalformedRequests } from './http/hardening/malformed.ts';
import { endSlowBodies, requestTimeouts } from './http/hardening/request-timeouts.ts';
import { replyAfterBody } from './http/hardening/unread-bodies.ts';
import { addHealthRoutes } from './http/health.ts';
import { streamEvents } from './http/live/events.ts';
import { mount } from './http/mount.ts';
import { logRequests } from './http/request-log.ts';
import { guardReplies, keepOutOfCaches } from './http/security-headers.ts';
import { serializerOf } from './http/serializer.ts';
import { serveWebApp } from './http/static.ts';
import { receiveStripeEvents } from './http/stripe-webhook.ts';

/** Routes of all features. */
export const routes = [
  ...dashboardRoutes,
  ...authRoutes,
  ...apiKeyRoutes,
  ...preferenceRoutes,
  ...settingsRoutes,
  ...lineRoutes,
  ...bookRoutes,
  ...serverRoutes,
  ...syncRoutes,
  ...accountRoutes,
  ...groupRoutes,
  ...priceRoutes,
  ...creditRoutes,
  ...redeemCodeRoutes,
  ...topUpRoutes,
  ...contactRoutes,
  ...messageRoutes,
  ...notificationRoutes,
  ...ticketRoutes,
  ...auditRoutes,
  ...activityRoutes,
  ...systemRoutes,
  ...articleRoutes,
  ...geoRoutes,
  ...webhookRoutes,
];

export const WEB_APP_FOLDER = join(import.meta.dirname, '../../web/dist');
const AGENT_FOLDER = join(import.meta.dirname, '../../agent/dist');
const BODY_LIMIT_BYTES = 256 * 1024;

export async function buildApp(
  services: Services,
  limits = requestTimeouts(),
): Promise<FastifyInstance> {
  const { config } = services;
  const malformed = new MalformedRequests();
  const app = fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    ...limits.server,
    trustProxy: config.trust_proxy,
    // Ids of any length reach validation by their schema.
    routerOptions: { maxParamLength: 16_384 },
    // Addresses that cannot be decoded become an unknown path, so that they are logged and get a reply.
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : '/api/'),
    // A request that reaches a closing server is still answered; its connection ends with the
    // reply.
    return503OnClosing: false,
    clientErrorHandler: malformed.refuse,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler<ZodType>(({ schema }) => serializerOf(schema));
  app.removeContentTypeParser('text/plain');
  handleErrors(app);
  replyAfterBody(app);
  answerInTime(app);
  endSlowBodies(app, limits.body_ms);
  logRequests(app, services.log);
  keepOutOfCaches(app);
  const acceptQueue = new AcceptQueue(app.server);
  // New connections are accepted before the embedded database blocks the process.
  services.connection.beforeUse(() => acceptQueue.empty());
  app.addHook('preClose', async () => services.connection.beforeUse(null));
  const closing = endIdleConnections(app, acceptQueue);
  malformed.watch(app, guardReplies(app, config.public_url?.protocol === 'https:'));
  await document(
    app,
    services.auth.cookie.name,
    routes.map(({ endpoint }) => endpoint),
  );
  await serveWebApp(app, WEB_APP_FOLDER);
  serveAgent(app, services, AGENT_FOLDER);
  addHealthRoutes(app, services, closing);
  streamEvents(app, services);
  await serveBackup(app, services);
  await receiveStripeEvents(app, services, applyStripeEvent);
  await serveCustomerPages(app, services, customerPages);
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
