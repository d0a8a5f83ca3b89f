import type { ApiKeyScope } from '@linekeeper/contract/auth/scopes.ts';
import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { findApiKey } from '../domain/accounts/api-keys.ts';
import { findSession } from '../domain/accounts/sessions.ts';
import { type Auth, SESSION_SECONDS } from '../domain/context/auth.ts';
import type { Caller } from '../domain/context/caller.ts';
import type { Services } from '../domain/context/context.ts';
import { fail } from '../platform/errors/refusal.ts';
import { networkOf } from '../platform/network.ts';
import { apiKeyLimit, enforceLimit } from '../platform/rate-limit.ts';

/** The value of the session's cookie, decoded if possible. */
const cookieValue = ({ headers }: FastifyRequest, { cookie }: Auth) =>
  parseCookie(headers.cookie ?? '')[cookie.name];

/**
 * The API key of a request; null without `Authorization: Bearer`. Other schemes are for a proxy in front of the panel.
 */
function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string | null {
  const [scheme = '', key = ''] = authorization.trim().split(/ +/, 2);
  return scheme.toLowerCase() === 'bearer' ? key : null;
}

/**
 * The signed-in account of a request; null for visitors. With an API key, a cookie is ignored. Throws INVALID_API_KEY for a
 * wrong key, TOO_MANY_ATTEMPTS if an address has sent too many wrong keys, BACKUP_KEY_ONLY for a key of kind backup unless
 * `takesBackupKey` is set, and SCOPE_MISSING for a key without the scope.
 */
export async function readCaller(
  { db, auth }: Services,
  request: FastifyRequest,
  { takesBackupKey = false, scope = 'read' as ApiKeyScope } = {},
): Promise<Caller | null> {
  const key = bearerOf(request);
  if (key !== null) {
    const caller = await findApiKey(db, key);
    if (caller?.key_kind === 'backup' && !takesBackupKey) fail('BACKUP_KEY_ONLY');
    if (caller?.key_scopes?.includes(scope) === false) fail('SCOPE_MISSING', { scope });
    if (caller) return caller;
    await enforceLimit(db, apiKeyLimit, networkOf(request.ip));
    return fail('INVALID_API_KEY');
  }
  const value = cookieValue(request, auth);
  const token = value && auth.readSessionToken(value);
  return token ? findSession(db, token) : null;
}

/** The cookie of the request with a new expiry, for an extended session. */
export function renewedCookie(auth: Auth, request: FastifyRequest): string | null {
  const value = cookieValue(request, auth);
  return value ? auth.cookie.write(encodeURIComponent(value), SESSION_SECONDS) : null;
}

/**
 * Refuses changes that another site requested (CSRF), which browsers mark with Origin or Sec-Fetch headers. A request
 * with neither does not come from a browser, so no other site can have caused it. Refusing it would break curl, and stop
 * no attacker. Throws FOREIGN_ORIGIN.
 */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: URL | null): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') fail('FOREIGN_ORIGIN');
  if (origin === undefined) return;
  const isOwn = publicUrl?.origin === origin || hostOf(origin) === request.host;
  if (!isOwn) fail('FOREIGN_ORIGIN');
}

/** The host of an origin; null if the text is anything else. */
function hostOf(origin: string): string | null {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  return url?.origin === origin ? url.host : null;
}
