import type { Outbound } from '../../../../platform/http-client/request.ts';
import type { PushResult } from '../client.ts';
import { askWebif, CallsEnded, untried, WAIT_MS, type WebifServer } from './ask-webif.ts';
import { type Change, changeAll, type Look } from './oscam-accounts.ts';

/** Changes of one run, which are all told of at its end. */
const AT_ONCE = 8;

type Waiting = PromiseWithResolvers<PushResult> & { change: Change; since: number };

/** Changes that wait for their turn at a web interface, by what ends them and by how it is asked. */
const waitingBySignal = new WeakMap<AbortSignal, Map<string, Waiting[]>>();
const never = new AbortController().signal;

const keyOf = ({ host_ip, api_port, api_scheme, username, password, ...trust }: WebifServer) =>
  JSON.stringify([
    ...[host_ip, api_port, api_scheme, username, password],
    ...[trust.tls_fingerprint, trust.plain_http_allowed],
  ]);

const nameOf = (change: Change) =>
  'account' in change ? change.account.username : change.username;

/** Takes changes of different names out of those that wait. What has waited too long is not tried. */
function takeRun(waiting: Waiting[]): Waiting[] {
  const run = new Map<string, Waiting>();
  const rest: Waiting[] = [];
  for (const one of waiting.splice(0)) {
    const name = nameOf(one.change);
    if (performance.now() - one.since > WAIT_MS) one.resolve(untried);
    else if (run.size < AT_ONCE && !run.has(name)) run.set(name, one);
    else rest.push(one);
  }
  waiting.push(...rest);
  return [...run.values()];
}

async function serve(
  outbound: Outbound,
  server: WebifServer,
  signal: AbortSignal,
  waiting: Waiting[],
  last: Look | undefined,
): Promise<Look | undefined> {
  let run: Waiting[] = [];
  try {
    const { results, seen } = await askWebif(outbound, server, signal, (ask) => {
      run = takeRun(waiting);
      const changes = run.map(({ change }) => change);
      return changeAll(ask, changes, last);
    });
    for (const [index, { resolve }] of run.entries()) resolve(results[index] as PushResult);
    return seen;
  } catch (error) {
    // Those whose turn did not come have no run.
    for (const { resolve, reject } of run.length === 0 ? waiting.splice(0) : run) {
      if (error instanceof CallsEnded) resolve(error.result);
      else reject(error);
    }
    return undefined;
  }
}

/** Makes a change together with all others that wait for this web interface: a look before and one after serve them all. */
export function changeInRun(
  outbound: Outbound,
  server: WebifServer,
  signal: AbortSignal = never,
  change: Change,
): Promise<PushResult> {
  const byServer = waitingBySignal.get(signal) ?? new Map<string, Waiting[]>();
  waitingBySignal.set(signal, byServer);
  const key = keyOf(server);
  const own = { ...Promise.withResolvers<PushResult>(), change, since: performance.now() };
  const known = byServer.get(key);
  if (known) {
    known.push(own);
  } else {
    const waiting = [own];
    byServer.set(key, waiting);
    const serveAll = async () => {
      let seen: Look | undefined;
      while (waiting.length > 0) seen = await serve(outbound, server, signal, waiting, seen);
      byServer.delete(key);
    };
    serveAll();
  }
  return own.promise;
}
