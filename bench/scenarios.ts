import { randomUUID } from 'node:crypto';
import { seededAccount } from '../apps/server/src/testing/seed/lines.ts';
import { BUSY_ACCOUNT } from '../apps/server/src/testing/seed/records.ts';
import { type Fixture, type Kind, seller } from './fixture.ts';
import type { Running } from './servers.ts';

export interface Scenario {
  name: string;
  /** Which rows it is about; lines by default. */
  on?: Kind;
  /** The expected HTTP status. */
  status: number;
  /** Makes the requests of one fixture, each time another one. */
  requests(fixture: Fixture): Promise<() => string>;
}

const ADMIN = 1;
/** About one in fourteen accounts is below this one. */
const BIG_RESELLER = 2;
/** One in twenty of all tickets, messages and notifications is this one's. */
const BUSY = 2;

const talkPaths: { name: string; path: string; account: number }[] = [
  { name: 'Tickets of all', path: '/api/tickets', account: ADMIN },
  { name: 'Tickets of one account', path: '/api/tickets', account: BUSY },
  { name: 'Badge of the tickets', path: '/api/tickets/counts', account: BUSY },
  { name: 'Messages', path: '/api/messages', account: BUSY },
  { name: 'Badge of the messages', path: '/api/messages/unread-count', account: BUSY },
  { name: 'Bell', path: '/api/notifications', account: BUSY },
  { name: 'Badge of the bell', path: '/api/notifications/unread-count', account: BUSY },
];

function get(path: string, cookie: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: bench\r\ncookie: ${cookie}\r\n\r\n`;
}

const always = (request: string) => async () => () => request;

let sold = 0;

export const scenarios: Scenario[] = [
  {
    name: 'Who is signed in',
    status: 200,
    requests: (fixture) => always(get('/api/me', fixture.cookieOf(BIG_RESELLER)))(),
  },
  {
    name: 'First page, all lines',
    status: 200,
    requests: (fixture) => always(get('/api/lines', fixture.cookieOf(ADMIN)))(),
  },
  {
    name: 'Next page by cursor',
    status: 200,
    requests: async (fixture) => {
      let cursor = '';
      for (let page = 1; page <= 5; page++) cursor = await nextCursor(fixture, cursor);
      return () => get(`/api/lines?cursor=${cursor}`, fixture.cookieOf(ADMIN));
    },
  },
  {
    name: 'Search',
    status: 200,
    requests: async (fixture) => {
      let asked = 0;
      return () => {
        const word = fixture.words[asked++ % fixture.words.length];
        return get(`/api/lines?q=${word}`, fixture.cookieOf(ADMIN));
      };
    },
  },
  {
    name: "A reseller's subtree",
    status: 200,
    requests: (fixture) => always(get('/api/lines', fixture.cookieOf(BIG_RESELLER)))(),
  },
  {
    name: 'Create a line',
    status: 201,
    requests: async (fixture) => () => {
      const number = sold++;
      const body = JSON.stringify({
        username: `sold-${number}`,
        password: `pw-${number}`,
        subscription_months: 1,
      });
      return [
        'POST /api/lines HTTP/1.1',
        'host: bench',
        `cookie: ${fixture.cookieOf(seller(number))}`,
        `idempotency-key: ${randomUUID()}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n');
    },
  },
  {
    name: 'Accounts, first page',
    on: 'records',
    status: 200,
    requests: (fixture) => always(get('/api/accounts', fixture.cookieOf(ADMIN)))(),
  },
  {
    name: "An account's transfers",
    on: 'records',
    status: 200,
    requests: (fixture) => always(get(transfersPath, fixture.cookieOf(ADMIN)))(),
  },
  {
    name: 'Search of the audit log',
    on: 'records',
    status: 200,
    requests: async (fixture) => {
      let asked = 0;
      return () => {
        const name = fixture.words[asked++ % fixture.words.length];
        return get(auditPath(name), fixture.cookieOf(ADMIN));
      };
    },
  },
  ...talkPaths.map(
    ({ name, path, account }): Scenario => ({
      name,
      on: 'talk',
      status: 200,
      requests: (fixture) => always(get(path, fixture.cookieOf(account)))(),
    }),
  ),
];

const transfersPath = `/api/credits/transfers?account_id=${seededAccount(BUSY_ACCOUNT)}`;
const auditPath = (name: string | undefined) => `/api/audit?q=${name}`;

async function nextCursor(fixture: Fixture, cursor: string): Promise<string> {
  const path = cursor ? `/api/lines?cursor=${cursor}` : '/api/lines';
  const { next_cursor } = await askBoth(fixture, path, ADMIN);
  return next_cursor;
}

/**
 * Fields that only the panel returns: the count of a list, each line's sync state, servers, page, payment, suspension and
 * what is wrong with its name, what the reader may do with an account, what an act was about in words, and the names behind its ids.
 */
const notOfBare = new Set([
  'total',
  'total_is_exact',
  'sync_state',
  'sync_message',
  'sync_finding',
  'servers',
  'on_server',
  'suspension',
  'name_problem',
  'may',
  'facts',
  'names',
  'presence',
  'sharing_exempt',
  'server_away_since',
  'bundle',
  'taken',
  'line',
  'page',
  'payment',
]);

/** Throws unless both servers give the same reply; otherwise their speeds cannot be compared. */
async function askBoth(fixture: Fixture, path: string, account: number) {
  const headers = { cookie: fixture.cookieOf(account) };
  const ask = async ({ url }: Running) => (await fetch(url + path, { headers })).text();
  // The bare server waits as long as it takes to read the files of a large database for the first
  // time; the panel gives up before.
  const bare = await ask(fixture.bare);
  const panel = await ask(fixture.panel);
  const compared = (text = '') => JSON.stringify(comparable(JSON.parse(text)));
  if (compared(panel) !== compared(bare)) {
    throw new Error(
      `${path} is not answered alike:\n${panel?.slice(0, 1000)}\n${bare?.slice(0, 1000)}`,
    );
  }
  return JSON.parse(panel ?? '');
}

/** Sorts the keys. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .filter(([key]) => !notOfBare.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, below]) => [key, comparable(below)]));
}

/** Proves on one fixture that what is measured is the same work. */
export async function compareAnswers(fixture: Fixture): Promise<void> {
  if (fixture.kind === 'talk') {
    for (const { path, account } of talkPaths) await askBoth(fixture, path, account);
    return;
  }
  if (fixture.kind === 'records') {
    await askBoth(fixture, '/api/accounts', ADMIN);
    await askBoth(fixture, transfersPath, ADMIN);
    for (const name of fixture.words) await askBoth(fixture, auditPath(name), ADMIN);
    return;
  }
  await askBoth(fixture, '/api/me', BIG_RESELLER);
  await askBoth(fixture, '/api/lines', ADMIN);
  await askBoth(fixture, '/api/lines', BIG_RESELLER);
  for (const word of fixture.words) await askBoth(fixture, `/api/lines?q=${word}`, ADMIN);
}
