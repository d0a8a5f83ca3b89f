import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';

/** Milliseconds from its first use for which a nonce is valid. */
const NONCE_MS = 15_000;

function md5(text: string): string {
  return createHash('md5').update(text, 'latin1').digest('hex');
}

function nonce(): string {
  return randomBytes(16).toString('hex');
}

type Verdict = { admitted: true; next: string } | { admitted: false; challenge: string };

/** Fields of an Authorization header, which OSCam splits at every comma. */
function fieldsOf(header: string): Map<string, string> {
  const fields = header.replace(/^Digest /, '').split(',');
  return new Map(
    fields.map((field) => {
      const [, name = '', value = ''] = /^\s*(\w+)="?(.*?)"?\s*$/.exec(field) ?? [];
      return [name, value];
    }),
  );
}

/** Digest sign-in as in OSCam's web interface. */
function openSignIn(user: string, password: string, now: () => number) {
  /** Issued nonces, each with the time of its first use. */
  const nonces = new Map<string, number | undefined>();
  const opaque = nonce();

  function give(): string {
    const given = nonce();
    nonces.set(given, undefined);
    return given;
  }

  function refuse(isStale: boolean): Verdict {
    const stale = isStale ? ', stale=true' : '';
    const fields = `algorithm="MD5", realm="Forbidden", qop="auth", opaque="${opaque}", nonce="${give()}"`;
    return { admitted: false, challenge: `Digest ${fields}${stale}` };
  }

  return {
    admit(method: string, uri: string, header: string | undefined): Verdict {
      if (!header?.startsWith('Digest ')) return refuse(false);
      const fields = fieldsOf(header);
      const field = (name: string) => fields.get(name) ?? '';
      const who = md5(`${user}:Forbidden:${password}`);
      const what = md5(`${method}:${uri}`);
      const proof = [who, field('nonce'), field('nc'), field('cnonce'), 'auth', what].join(':');
      const fits =
        field('username') === user &&
        field('uri') === uri &&
        field('opaque') === opaque &&
        field('qop') === 'auth' &&
        field('response') === md5(proof);
      if (!fits) return refuse(false);
      const given = field('nonce');
      const first = nonces.get(given) ?? now();
      if (!nonces.has(given) || now() - first > NONCE_MS) {
        nonces.delete(given);
        return refuse(true);
      }
      nonces.set(given, first);
      return { admitted: true, next: give() };
    },
  };
}

const FEWEST_BYTES = 50;
const MOST_BYTES = 100 * 1024;
const MOST_PARAMETERS = 300;

export type WebifRequest = {
  method: string;
  path: string;
  parameters: ReadonlyMap<string, string>;
};

export type Page = { status?: number; type?: 'text/html' | 'text/xml'; body: string };

type WebifOptions = {
  /** The name of the user; without one, the web interface is open. */
  user?: string | undefined;
  password?: string | undefined;
  now: () => number;
  /** False for callers whose address is not in `httpallowed`. */
  isAllowed(): boolean;
  /** Returns the page for a request; undefined gives the caller no reply. */
  serve(request: WebifRequest): Promise<Page | undefined>;
  /** Called with the outcome of a sign-in, at each 200 and 401. */
  onSignIn(isAdmitted: boolean): void;
};

const REASONS: Record<number, string> = {
  200: 'OK',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
};

function decode(text: string): string {
  return text.replaceAll('+', ' ').replace(/%([0-9a-f]{2})/gi, (_, hex) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
}

function parametersOf(texts: string[]): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of texts.join('&').split('&').filter(Boolean).slice(0, MOST_PARAMETERS)) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    parameters.set(decode(name), decode(value));
  }
  return parameters;
}

type Raw = { method: string; uri: string; head: string; body: string };

/** The request if it is complete, otherwise undefined. OSCam finds the length by exactly these letters. */
function readRaw(text: string): Raw | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const [, method = '', uri = ''] = /^(\w+) (\S+) HTTP\//.exec(head) ?? [];
  const length = /\r\nContent-Length: (\d+)/.exec(head)?.[1];
  if (method === 'POST' && length === undefined) return undefined;
  const body = text.slice(end + 4);
  return body.length < Number(length ?? 0) ? undefined : { method, uri, head, body };
}

function headOf(page: Page, more: string): string {
  const { status = 200, type = 'text/html', body } = page;
  const lines = [`HTTP/1.0 ${status} ${REASONS[status]}`, 'Server: webserver/1.0', more];
  lines.push(`Content-Type: ${type}`, `Content-Length: ${body.length}`, 'Connection: close');
  return lines.filter(Boolean).join('\r\n');
}

/**
 * Creates a server that speaks HTTP as OSCam's web interface does: one request for each connection,
 * and replies of HTTP/1.0.
 */
export function createWebif(options: WebifOptions) {
  const { user, password = '', now } = options;
  const signIn = user ? openSignIn(user, password, now) : undefined;

  function send(socket: Socket, page: Page, more = ''): void {
    socket.end(`${headOf(page, more)}\r\n\r\n${page.body}`, 'latin1');
  }

  async function answer(socket: Socket, { method, uri, head, body }: Raw): Promise<void> {
    if (!options.isAllowed()) {
      send(socket, { status: 403, body: 'Access denied.\r\n' });
      return;
    }
    const authorization = /\r\nAuthorization: ([^\r]*)/i.exec(head)?.[1];
    const verdict = signIn?.admit(method, uri, authorization);
    options.onSignIn(verdict?.admitted ?? true);
    if (verdict?.admitted === false) {
      const challenge = `WWW-Authenticate: ${verdict.challenge}`;
      send(socket, { status: 401, body: 'Access denied.\r\n' }, challenge);
      return;
    }
    const [path = '', query = ''] = uri.split('?');
    const page = await options.serve({ method, path, parameters: parametersOf([query, body]) });
    if (page === undefined || socket.destroyed) return;
    send(socket, page, verdict ? `Authentication-Info: nextnonce="${verdict.next}"` : '');
  }

  return function connected(socket: Socket): void {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const raw = readRaw(text);
      if (text.length > MOST_BYTES || (raw && text.length < FEWEST_BYTES)) socket.destroy();
      else if (raw) {
        socket.removeAllListeners('data');
        answer(socket, raw).catch(() => socket.destroy());
      }
    });
  };
}
