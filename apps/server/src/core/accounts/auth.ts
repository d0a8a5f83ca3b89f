import { createHmac, timingSafeEqual } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { createEmailVerificationToken } from 'better-auth/api';
import type { Db } from '../../db/transaction.ts';
import type { Config } from '../config.ts';
import { newId } from '../ids.ts';
import type { Secrets } from '../keys/secrets.ts';

const DAY_SECONDS = 86_400;
export const SESSION_SECONDS = 7 * DAY_SECONDS;
/** A session in use is extended at most once a day. */
export const SESSION_PROLONGED_AFTER_SECONDS = DAY_SECONDS;

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/**
 * better-auth does confirmation links behind our own routes, and sessions have its form. Its HTTP
 * handler is not mounted, because its replies have other field names and contain the session token.
 */
export function createAuth(db: Db, config: Config, secrets: Secrets) {
  const isHttps = config.public_url?.protocol === 'https:';
  const cookie = hostCookie('session', isHttps);
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const publicOrigin = config.public_url?.origin ?? `http://${host}:${config.port}`;
  const engine = betterAuth({
    baseURL: publicOrigin,
    basePath: '/api/auth',
    secret: secrets.sessionKey,
    database: { db, type: 'postgres' },
    logger: { disabled: true },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    user: {
      modelName: 'auth_users',
      fields: {
        name: 'full_name',
        emailVerified: 'email_verified',
        image: 'avatar_url',
        ...timestamps,
      },
      additionalFields: {
        username: { type: 'string', required: true, input: false, returned: false },
        group_id: { type: 'string', required: true, input: false, returned: false },
      },
    },
    session: {
      modelName: 'auth_sessions',
      expiresIn: SESSION_SECONDS,
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...timestamps,
      },
    },
    account: {
      modelName: 'auth_credentials',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...timestamps,
      },
    },
    verification: {
      modelName: 'auth_verifications',
      fields: { expiresAt: 'expires_at', ...timestamps },
    },
    advanced: {
      database: { generateId: newId },
      useSecureCookies: false,
      cookies: {
        session_token: {
          name: cookie.name,
          attributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps },
        },
      },
    },
  });
  const linkTo = (path: string, token: string) => {
    const link = new URL(path, publicOrigin);
    link.searchParams.set('token', token);
    return link.href;
  };
  return {
    engine,
    cookie,
    /** The cookie of a sign-in that waits for its second step. */
    secondStepCookie: hostCookie('second-step', isHttps),
    /** The address of a page of the panel. */
    pageLink: (path: string) => new URL(path, publicOrigin).href,
    /** Creates a link that confirms an address and is valid for an hour. */
    confirmationLink: async (email: string) =>
      linkTo('/callback', await createEmailVerificationToken(secrets.sessionKey, email)),
    /** The page that confirms a new address with this token. */
    emailChangeLink: (token: string) => linkTo('/callback', token),
    /** The page that sets a new password with this token. */
    resetLink: (token: string) => linkTo('/reset-password', token),
    /** Builds the Set-Cookie header of a new session. */
    sessionCookie: (token: string) =>
      cookie.write(
        encodeURIComponent(`${token}.${signatureOf(token, secrets.sessionKey)}`),
        SESSION_SECONDS,
      ),
    /** Returns the token of a session cookie; null if the signature is invalid. */
    readSessionToken: sessionTokenReader(secrets.sessionKey),
  };
}

export type Auth = ReturnType<typeof createAuth>;

function hostCookie(purpose: 'session' | 'second-step', isHttps: boolean) {
  // With the __Host- prefix, browsers accept the cookie from this host only.
  const name = `${isHttps ? '__Host-' : ''}linekeeper.${purpose}`;
  return {
    name,
    /** Builds a Set-Cookie header like better-auth's. */
    write: (value: string, maxAgeSeconds: number) =>
      `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`,
  };
}

const MOST_OPENED = 1000;

/**
 * Checks a cookie's signature once and remembers the result, because the same cookie comes with every
 * request. The session itself is still looked up in the database each time.
 */
function sessionTokenReader(key: string): (cookieValue: string) => string | null {
  const opened = new Map<string, string>();
  return (cookieValue) => {
    const known = opened.get(cookieValue);
    if (known !== undefined) return known;
    const token = openSigned(cookieValue, key);
    if (token === null) return null;
    if (opened.size >= MOST_OPENED) opened.clear();
    opened.set(cookieValue, token);
    return token;
  };
}

const signatureOf = (token: string, key: string) =>
  createHmac('sha256', key).update(token).digest('base64');

function openSigned(cookieValue: string, key: string): string | null {
  const end = cookieValue.lastIndexOf('.');
  if (end < 1) return null;
  const token = cookieValue.slice(0, end);
  const given = Buffer.from(cookieValue.slice(end + 1), 'base64');
  const expected = Buffer.from(signatureOf(token, key), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}
