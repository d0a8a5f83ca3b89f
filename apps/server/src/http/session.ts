import type { FastifyRequest } from 'fastify';
import type { Auth } from '../core/auth.ts';
import { SESSION_SECONDS } from '../core/auth.ts';
import type { Services } from '../core/context.ts';
import { findSession, type Session } from '../core/sessions.ts';

/** The value of one cookie, as it was sent; the first where a name comes twice. */
function cookieValue(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key !== name) continue;
    try {
      return decodeURIComponent(value.join('='));
    } catch {
      return null;
    }
  }
  return null;
}

/** Who sent the request, by the session cookie; null for nobody. */
export async function readSession(
  { db, auth }: Services,
  request: FastifyRequest,
): Promise<Session | null> {
  const value = cookieValue(request.headers.cookie ?? '', auth.cookie.name);
  const token = value && auth.readSessionToken(value);
  return token ? findSession(db, token) : null;
}

/** The same cookie with a new term, for a session that was prolonged. */
export function renewedCookie(auth: Auth, request: FastifyRequest): string | null {
  const value = cookieValue(request.headers.cookie ?? '', auth.cookie.name);
  if (!value) return null;
  return auth.cookie.write(encodeURIComponent(value), SESSION_SECONDS);
}
