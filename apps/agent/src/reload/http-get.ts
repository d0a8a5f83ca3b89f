import { type IncomingHttpHeaders, request } from 'node:http';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ReloadFailure } from './failure.ts';

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

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

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
