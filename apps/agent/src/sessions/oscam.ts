import { refusalOf } from '../refusal.ts';
import type { WebifSettings } from '../reload/settings.ts';
import { openSession, readHead, unescapeXml } from '../reload/webif.ts';
import {
  type ClientSession,
  countOf,
  type OnlineAccount,
  type SessionsSource,
} from './who-is-on.ts';

const STATS = '/oscamapi.html?part=userstats';
const STATUS = '/oscamapi.html?part=status';

function fieldsOf(tag: string): Map<string, string> {
  const fields = tag.matchAll(/([\w-]+)="([^"]*)"/g);
  return new Map(Array.from(fields, ([, name = '', value = '']) => [name, unescapeXml(value)]));
}

function instantOf(text: string | undefined): string | null {
  const instant = new Date((text ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

/** A connected client in `part=status`, with the thread that serves it. */
type Client = { name: string; thread: string | undefined; session: ClientSession };

/** Clients of `part=status`, which may leave out idle ones. The log behind them has names that anybody may send. */
export function readClients(body: string): Client[] {
  const [status = ''] = body.split('</status>', 1);
  return status
    .split('<client ')
    .slice(1)
    .flatMap((part) => {
      const own = fieldsOf(part.slice(0, part.indexOf('>')));
      if (own.get('type') !== 'c') return [];
      const of = (tag: string) => fieldsOf(new RegExp(`<${tag}\\s([^>]*)>`).exec(part)?.[1] ?? '');
      const session = {
        protocol: own.get('protocol') || null,
        address: of('connection').get('ip') || null,
        since: instantOf(of('times').get('login')),
      };
      const thread = /^id_(0x[0-9a-f]+)$/i.exec(own.get('thid') ?? '')?.[1];
      return [{ name: own.get('name') ?? '', thread, session }];
    });
}

/** The row's address is that of one client; `part=status` may lack just this one. */
function sessionsOf(row: Map<string, string>, shown: ClientSession[]): ClientSession[] {
  const address = row.get('ip') || null;
  if (shown.some((session) => session.address === address)) return shown;
  return [...shown, { protocol: row.get('protocol') || null, address, since: null }];
}

/** The accounts of `part=userstats` that are on. */
export function readOnline(body: string, clients: readonly Client[]): OnlineAccount[] {
  const [users = ''] = body.split('</users>', 1);
  return users
    .split('<user ')
    .slice(1)
    .flatMap((part) => {
      const row = fieldsOf(part.slice(0, part.indexOf('>')));
      const name = row.get('name');
      if (!name || !/^(online|connected)/.test(row.get('status') ?? '')) return [];
      const number = (tag: string) =>
        countOf(new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(part)?.[1]);
      const shown = clients.filter((client) => client.name === name);
      const sessions = sessionsOf(
        row,
        shown.map(({ session }) => session),
      );
      const found = number('cwok');
      const counters =
        found === null
          ? null
          : {
              // An answer from OSCam's cache is one, too; a request that OSCam ignores gets none.
              ok: found + (number('cwcache') ?? 0),
              refused: (number('cwnok') ?? 0) + (number('cwignore') ?? 0),
              timed_out: number('cwtimeout') ?? 0,
            };
      return [
        {
          name,
          connections: sessions.length,
          sessions,
          counters,
          answer_ms: number('cwlastresptime'),
        },
      ];
    });
}

/** OSCam's web interface says who is on, read-only or not. */
export function openOscamSessions(settings: WebifSettings, deadlineMs: number): SessionsSource {
  const closing = new AbortController();
  const get = openSession(settings, { deadlineMs, closing: closing.signal });

  async function look() {
    const clients = readClients(await get(STATUS));
    const stats = await get(STATS);
    const { server, started_at } = readHead(stats);
    const accounts = readOnline(stats, clients);
    return { clients, server, started_at: started_at || null, accounts };
  }

  return {
    async read() {
      const { server, started_at, accounts } = await look();
      return { server, started_at, accounts };
    },

    async end(isAccount) {
      const { clients, accounts } = await look();
      const own = clients.filter(({ name, thread }) => thread !== undefined && isAccount(name));
      if (own.length === 0 && accounts.some(({ name }) => isAccount(name)))
        throw refusalOf(409, 'SESSIONS_HIDDEN');
      for (const { thread } of own) await get(`${STATUS}&action=kill&threadid=${thread}`);
      return own.length;
    },

    close() {
      closing.abort(new Error('ECANCELED'));
    },
  };
}
