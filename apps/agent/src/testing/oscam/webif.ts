import type { Socket } from 'node:net';
import { openSignIn } from './sign-in.ts';

const FEWEST_BYTES = 50;
const MOST_BYTES = 100 * 1024;
const MOST_PARAMETERS = 300;

export type WebifRequest = {
  method: string;
  path: string;
  parameters: ReadonlyMap<string, string>;
};

export type Page = { status?: number; type?: 'text/html' | 'text/xml'; body: string };

export type WebifOptions = {
  /** The name; without one, the web interface is open. */
  user?: string | undefined;
  password?: string | undefined;
  now: () => number;
  /** False for callers whose address is not in `httpallowed`. */
  isAllowed(): boolean;
  /** Replies with a page; undefined leaves the caller without an answer. */
  serve(request: WebifRequest): Promise<Page | undefined>;
  /** Receives each 200 and 401, the outcome of a sign-in. */
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

/** The request once it is complete; undefined before. OSCam finds its length by exactly these letters. */
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

/** Speaks HTTP as OSCam's web interface does: one request a connection, answers of HTTP/1.0. */
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
