import { createHash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../domain/context/context.ts';
import type { CustomerPages, PageReply, Visit } from '../domain/lines/line-pages.ts';
import { failTemporarily, Refusal } from '../platform/errors/refusal.ts';
import { networkOf } from '../platform/network.ts';
import { Semaphore } from '../platform/semaphore.ts';
import { noteCause } from './request-log.ts';

/** The most pages that are made at the same time, so that many customers do not slow down the sellers. */
const AT_ONCE = 8;
const WAITING = 200;
/** Pages of one network that are made or wait at a time, so that guesses of a few networks do not keep customers out. */
const OF_A_NETWORK = 16;
const RETRY_AFTER_SECONDS = 5;

/**
 * Anyone who has the link sees the page, so nothing of it may reach a cache, a search engine or, as a referrer, another
 * site.
 */
const headersWith = (style: string) => ({
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';'),
});

function visitOf(request: FastifyRequest): Visit {
  const { lang, token: given } = request.query as { lang?: unknown; token?: unknown };
  const { token = typeof given === 'string' ? given : '' } = request.params as { token?: string };
  const { 'accept-language': accepted, 'user-agent': userAgent } = request.headers;
  return {
    token,
    lang: typeof lang === 'string' ? lang : undefined,
    accepted,
    network: networkOf(request.ip),
    userAgent,
    isHead: request.method === 'HEAD',
  };
}

/**
 * Serves the pages of customers, without session and cookies. They are whole pages of HTML, also where they cannot be
 * shown: customers have no use for the API's errors.
 */
export async function serveCustomerPages(
  app: FastifyInstance,
  services: Services,
  pages: CustomerPages,
): Promise<void> {
  const semaphore = new Semaphore(AT_ONCE, WAITING);
  const callsOf = new Map<string, number>();
  const headers = headersWith(pages.style);
  const sendPage = (reply: FastifyReply, { status, html }: PageReply) =>
    reply.status(status).type('text/html; charset=utf-8').send(html);

  async function inTurn<T>({ network }: Visit, work: () => Promise<T>): Promise<T> {
    const count = (more: number) => callsOf.set(network, (callsOf.get(network) ?? 0) + more);
    if ((callsOf.get(network) ?? 0) >= OF_A_NETWORK)
      return failTemporarily('TOO_MANY_CALLS', RETRY_AFTER_SECONDS);
    count(1);
    const leave = await semaphore.enter();
    try {
      if (!leave) return failTemporarily('TOO_MANY_CALLS', RETRY_AFTER_SECONDS);
      return await work();
    } finally {
      leave?.();
      count(-1);
      if (callsOf.get(network) === 0) callsOf.delete(network);
    }
  }

  await app.register(async (scope) => {
    // The forms have no fields, so their bodies are not parsed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
    scope.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
      const visit = visitOf(request);
      if (!(error instanceof Refusal) && (error.statusCode ?? 500) < 500) {
        return sendPage(reply, { status: 400, html: pages.message('gone', visit) });
      }
      const retryAfter = error instanceof Refusal ? error.retryAfter : RETRY_AFTER_SECONDS;
      if (!(error instanceof Refusal)) noteCause(request, error);
      void reply.header('retry-after', retryAfter ?? RETRY_AFTER_SECONDS);
      const isLimited = error instanceof Refusal && error.body.code === 'TOO_MANY_ATTEMPTS';
      return sendPage(reply, {
        status: isLimited ? 429 : 503,
        html: pages.message('later', visit),
      });
    });
    const options = { schema: { hide: true } };
    scope.get('/l/:token', options, async (request, reply) => {
      const visit = visitOf(request);
      return sendPage(reply, await inTurn(visit, () => pages.show(services, visit)));
    });
    // A form that is sent again by a reload of the page after it asks for nothing more.
    scope.post('/l/:token/renewal', options, async (request, reply) => {
      const visit = visitOf(request);
      const refused = await inTurn(visit, () => pages.ask(services, visit));
      if (refused) return sendPage(reply, refused);
      const { pathname, search } = new URL(request.url, 'http://panel');
      return reply.redirect(pathname.replace(/\/renewal$/, '') + search, 303);
    });
    // A press stops the emails, because programs open links by themselves. Mail programs send the same by their own button.
    for (const method of ['GET', 'POST'] as const) {
      scope.route({
        ...options,
        method,
        url: '/stop-reminders',
        handler: async (request, reply) => {
          const visit = visitOf(request);
          const isPressed = method === 'POST';
          return sendPage(reply, await inTurn(visit, () => pages.stop(services, visit, isPressed)));
        },
      });
    }
    scope.get('/l/*', options, async (request, reply) => {
      const html = pages.message('gone', visitOf(request));
      return sendPage(reply, { status: 404, html });
    });
  });
}
