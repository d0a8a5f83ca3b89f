import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { Auth } from '../core/accounts/auth.ts';
import { SESSION_SECONDS } from '../core/accounts/auth.ts';
import { findSession, type Session } from '../core/accounts/sessions.ts';
import type { Services } from '../core/context.ts';

/** Value of a cookie, decoded if possible; the first one if the name occurs twice. */
function cookieValue(header: string, name: string): string | null {
  return parseCookie(header)[name] ?? null;
}

/** The session of the request's cookie; null if there is none. */
export async function readSession(
  { db, auth }: Services,
  request: FastifyRequest,
): Promise<Session | null> {
  const value = cookieValue(request.headers.cookie ?? '', auth.cookie.name);
  const token = value && auth.readSessionToken(value);
  return token ? findSession(db, token) : null;
}

/** The same cookie with a new expiry, for an extended session. */
export function renewedCookie(auth: Auth, request: FastifyRequest): string | null {
  const value = cookieValue(request.headers.cookie ?? '', auth.cookie.name);
  if (!value) return null;
  return auth.cookie.write(encodeURIComponent(value), SESSION_SECONDS);
}
