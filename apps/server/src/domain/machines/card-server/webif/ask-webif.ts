import { once } from 'node:events';
import type { Finding, UnreachableReason } from '@linekeeper/contract/findings.ts';
import { WebifFailure } from '@linekeeper/oscam/failure.ts';
import { askOnce, openSocket, type Where } from '@linekeeper/oscam/http.ts';
import { type Ask, openSession } from '@linekeeper/oscam/session.ts';
import { isPublic } from '../../../../platform/http-client/address.ts';
import {
  abortReason,
  type Outbound,
  REASONS,
  type VettedHost,
  vetHost,
  withinDeadline,
} from '../../../../platform/http-client/request.ts';
import { Semaphore } from '../../../../platform/semaphore.ts';
import { machineOf } from '../../same-machine.ts';
import type { CardServer } from '../client.ts';
import type { PushFailure } from '../messages.ts';

/** An OSCam that the panel reaches by its web interface. Username and password are empty if it needs none. */
export type WebifServer = CardServer & {
  tls_fingerprint: string | null;
  plain_http_allowed: boolean;
};

/** The error that ends all calls of OSCam, with the result of the task for which they were made. */
export class CallsEnded extends Error {
  readonly result: PushFailure;
  constructor(result: PushFailure) {
    super(result.finding?.code ?? result.reason);
    this.result = result;
  }
}

/** The result with which calls of OSCam ended. Throws any other error. */
export function resultOf(error: unknown): PushFailure {
  if (error instanceof CallsEnded) return error.result;
  throw error;
}

export const refusedWith = (finding: Finding): PushFailure => ({
  ok: false,
  kind: 'refused',
  reason: '',
  finding,
});

/** The error that ends all calls with a finding. */
export const endedWith = (finding: Finding) => new CallsEnded(refusedWith(finding));

/** The failure of a change that waited too long for its turn. It proves nothing about the state of the server. */
export const untried: PushFailure = {
  ok: false,
  kind: 'unreachable',
  reason: 'request cancelled',
  isUntried: true,
};

const unreachable = (reason: UnreachableReason) =>
  new CallsEnded({ ok: false, kind: 'unreachable', reason });

/**
 * The queue of each machine. It runs one change at a time, because OSCam handles one request after the other. A long
 * reading may run at the same time, because OSCam interrupts it for other requests; so no change waits for it to end.
 */
const queues = new Map<string, Semaphore>();
/**
 * The milliseconds for which a change waits for its turn. Together with the deadline of the change they are a little
 * less than the lease.
 */
export const WAIT_MS = 5000;

/** Runs the work when its turn comes. Throws `untried` if that would be too late. */
async function inTurn<T>(
  key: string,
  outer: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const queue = queues.get(key) ?? new Semaphore(1, Number.POSITIVE_INFINITY);
  queues.set(key, queue);
  const isFree = queue.hasRoom;
  const turn = queue.enter();
  const end = async () => {
    (await turn)?.();
    if (queue.isIdle) queues.delete(key);
  };
  const wait = (late: AbortSignal) =>
    Promise.race([
      turn.then(() => true),
      late.aborted ? false : once(late, 'abort').then(() => false),
    ]);
  if (!isFree && !(await withinDeadline({ deadlineMs: WAIT_MS }, outer, wait))) {
    end();
    throw new CallsEnded(untried);
  }
  return work().finally(end);
}

/** The reason for an error code of OpenSSL or of a socket; such codes occur only in these calls. */
function reasonOf(code: string): UnreachableReason {
  const known = REASONS[code];
  if (known) return known;
  if (code === 'ECONNRESET') return 'connection closed early';
  return code.startsWith('ERR_SSL') ? 'secure connection failed' : 'connection failed';
}

/** The error with which calls end after another error. */
function endedBy(error: unknown, server: WebifServer, signal: AbortSignal): unknown {
  if (error instanceof CallsEnded) return error;
  if (signal.aborted) return unreachable(abortReason(signal));
  if (!(error instanceof WebifFailure)) return error;
  const { code, data } = error;
  const fingerprint = String(data.fingerprint ?? '');
  switch (code) {
    case 'UNREACHABLE':
      return unreachable(reasonOf(String(data.reason)));
    case 'SIGN_IN':
    case 'FORBIDDEN':
      return endedWith({ code: `OSCAM_${code}`, data: { status: Number(data.status) } });
    case 'HTTP_EXPECTED':
      return endedWith({ code, data: {} });
    case 'READ_ONLY':
      return endedWith({ code: 'OSCAM_READ_ONLY', data: {} });
    case 'CERTIFICATE': {
      const confirmed = server.tls_fingerprint;
      return endedWith(
        confirmed === null
          ? { code: 'CERTIFICATE_UNKNOWN', data: { fingerprint } }
          : { code: 'CERTIFICATE_CHANGED', data: { fingerprint, confirmed } },
      );
    }
    default:
      return endedWith({ code: 'NOT_OSCAM', data: {} });
  }
}

