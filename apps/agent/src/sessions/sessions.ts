import { bytesOf, isAscii, respelled, textOf } from '@linekeeper/oscam/bytes.ts';
import { type OnlineAccount, openWhoIsOn, type WhoIsOn } from '@linekeeper/oscam/who-is-on.ts';
import type { RenderedFiles } from '../files/rendered-files.ts';
import { Refusal, refusalOf } from '../refusal.ts';
import { ReloadFailure } from '../reload/failure.ts';
import { openAsk } from '../reload/webif.ts';
import type { WebifSettings } from '../settings.ts';
import type { Store } from '../store.ts';

/** Bytes of a page, which stays below 64 KiB, the most that a panel reads. */
const BYTES_A_PAGE = 48 * 1024;
/** Sessions of one account in a response, at most; `connections` counts all of them. */
const SESSIONS_SHOWN = 20;
const LONGEST_TEXT = 60;

/** A source of the sessions of a card server. */
export type SessionsSource = {
  /** The file with the accounts of these sessions. */
  file: 'CCcam.cfg' | 'oscam.user';
  read(): Promise<WhoIsOn>;
  /** Ends the account's sessions and returns their number; absent if the card server cannot. */
  end?(isAccount: (name: string) => boolean): Promise<number>;
  close(): void;
};

/** Reads the sessions from OSCam's web interface. Its `end` throws 409 `SESSIONS_HIDDEN`. */
export function openOscamSessions(settings: WebifSettings, deadlineMs: number): SessionsSource {
  const { ask, close } = openAsk(settings, deadlineMs);
  const { read, end } = openWhoIsOn(ask);
  return {
    file: 'oscam.user',
    read,
    end: async (isAccount) =>
      (await end(isAccount)) ?? Promise.reject(refusalOf(409, 'SESSIONS_HIDDEN')),
    close,
  };
}

type Listed = Omit<OnlineAccount, 'name'> & { username: string; line: string | null };

export type Sessions = ReturnType<typeof openSessions>;

const cut = (text: string | null) => text && textOf(text).slice(0, LONGEST_TEXT).toWellFormed();

/** The agent's own account with a card server's name, in any encoding of its file. */
function ownName(store: Store, name: string): string | undefined {
  if (isAscii(name)) return store.has(name) ? name : undefined;
  return [name, ...respelled(name)].map(textOf).find((text) => store.has(text));
}

function listed(username: string, line: string | undefined, account: OnlineAccount): Listed {
  const { connections, sessions, counters, answer_ms } = account;
  const shown = sessions.slice(0, SESSIONS_SHOWN).map(({ protocol, address, since }) => ({
    protocol: cut(protocol),
    address: cut(address),
    since,
  }));
  return { username, line: line ?? null, connections, sessions: shown, counters, answer_ms };
}

/** Returns as many of the accounts as fit into a response. */
function cutPage(accounts: readonly Listed[]): Listed[] {
  let bytes = 0;
  const end = accounts.findIndex((account) => {
    bytes += Buffer.byteLength(JSON.stringify(account)) + 1;
    return bytes > BYTES_A_PAGE;
  });
  return accounts.slice(0, end < 0 ? accounts.length : Math.max(1, end));
}

/** Runs a request to the card server; throws its failure as a 503 `Refusal` with the failure's code. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ReloadFailure)) throw error;
    const { code, data, message } = error;
    throw new Refusal(503, message, { code, data });
  }
}

/** The agent's accounts that are online by the card server's report, except names for which the operator has a row. */
export function openSessions(
  source: SessionsSource | undefined,
  store: Store,
  files: Pick<RenderedFiles, 'operatorRows'>,
) {
  /** True if the operator has a row with this name; false for a file that cannot be read. */
  async function hasOperatorRow(username: string, { file }: SessionsSource): Promise<boolean> {
    const found = await files.operatorRows(username).catch(() => []);
    return found.some((one) => one.file === file);
  }

  /** The reading from which the pages after the first are cut. */
  let last: (Omit<WhoIsOn, 'accounts'> & { accounts: Listed[] }) | undefined;

  async function look(from: SessionsSource) {
    const { server, started_at, accounts } = await asked(() => from.read());
    const own: Listed[] = [];
    for (const account of accounts) {
      const username = ownName(store, account.name);
      if (username === undefined || (await hasOperatorRow(username, from))) continue;
      own.push(listed(username, store.rows.lineOf(username), account));
    }
    last = {
      server: cut(server),
      started_at,
      accounts: own.sort((one, other) => (one.username < other.username ? -1 : 1)),
    };
    return last;
  }

  return {
    /** The accounts after this name; null reads the card server again. Throws 404 `NO_SESSIONS` without a source. */
    async page(after: string | null) {
      if (!source) throw refusalOf(404, 'NO_SESSIONS');
      const { server, started_at, accounts } = (after !== null && last) || (await look(source));
      const later = accounts.filter(({ username }) => username > (after ?? ''));
      const shown = cutPage(later);
      const next = shown.length < later.length ? (shown.at(-1)?.username ?? null) : null;
      return { server, started_at, accounts: shown, next };
    },

    /**
     * Ends the account's sessions and returns their number; 0 if the account is not the line's.
     * Throws 404 `CANNOT_END_SESSIONS` if the card server cannot end sessions.
     */
    async end(username: string, line: string | undefined): Promise<number> {
      const { end } = source ?? {};
      if (!source || !end) throw refusalOf(404, 'CANNOT_END_SESSIONS');
      if (line !== undefined && store.rows.isOfAnother(username, line)) return 0;
      if (await hasOperatorRow(username, source)) return 0;
      const bytes = bytesOf(username);
      const isAccount = (name: string) => name === bytes || ownName(store, name) === username;
      return asked(() => end(isAccount));
    },
  };
}
