import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect as connectPlain, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { reasonOf, WebifFailure } from './failure.ts';

const MEGABYTE = 1024 * 1024;
/** Bytes of a response that are read, at most; a list of 30,000 accounts takes 18 MB. */
const MOST_BYTES = 32 * MEGABYTE;

/** The web interface's address, and the certificate that it must show; undefined for a trusted one. */
export type Where = { url: URL; fingerprint: string | undefined };

/** Resolves with a connection on which nothing is sent before the other end's certificate is the expected one. */
export type OpenSocket = (where: Where, signal: AbortSignal) => Promise<Socket>;

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

export type Asked = {
  path: string;
  /** The fields of a form, which is sent by POST. */
  form?: string | undefined;
  authorization: string | undefined;
  /** True to leave the body unread, which may be long. */
  headersOnly: boolean;
};

/**
 * Opens a connection directly, as any program does; `options` limit the addresses that a name may
 * have. Throws `CERTIFICATE` with the fingerprint of a certificate that is not the expected one.
 */
export async function openSocket(
  { url, fingerprint }: Where,
  signal: AbortSignal,
  options: Partial<TcpNetConnectOpts> = {},
): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isTls = url.protocol === 'https:';
  const where = { host, port: Number(url.port || (isTls ? 443 : 80)), ...options };
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
      throw new WebifFailure('CERTIFICATE', { fingerprint: found });
    }
  }
  return socket;
}

async function send(host: string, asked: Asked, socket: Socket): Promise<Answer> {
  const { path, form, authorization, headersOnly } = asked;
  const outgoing = request({
    createConnection: () => socket,
    method: form === undefined ? 'GET' : 'POST',
    path,
    headers: {
      host,
      accept: '*/*',
      connection: 'close',
      ...(authorization !== undefined && { authorization }),
      ...(form !== undefined && {
        'Content-Type': 'application/x-www-form-urlencoded',
        // OSCam compares the name with these capitals, and waits for ever without the header.
        'Content-Length': Buffer.byteLength(form),
      }),
    },
  });
  // Node's parser reports a broken body here, whereas the response only reports that its connection is closed.
  let broken: Error | undefined;
  outgoing.on('error', (error) => (broken ??= error)).end(form);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers } = response.on('error', () => {});
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of headersOnly ? [] : response) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new WebifFailure('NOT_OSCAM');
      chunks.push(chunk);
    }
  } catch (error) {
    throw broken ?? error;
  }
  // The body is read with one character per byte, because OSCam names no encoding.
  return { status, headers, body: Buffer.concat(chunks).toString('latin1') };
}

/**
 * Sends one request, without following redirects. Throws a `WebifFailure`: `UNREACHABLE`, with a reason, `NOT_OSCAM`
 * for anything but HTTP, and the failures of `open`, such as `CERTIFICATE`.
 */
export async function askOnce(
  open: OpenSocket,
  where: Where,
  asked: Asked,
  { deadlineMs, closing }: { deadlineMs: number; closing: AbortSignal },
): Promise<Answer> {
  // The signal is not made by AbortSignal.any(), because that would stay attached to the others after the call.
  const ending = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort(new Error('ETIMEDOUT'));
  }, deadlineMs);
  const close = () => ending.abort(closing.reason);
  closing.addEventListener('abort', close, { once: true });
  if (closing.aborted) close();
  let socket: Socket | undefined;
  try {
    socket = await open(where, ending.signal);
    return await send(where.url.host, asked, socket);
  } catch (error) {
    if (error instanceof WebifFailure) throw error;
    const reason = isLate ? 'ETIMEDOUT' : reasonOf(error);
    // Errors of Node's HTTP parser have codes that begin like this.
    throw /^HPE_/.test(reason)
      ? new WebifFailure('NOT_OSCAM')
      : new WebifFailure('UNREACHABLE', { reason });
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', close);
    socket?.destroy();
    // The signal ends connections that `open` has begun but not returned.
    ending.abort();
  }
}