const urlOf = ({ api_scheme, host_ip, api_port }: WebifServer) => {
  const host = host_ip.replace(/^\[|\]$/g, '');
  return new URL(`${api_scheme}://${host.includes(':') ? `[${host}]` : host}:${api_port}`);
};

/** Milliseconds for the response to a TLS hello, which a TLS server sends immediately. */
const HELLO_MS = 2000;

const isNoHttp = (error: unknown) =>
  error instanceof WebifFailure &&
  (error.code === 'NOT_OSCAM' || error.data.reason === 'ECONNRESET');

/** True if a port that does not respond as expected uses the other scheme; name and password are not sent. */
function speaks(
  api_scheme: 'http' | 'https',
  server: WebifServer,
  signal: AbortSignal,
  options: VettedHost['options'],
): Promise<boolean> {
  const where = { url: urlOf({ ...server, api_scheme }), fingerprint: undefined };
  const asked = { path: '/', authorization: undefined, headersOnly: true };
  const limits = { deadlineMs: HELLO_MS, closing: signal };
  return askOnce((to, ending) => openSocket(to, ending, options), where, asked, limits).then(
    () => true,
    (error: unknown) => error instanceof WebifFailure && error.code === 'CERTIFICATE',
  );
}

/** Opens an encrypted connection. An OSCam without https sends nothing, and waits for the end of the request. */
async function openTls(
  server: WebifServer,
  where: Where,
  signal: AbortSignal,
  options: VettedHost['options'],
) {
  const opening = openSocket(where, signal, options);
  const isOpen = opening.then(
    () => true,
    (error: unknown) => error instanceof WebifFailure,
  );
  const isSoon = await withinDeadline({ deadlineMs: HELLO_MS }, signal, (late) =>
    Promise.race([isOpen, once(late, 'abort').then(() => false)]),
  );
  if (!isSoon && (await speaks('http', server, signal, options))) {
    throw new WebifFailure('HTTP_EXPECTED');
  }
  return opening;
}

/**
 * Runs `work`, which calls OSCam's web interface, in one session and within one deadline. Work for
 * the same machine waits for its turn. The address is checked first, and nothing is sent before the
 * certificate is the confirmed one. Throws `CallsEnded` for any failure of the other side.
 */
export function askWebif<T>(
  outbound: Outbound,
  server: WebifServer,
  outer: AbortSignal | undefined,
  work: (ask: Ask) => Promise<T>,
  isReading = false,
): Promise<T> {
  const key = `${isReading ? 'reading' : 'changing'} ${machineOf(server)}`;
  return inTurn(key, outer, () =>
    withinDeadline(outbound, outer, async (signal) => {
      try {
        const vetted = await vetHost(outbound, server.host_ip, signal);
        if (signal.aborted) throw signal.reason;
        if (!vetted) throw unreachable('host not found or not allowed');
        const isPlain = server.api_scheme === 'http';
        if (isPlain && !server.plain_http_allowed && vetted.addresses.some(isPublic)) {
          throw endedWith({ code: 'PLAIN_HTTP', data: {} });
        }
        const { username: user, password, tls_fingerprint } = server;
        const ask = openSession({
          url: urlOf(server),
          fingerprint: tls_fingerprint ?? undefined,
          user,
          password,
          open: (where, ending) =>
            isPlain
              ? openSocket(where, ending, vetted.options)
              : openTls(server, where, ending, vetted.options),
          closing: signal,
          deadlineMs: outbound.deadlineMs ?? 10_000,
        });
        return await work(ask).catch(async (error: unknown) => {
          const isTls =
            isPlain && isNoHttp(error) && (await speaks('https', server, signal, vetted.options));
          throw isTls ? endedWith({ code: 'HTTPS_EXPECTED', data: {} }) : error;
        });
      } catch (error) {
        throw endedBy(error, server, signal);
      }
    }),
  );
}

/** The finding that ended a test, a list or a call. Throws any error that is not from OSCam's calls. */
export function findingOf(error: unknown): Finding {
  const { finding, reason } = resultOf(error);
  return finding ?? { code: 'NOT_REACHED', data: { reason } };
}
