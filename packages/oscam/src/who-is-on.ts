import { endOf, STATS, STATUS } from './pages.ts';
import { attributesOf, momentOf, partsOf, readHead, tagIn } from './replies.ts';
import type { Ask } from './session.ts';

/** A client's connection; null for fields that the card server does not report. */
export type ClientSession = {
  protocol: string | null;
  address: string | null;
  /** Start of the connection in ISO 8601. */
  since: string | null;
};

/** An account that is online. The channel that its client watches is never read. */
export type OnlineAccount = {
  /** The name as the card server has it, one latin1 character per byte. */
  name: string;
  /** Number of connections, at least 1; the card server may report fewer of them in `sessions`. */
  connections: number;
  sessions: ClientSession[];
  /** Requests since the card server's start, or since the clients connected. */
  counters: { ok: number; refused: number; timed_out: number } | null;
  /** The time of the last response in milliseconds. */
  answer_ms: number | null;
};

export type WhoIsOn = {
  /** Name and version of the card server. */
  server: string | null;
  started_at: string | null;
  accounts: OnlineAccount[];
};

/** A number on a page; null if the text is not one. */
export function countOf(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d{1,12}\s*$/.test(text) ? Number(text) : null;
}

const PROTOCOLS: Record<string, string> = { cccam: 'CCcam', newcamd: 'NewCamd' };

/** The name of a protocol, after which OSCam prints the receiver's version and number. */
function protocolOf(text: string | undefined): string | null {
  const [name = ''] = (text ?? '').split(' (', 1);
  return PROTOCOLS[name] ?? (name || null);
}

/** Rows of `part=status`. The log after them contains names that anyone may send. */
function rowsOfStatus(body: string) {
  const [status = ''] = body.split('</status>', 1);
  return partsOf(status, 'client').map((part) => {
    return { part, own: attributesOf(part.slice(0, part.indexOf('>'))) };
  });
}

/** Clients in `part=status`, which may leave out idle ones, with the threads that serve them. */
export function readClients(body: string) {
  return rowsOfStatus(body).flatMap(({ part, own }) => {
    if (own.get('type') !== 'c') return [];
    const of = (tag: string) => attributesOf(tagIn(part, tag) ?? '');
    const session: ClientSession = {
      protocol: protocolOf(own.get('protocol')),
      address: of('connection').get('ip') || null,
      since: momentOf(of('times').get('login')),
    };
    const thread = /^id_(0x[0-9a-f]+)$/i.exec(own.get('thid') ?? '')?.[1];
    return [{ name: own.get('name') ?? '', thread, session }];
  });
}

/** The thread of OSCam itself in `part=status`, which no other running OSCam has; undefined if it is not reported. */
export function readMainThread(body: string): string | undefined {
  return rowsOfStatus(body)
    .find(({ own }) => own.get('type') === 's')
    ?.own.get('thid');
}

/**
 * The accounts of `part=userstats` that are online. A repeated name counts once, because each row
 * would have all of its sessions.
 */
export function readOnline(body: string, clients: ReturnType<typeof readClients>): OnlineAccount[] {
  const [users = ''] = body.split('</users>', 1);
  const sessionsByName = Map.groupBy(clients, ({ name }) => name);
  const read = new Set<string>();
  return partsOf(users, 'user').flatMap((part) => {
    const row = attributesOf(part.slice(0, part.indexOf('>')));
    const name = row.get('name');
    const isOn = /^(online|connected)/.test(row.get('status') ?? '');
    if (!name || !isOn || read.has(name)) return [];
    read.add(name);
    const number = (tag: string) => countOf(new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(part)?.[1]);
    const sessions = (sessionsByName.get(name) ?? []).map(({ session }) => session);
    const address = row.get('ip') || null;
    // The row's address is added if `part=status` lacks the client with it.
    if (!sessions.some((session) => session.address === address)) {
      sessions.push({ protocol: protocolOf(row.get('protocol')), address, since: null });
    }
    const ok = number('cwok');
    // A response from OSCam's cache counts as answered; a request that OSCam ignores gets no response.
    const refused = (number('cwnok') ?? 0) + (number('cwignore') ?? 0);
    const timed_out = number('cwtimeout') ?? 0;
    const counters = ok === null ? null : { ok: ok + (number('cwcache') ?? 0), refused, timed_out };
    const answer_ms = number('cwlastresptime');
    return [{ name, connections: sessions.length, sessions, counters, answer_ms }];
  });
}

/** The sessions of an OSCam server, through its web interface. `read` works even if the interface is read-only. */
export function openWhoIsOn(ask: Ask) {
  async function look() {
    const clients = readClients(await ask({ path: STATUS }));
    const stats = await ask({ path: STATS });
    const { server, started_at } = readHead(stats);
    const accounts = readOnline(stats, clients);
    return { clients, server, started_at: started_at || null, accounts };
  }

  return {
    read: (): Promise<WhoIsOn> => look(),

    /** Ends the account's sessions and returns their number; undefined if OSCam hides them. */
    async end(isAccount: (name: string) => boolean): Promise<number | undefined> {
      const { clients, accounts } = await look();
      const own = clients.filter(({ name, thread }) => thread !== undefined && isAccount(name));
      if (own.length === 0 && accounts.some(({ name }) => isAccount(name))) return undefined;
      for (const { thread = '' } of own) await ask({ path: endOf(thread) });
      return own.length;
    },
  };
}
