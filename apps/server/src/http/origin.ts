import type { FastifyRequest } from 'fastify';
import { fail } from '../core/refusal.ts';

/**
 * A browser says where a request comes from; a change asked for by another site is refused. A
 * request that names no origin and carries no Sec-Fetch header comes from no browser, so no other
 * site can have made it.
 */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: URL | null): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') fail('FOREIGN_ORIGIN');
  if (origin === undefined) return;
  const isOwn = publicUrl?.origin === origin || hostOf(origin) === request.host;
  if (!isOwn) fail('FOREIGN_ORIGIN');
}

/** null where the text is more or less than an origin. */
function hostOf(origin: string): string | null {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  return url?.origin === origin ? url.host : null;
}
