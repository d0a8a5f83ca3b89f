import type { FastifyRequest } from 'fastify';
import { fail } from '../platform/errors/refusal.ts';

/**
 * Refuses changes requested by other sites (CSRF), which browsers mark with Origin or Sec-Fetch
 * headers. A request with neither does not come from a browser, so no other site can have caused
 * it.
 */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: URL | null): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') fail('FOREIGN_ORIGIN');
  if (origin === undefined) return;
  const isOwn = publicUrl?.origin === origin || hostOf(origin) === request.host;
  if (!isOwn) fail('FOREIGN_ORIGIN');
}

/** null if the text is not exactly an origin. */
function hostOf(origin: string): string | null {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  return url?.origin === origin ? url.host : null;
}
