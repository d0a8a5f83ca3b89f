import type { FastifyInstance } from 'fastify';

const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

const YEAR_SECONDS = 31_536_000;

/** Sets and returns headers with which a browser protects its user. A hook that runs later may overwrite them. */
export function guardReplies(app: FastifyInstance, isHttps: boolean): Record<string, string> {
  const headers = {
    'content-security-policy': CONTENT_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    ...(isHttps && { 'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains` }),
  };
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
