import { authorization, type Challenge, readChallenge } from './digest.ts';
import { WebifFailure } from './failure.ts';
import { type Answer, askOnce, type OpenSocket, type Where } from './http.ts';
import { percentEncoded } from './pages.ts';

export type Credentials = {
  /** Username, empty like the password if the web interface needs none. */
  user: string;
  password: string;
};

export type SessionOptions = Where &
  Credentials & {
    open: OpenSocket;
    /** Aborts every call of the session when the panel ends. */
    closing: AbortSignal;
    /** Milliseconds for one call, at most. */
    deadlineMs: number;
  };

type Call = {
  path: string;
  /** Fields of a form, which is sent by POST; values are bytes, one latin1 character each. */
  form?: Iterable<readonly [string, string]>;
  /** True to leave the body unread, which may be long. */
  headersOnly?: boolean;
};

/**
 * Fetches the body of a page. Throws a `WebifFailure` for any status except 200: `SIGN_IN` for 401,
 * `FORBIDDEN` for 403, `NOT_OSCAM` for others; and those of `askOnce`.
 */
export type Ask = (call: Call) => Promise<string>;

/** Encodes a form. Every byte is kept, in any encoding. */
function encodeForm(form: Iterable<readonly [string, string]>): string {
  return Array.from(form, ([name, value]) => `${name}=${percentEncoded(value)}`).join('&');
}

/** The challenge of each web interface that admitted its caller. The next session begins with it, which saves a 401. */
const challenges = new Map<string, Challenge>();

const isDropped = (error: unknown) =>
  error instanceof WebifFailure &&
  error.code === 'UNREACHABLE' &&
  error.data.reason === 'ECONNRESET';

/**
 * Opens a session with OSCam's web interface, which signs in by Digest authentication. It begins with the last
 * challenge of the same interface and user, which saves a call, and keeps the nonce of each response for the next one.
 */
export function openSession(options: SessionOptions): Ask {
  const { user, open, closing, deadlineMs, url, fingerprint } = options;
  const key = `${url.origin} ${fingerprint ?? ''} ${user}`;
  let challenge = user ? challenges.get(key) : undefined;

  async function once({ path, form, headersOnly = false }: Call): Promise<Answer> {
    const method = form === undefined ? 'GET' : 'POST';
    const header = challenge && authorization(challenge, { method, uri: path }, options);
    const fields = form && encodeForm(form);
    const asked = { path, form: fields, authorization: header, headersOnly };
    const where = { url, fingerprint };
    const limits = { deadlineMs, closing };
    // OSCam sometimes drops a connection. Every call is safe to repeat.
    const answer = await askOnce(open, where, asked, limits).catch((error: unknown) => {
      if (!isDropped(error)) throw error;
      return askOnce(open, where, asked, limits);
    });
    if (answer.status === 401) {
      challenge = readChallenge(answer.headers['www-authenticate']);
      if (!challenge) throw new WebifFailure('NOT_OSCAM');
    }
    const info = String(answer.headers['authentication-info'] ?? '');
    const nonce = /nextnonce="([^"]+)"/.exec(info)?.[1];
    if (challenge && nonce) {
      challenge = { ...challenge, nonce };
      challenges.set(key, challenge);
    }
    return answer;
  }

  return async function ask(call) {
    const isKnown = challenge !== undefined;
    let answer = await once(call);
    // The first 401 asks for a sign-in, or reports that the nonce has expired.
    if (answer.status === 401 && user) answer = await once(call);
    const isStale = /\bstale="?true/i.test(answer.headers['www-authenticate'] ?? '');
    if (answer.status === 401 && (isStale || isKnown) && user) answer = await once(call);
    const { status, body } = answer;
    if (status === 401) throw new WebifFailure('SIGN_IN', { status });
    if (status === 403) throw new WebifFailure('FORBIDDEN', { status });
    if (status !== 200) throw new WebifFailure('NOT_OSCAM');
    return body;
  };
}
