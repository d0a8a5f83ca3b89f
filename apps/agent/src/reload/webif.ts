import { createHash, randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bytesOf, isAscii, isText, respelled } from '../bytes.ts';
import { ReloadFailure } from './failure.ts';
import type { WebifSettings } from './settings.ts';

const MEGABYTE = 1024 * 1024;
/** The largest reply that is read; a list of 30,000 accounts has 18 MB. */
const MOST_BYTES = 32 * MEGABYTE;

export type Target = {
  url: URL;
  fingerprint: string | undefined;
  deadlineMs: number;
  /** The signal that ends every call. */
  closing: AbortSignal;
};

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

type Get = {
  path: string;
  authorization: string | undefined;
  /** Leaves the body unread, which may be long. */
  headersOnly: boolean;
};

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80));
}

/** A connection on which nothing is sent before the other end's certificate is the expected one. */
async function open({ url, fingerprint }: Target, signal: AbortSignal): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const where = { host, port: portOf(url) };
  const isTls = url.protocol === 'https:';
  const named = isIP(host) ? {} : { servername: host };
  const socket = isTls
    ? connectTls({ ...where, ...named, rejectUnauthorized: false })
    : connectPlain(where);
  // The caller that waits for the socket gets its error; later errors are ignored.
  socket.on('error', () => {});
  signal.addEventListener('abort', () => socket.destroy(signal.reason), { once: true });
  await new Promise<void>((resolve, reject) => {
    socket.once(isTls ? 'secureConnect' : 'connect', resolve);
    socket.once('error', reject).once('close', () => reject(new Error('ECONNRESET')));
  });
  if ('getPeerX509Certificate' in socket) {
    const found = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
    if (fingerprint === undefined ? !socket.authorized : found !== fingerprint) {
      socket.destroy();
      throw new ReloadFailure('WEBIF_CERTIFICATE', { fingerprint: found });
    }
  }
  return socket;
}

async function send(target: Target, get: Get, socket: Socket): Promise<Answer> {
  const { path, authorization, headersOnly } = get;
  return new Promise((resolve, reject) => {
    const asked = request({
      createConnection: () => socket,
      method: 'GET',
      path,
      headers: {
        host: target.url.host,
        accept: '*/*',
        connection: 'close',
        ...(authorization === undefined ? {} : { authorization }),
      },
    });
    asked.on('error', reject).once('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      response.on('error', reject);
      if (headersOnly) {
        resolve({ status, headers, body: '' });
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_BYTES) reject(new ReloadFailure('WEBIF_NOT_OSCAM'));
        else chunks.push(chunk);
      });
      response.once('close', () => reject(new Error('ECONNRESET')));
      // One character per byte: OSCam says no encoding.
      response.once('end', () =>
        resolve({ status, headers, body: Buffer.concat(chunks).toString('latin1') }),
      );
    });
    asked.end();
  });
}

/** The code of any error that has one: messages of OpenSSL name files of its source. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

/** Asks once, without following redirects. */
export async function httpGet(target: Target, get: Get): Promise<Answer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('ETIMEDOUT')), target.deadlineMs);
  let socket: Socket | undefined;
  try {
    socket = await open(target, AbortSignal.any([late.signal, target.closing]));
    return await send(target, get, socket);
  } catch (error) {
    if (error instanceof ReloadFailure) throw error;
    const reason = late.signal.aborted ? 'ETIMEDOUT' : reasonOf(error);
    // Node's parser of HTTP names its errors so.
    throw /^HPE_/.test(reason)
      ? new ReloadFailure('WEBIF_NOT_OSCAM')
      : new ReloadFailure('WEBIF_UNREACHABLE', { reason });
  } finally {
    clearTimeout(timer);
    socket?.destroy();
  }
}

type Challenge = { realm: string; nonce: string; opaque: string };

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** The challenge of OSCam's web interface; undefined for any other header. */
function readChallenge(header: string | undefined): Challenge | undefined {
  if (!/^digest /i.test(header ?? '')) return undefined;
  const fields = new Map<string, string>();
  for (const [, name = '', quoted, plain] of (header ?? '').matchAll(
    /(\w+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))/g,
  )) {
    fields.set(name.toLowerCase(), quoted ?? plain ?? '');
  }
  const { realm, nonce, opaque, qop, algorithm = 'MD5' } = Object.fromEntries(fields);
  if (realm === undefined || nonce === undefined || algorithm.toUpperCase() !== 'MD5')
    return undefined;
  if (!(qop ?? '').split(/[\s,]+/).includes('auth')) return undefined;
  return { realm, nonce, opaque: opaque ?? '' };
}

/** The Authorization header of a GET. OSCam cuts the header at every comma, so `uri` and the name have none. */
function authorization(
  { realm, nonce, opaque }: Challenge,
  uri: string,
  { user, password }: { user: string; password: string },
): string {
  const nc = '00000001';
  const cnonce = randomBytes(8).toString('hex');
  const who = md5(`${user}:${realm}:${password}`);
  const response = md5(`${who}:${nonce}:${nc}:${cnonce}:auth:${md5(`GET:${uri}`)}`);
  const quoted = { username: user, realm, nonce, uri, cnonce, response, opaque };
  const fields = Object.entries(quoted).map(([name, value]) => `${name}="${value}"`);
  fields.push('algorithm=MD5', 'qop=auth', `nc=${nc}`);
  // Headers are bytes to Node.
  return Buffer.from(`Digest ${fields.join(', ')}`).toString('latin1');
}

/** Name and start of OSCam, as each reply of its API has them. */
export type Server = { server: string; started_at: string };

