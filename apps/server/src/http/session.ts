import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { findApiKey } from '../domain/accounts/api-keys.ts';
import { findSession } from '../domain/accounts/sessions.ts';
import type { Auth } from '../domain/context/auth.ts';
import { SESSION_SECONDS } from '../domain/context/auth.ts';
import type { Caller } from '../domain/context/caller.ts';
import type { Services } from '../domain/context/context.ts';
import { fail } from '../platform/errors/refusal.ts';
import { networkOf } from '../platform/network.ts';
import { apiKeyLimit, enforceLimit } from '../platform/rate-limit.ts';

/** Value of a cookie, decoded if possible; the first one if the name occurs twice. */
function cookieValue(header: string, name: string): string | null {
  return parseCookie(header)[name] ?? null;
}

/** null without `Authorization: Bearer`; other schemes are those of a proxy in front. */
function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string | null {
  const [scheme = '', key = ''] = authorization.trim().split(/ +/, 2);
  return scheme.toLowerCase() === 'bearer' ? key : null;
}

/**
 * The signed-in account of a request; null for visitors. Beside an API key a cookie does not
 * count: a wrong key is refused, and an address may send only so many wrong ones. Keys of kind backup
 * are refused but where they are taken.
 */
export async function readCaller(
  { db, auth }: Services,
  request: FastifyRequest,
  { takesBackupKey = false } = {},
): Promise<Caller | null> {
  const key = bearerOf(request);
  if (key !== null) {
    const caller = await findApiKey(db, key);
    if (caller?.key_kind === 'backup' && !takesBackupKey) fail('BACKUP_KEY_ONLY');
    if (caller) return caller;
    await enforceLimit(db, apiKeyLimit, networkOf(request.ip));
    return fail('INVALID_API_KEY');
  }
  const value = cookieValue(request.headers.cookie ?? '', auth.cookie.name);
  const token = value && auth.readSessionToken(value);
  return token ? findSession(db, token) : null;
}

/** The cookie of the request with a new expiry, for an extended session. */
export function renewedCookie(auth: Auth, request: FastifyRequest): string | null {
  const value = cookieValue(request.headers.cookie ?? '', auth.cookie.name);
  if (!value) return null;
  return auth.cookie.write(encodeURIComponent(value), SESSION_SECONDS);
}
