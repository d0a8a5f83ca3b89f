import { createHmac, timingSafeEqual } from 'node:crypto';
import { betterAuth } from 'better-auth';
import type { Db } from '../db/transaction.ts';
import type { Config } from './config.ts';
import { newId } from './ids.ts';
import type { Mail } from './mail.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import type { Secrets } from './secrets.ts';

const DAY_SECONDS = 86_400;
export const SESSION_SECONDS = 7 * DAY_SECONDS;
/** A session in use is prolonged once a day. */
export const SESSION_PROLONGED_AFTER_SECONDS = DAY_SECONDS;

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/**
 * better-auth as the engine behind our own routes: passwords, sessions, confirmation links. Its own
 * HTTP handler is not mounted: it would answer in other names and with the session token.
 */
export function createAuth(db: Db, config: Config, secrets: Secrets, mail: Mail) {
  const isHttps = config.public_url?.protocol === 'https:';
  const cookie = sessionCookie(isHttps);
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
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => !(await isBanned(db, userId)),
        },
      },
    },
    emailVerification: {
      // Who signs in before confirming is sent a fresh link; the answer stays the same.
      sendOnSignIn: true,
      sendVerificationEmail: async ({ user, token }) => {
        const link = new URL('/callback', publicOrigin);
        link.searchParams.set('token', token);
        mail.send({
          to: user.email,
          subject: 'Confirm your email address',
          text: `Welcome to Linekeeper.\n\nOpen this link to confirm your email address:\n${link}\n`,
        });
      },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 1,
      maxPasswordLength: 128,
      requireEmailVerification: config.smtp_url !== null,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
    },
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
  return {
    engine,
    cookie,
    /** The token in a session cookie's value, or null where its signature is not ours. */
    readSessionToken: (cookieValue: string) => openSigned(cookieValue, secrets.sessionKey),
  };
}

export type Auth = ReturnType<typeof createAuth>;

function sessionCookie(isHttps: boolean) {
  // The __Host- prefix makes the browser refuse the cookie from anywhere but this host.
  const name = isHttps ? '__Host-linekeeper.session' : 'linekeeper.session';
  return {
    name,
    /** A Set-Cookie header as the engine writes it. */
    write: (value: string, maxAgeSeconds: number) =>
      `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`,
  };
}

function openSigned(cookieValue: string, key: string): string | null {
  const end = cookieValue.lastIndexOf('.');
  if (end < 1) return null;
  const token = cookieValue.slice(0, end);
  const given = Buffer.from(cookieValue.slice(end + 1), 'base64');
  const expected = createHmac('sha256', key).update(token).digest();
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

async function isBanned(db: Db, accountId: string): Promise<boolean> {
  const account = await db
    .selectFrom('auth_users')
    .select('banned')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.banned ?? true;
}