/** Names that OSCam must have after a reread, or accounts that it must have exactly. */
export type Wanted = { names: string[] } | { accounts: Account[] };

/** An account without a password must be gone. */
type Account = { username: string; password: string | undefined };
/** `unknown` are the names for which OSCam does not have the expected account. */
export type ReadResult = { server: Server; unknown: string[] };

/** OSCam ignores a reread while it is read-only, but reports its start. */
export class ReadOnly extends ReloadFailure {
  readonly server: Server;
  constructor(server: Server) {
    super('WEBIF_READ_ONLY');
    this.server = server;
  }
}

const STATS = '/oscamapi.html?part=userstats';
const PROBE = `${STATS}&label=no%20such%20client`;
const CONFIG = '/oscamapi.html?part=userconfig&user=';
const REREAD = '/userconfig.html?action=reinit';
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code ? String.fromCharCode(Number(code)) : (ENTITIES[name] ?? whole),
  );
}

export function readHead(body: string): Server & { isReadOnly: boolean } {
  const head = /<oscam\s([^>]*)>/.exec(body)?.[1];
  const field = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(head ?? '')?.[1];
  const version = field('version');
  if (head === undefined || version === undefined) throw new ReloadFailure('WEBIF_NOT_OSCAM');
  const started = new Date((field('starttime') ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return {
    server: `OSCam ${version.split('-')[0]}`,
    started_at: Number.isNaN(started.getTime()) ? '' : started.toISOString(),
    isReadOnly: field('readonly') === '1',
  };
}

type Limits = Pick<Target, 'deadlineMs' | 'closing'>;

/** Signs in to the web interface, and keeps the nonce that each answer gives for the next call. */
export function openSession({ user, password, ...settings }: WebifSettings, limits: Limits) {
  const target: Target = { ...settings, ...limits };
  let challenge: Challenge | undefined;

  async function once(path: string, headersOnly: boolean): Promise<Answer> {
    const header = challenge && authorization(challenge, path, { user, password });
    const answer = await httpGet(target, { path, authorization: header, headersOnly });
    if (answer.status === 401) {
      challenge = readChallenge(answer.headers['www-authenticate']);
      if (!challenge) throw new ReloadFailure('WEBIF_NOT_OSCAM');
    }
    const info = String(answer.headers['authentication-info'] ?? '');
    const nonce = /nextnonce="([^"]+)"/.exec(info)?.[1];
    if (challenge && nonce) challenge = { ...challenge, nonce };
    return answer;
  }

  return async function get(path: string, headersOnly = false): Promise<string> {
    const isKnown = challenge !== undefined;
    let answer = await once(path, headersOnly);
    // The first 401 asks for a sign-in, or says that the nonce has ended.
    if (answer.status === 401 && user) answer = await once(path, headersOnly);
    const isStale = /\bstale="?true/i.test(answer.headers['www-authenticate'] ?? '');
    if (answer.status === 401 && (isStale || isKnown) && user)
      answer = await once(path, headersOnly);
    const { status, body } = answer;
    if (status === 401) throw new ReloadFailure('WEBIF_SIGN_IN', { status });
    if (status === 403) throw new ReloadFailure('WEBIF_FORBIDDEN', { status });
    if (status !== 200) throw new ReloadFailure('WEBIF_NOT_OSCAM');
    return body;
  };
}

/** The reader that makes OSCam read its file by its web interface. */
export function openWebif(settings: WebifSettings, deadlineMs: number) {
  const closing = new AbortController();
  const get = openSession(settings, { deadlineMs, closing: closing.signal });

  /** Asks OSCam's API, whose every reply begins with name and start. */
  async function ask(path: string): Promise<{ server: Server; body: string }> {
    const body = await get(path);
    const { isReadOnly, ...server } = readHead(body);
    if (isReadOnly) throw new ReadOnly(server);
    return { server, body };
  }

  async function lookAtAll(names: string[]): Promise<ReadResult> {
    const { server, body } = await ask(names.length === 0 ? PROBE : STATS);
    const rows = Array.from(body.matchAll(/<user name="([^"]*)"/g), ([, name = '']) => name);
    const known = new Set(rows.map(unescapeXml).flatMap((name) => [name, ...respelled(name)]));
    return { server, unknown: names.filter((name) => !known.has(bytesOf(name))) };
  }

  async function lookAtEach(accounts: Account[]): Promise<ReadResult> {
    let { server } = await ask(PROBE);
    const unknown: string[] = [];
    /** OSCam may have these names in the bytes of another encoding. */
    const others: string[] = [];
    for (const { username, password } of accounts) {
      const answer = await ask(`${CONFIG}${encodeURIComponent(username)}`);
      server = answer.server;
      const known = /<pwd>([^<]*)<\/pwd>/.exec(answer.body)?.[1];
      const isKnown = known !== undefined;
      if (password === undefined ? isKnown : isKnown && !isText(unescapeXml(known), password)) {
        unknown.push(username);
      } else if (password !== undefined && !isKnown) {
        (isAscii(username) ? unknown : others).push(username);
      }
    }
    if (others.length === 0) return { server, unknown };
    return { server, unknown: unknown.concat((await lookAtAll(others)).unknown) };
  }

  return {
    by: 'webif' as const,

    /** Has OSCam read its file, then checks the accounts that it has. */
    async read(wanted: Wanted): Promise<ReadResult> {
      await get(REREAD, true);
      return 'names' in wanted ? lookAtAll(wanted.names) : lookAtEach(wanted.accounts);
    },

    close(): void {
      closing.abort(new Error('ECANCELED'));
    },
  };
}
