import { createHmac } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { Config } from '../../platform/config/config.ts';
import { isSameSecret, type Secrets } from '../../platform/keys/secrets.ts';

const DAY_SECONDS = 86_400;
export const SESSION_SECONDS = 7 * DAY_SECONDS;
/** Age in seconds from which a session in use is extended, so at most once a day. */
export const SESSION_PROLONGED_AFTER_SECONDS = DAY_SECONDS;

/** The cookies of sessions, their signatures, and the links in emails, all for the panel's own address. */
export function createAuth(config: Config, secrets: Secrets) {
  const isHttps = config.public_url?.protocol === 'https:';
  const cookie = hostCookie('session', isHttps);
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const publicOrigin = config.public_url?.origin ?? `http://${host}:${config.port}`;
  /** The address of a page of the panel. */
  const pageLink = (path: string) => new URL(path, publicOrigin).href;
  const linkTo = (path: string, token: string) => pageLink(`${path}?token=${token}`);
  return {
    cookie,
    /** The cookie of a sign-in that waits for its second step. */
    secondStepCookie: hostCookie('second-step', isHttps),
    pageLink,
    /** The cookie of a browser that has signed up and waits for the mailed link. */
    signUpCookie: hostCookie('sign-up', isHttps),
    /** The page that confirms a sign-up, or a new address, with this token. */
    confirmationLink: (token: string) => linkTo('/callback', token),
    /** The page that sets a new password with this token. */
    resetLink: (token: string) => linkTo('/reset-password', token),
    /** The page on which a customer stops the emails about a line. */
    stopLink: (token: string) => linkTo('/stop-reminders', token),
    /** The page for a new password, with the wording for an account that never had one. */
    invitationLink: (token: string) => `${linkTo('/reset-password', token)}&invited=true`,
    /** Builds the Set-Cookie header of a new session. */
    sessionCookie: (token: string) =>
      cookie.write(
        encodeURIComponent(`${token}.${signatureOf(token, secrets.sessionKey)}`),
        SESSION_SECONDS,
      ),
    /** Returns the token of a session cookie; null if the signature is invalid. */
    readSessionToken: (cookieValue: string) => openSigned(cookieValue, secrets.sessionKey),
  };
}

export type Auth = ReturnType<typeof createAuth>;

function hostCookie(purpose: 'session' | 'second-step' | 'sign-up', isHttps: boolean) {
  // With the __Host- prefix, browsers accept the cookie from this host only.
  const name = `${isHttps ? '__Host-' : ''}linekeeper.${purpose}`;
  return {
    name,
    read: (headers: { get(name: string): string | null }) =>
      parseCookie(headers.get('cookie') ?? '')[name],
    /** Builds a Set-Cookie header. */
    write: (value: string, maxAgeSeconds: number) =>
      `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`,
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
  return isSameSecret(given, expected) ? token : null;
}
