import { bytesOf, isText, respelled } from '@linekeeper/oscam/bytes.ts';
import { WebifFailure } from '@linekeeper/oscam/failure.ts';
import { openSocket } from '@linekeeper/oscam/http.ts';
import { configOf, PROBE, REREAD, STATS } from '@linekeeper/oscam/pages.ts';
import { readHead, readNames, readUserConfig, type Server } from '@linekeeper/oscam/replies.ts';
import { type Ask, openSession } from '@linekeeper/oscam/session.ts';
import type { WebifSettings } from '../settings.ts';
import { ReloadFailure } from './failure.ts';

/** The expectation after a reread: names that OSCam must have, or accounts that it must have exactly. */
export type Wanted = { names: string[] } | { accounts: Account[] };

/** An account that OSCam should have; without a password, OSCam must not have it. */
export type Account = { username: string; password: string | undefined };
/**
 * The result of a reload by OSCam's web interface. `unknown` has the names for which OSCam does not have the expected
 * account.
 */
export type ReadResult = { server: Server; unknown: string[] };

/** OSCam ignores a reread while it is read-only, but reports its start. */
export class ReadOnly extends ReloadFailure {
  readonly server: Server;
  constructor(server: Server) {
    super('WEBIF_READ_ONLY');
    this.server = server;
  }
}

/** Runs a request to the web interface, and throws its failure as a failure of the reread. */
async function tried<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WebifFailure)) throw error;
    const { code, data } = error;
    // The agent opens its connection itself, so it does not look for a port without TLS.
    throw new ReloadFailure(code === 'HTTP_EXPECTED' ? 'WEBIF_UNREACHABLE' : `WEBIF_${code}`, data);
  }
}

export function openAsk(settings: WebifSettings, deadlineMs: number) {
  const closing = new AbortController();
  const { signal } = closing;
  const session = openSession({ ...settings, deadlineMs, closing: signal, open: openSocket });
  const ask: Ask = (call) => tried(() => session(call));
  return { ask, close: () => closing.abort(new Error('ECANCELED')) };
}

/**
 * A reader by OSCam's web interface: it makes OSCam reload its accounts and checks that OSCam has the expected names.
 */
export function openWebif(settings: WebifSettings, deadlineMs: number) {
  const asking = openAsk(settings, deadlineMs);

  /** Asks OSCam's API. Each reply begins with OSCam's name and start, from which a restart is recognised. */
  async function ask(path: string): Promise<{ server: Server; body: string }> {
    const body = await asking.ask({ path });
    const { isReadOnly, server: name, started_at } = await tried(() => readHead(body));
    const server = { server: name, started_at };
    if (isReadOnly) throw new ReadOnly(server);
    return { server, body };
  }

  async function lookAtAll(names: string[]): Promise<ReadResult> {
    const { server, body } = await ask(names.length === 0 ? PROBE : STATS);
    const known = new Set(readNames(body).flatMap((name) => [name, ...respelled(name)]));
    return { server, unknown: names.filter((name) => !known.has(bytesOf(name))) };
  }

  async function lookAtEach(accounts: Account[]): Promise<ReadResult> {
    let { server } = await ask(PROBE);
    const unknown: string[] = [];
    for (const { username, password } of accounts) {
      const answer = await ask(configOf(bytesOf(username)));
      server = answer.server;
      const known = readUserConfig(answer.body)?.get('pwd');
      const isAsWanted =
        password === undefined ? known === undefined : isText(known ?? '', password);
      if (!isAsWanted) unknown.push(username);
    }
    return { server, unknown };
  }

  return {
    by: 'webif' as const,

    /** Makes OSCam read its file, then checks OSCam's accounts. */
    async read(wanted: Wanted): Promise<ReadResult> {
      await asking.ask({ path: REREAD, headersOnly: true });
      return 'names' in wanted ? lookAtAll(wanted.names) : lookAtEach(wanted.accounts);
    },

    close: asking.close,
  };
}
