import { randomUUID } from 'node:crypto';
import { type Shop, seller } from './shop.ts';

export interface Scenario {
  name: string;
  /** What comes back for it. */
  status: number;
  /** Makes the requests of one shop, each time another one. */
  requests(shop: Shop): Promise<() => string>;
}

const ADMIN = 1;
/** About a fourteenth of all accounts stand below it. */
const BIG_RESELLER = 2;

function get(path: string, cookie: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: bench\r\ncookie: ${cookie}\r\n\r\n`;
}

const always = (request: string) => async () => () => request;

let sold = 0;

export const scenarios: Scenario[] = [
  {
    name: 'First page, all lines',
    status: 200,
    requests: (shop) => always(get('/api/lines', shop.cookieOf(ADMIN)))(),
  },
  {
    name: 'Next page by cursor',
    status: 200,
    requests: async (shop) => {
      let cursor = '';
      for (let page = 1; page <= 5; page++) cursor = await nextCursor(shop, cursor);
      return () => get(`/api/lines?cursor=${cursor}`, shop.cookieOf(ADMIN));
    },
  },
  {
    name: 'Search',
    status: 200,
    requests: async (shop) => {
      let asked = 0;
      return () => {
        const word = shop.words[asked++ % shop.words.length];
        return get(`/api/lines?q=${word}`, shop.cookieOf(ADMIN));
      };
    },
  },
  {
    name: "A reseller's subtree",
    status: 200,
    requests: (shop) => always(get('/api/lines', shop.cookieOf(BIG_RESELLER)))(),
  },
  {
    name: 'Create a line',
    status: 201,
    requests: async (shop) => () => {
      const number = sold++;
      const body = JSON.stringify({
        username: `sold-${number}`,
        password: `pw-${number}`,
        subscription_months: 1,
      });
      return [
        'POST /api/lines HTTP/1.1',
        'host: bench',
        `cookie: ${shop.cookieOf(seller(number))}`,
        `idempotency-key: ${randomUUID()}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n');
    },
  },
];

async function nextCursor(shop: Shop, cursor: string): Promise<string> {
  const path = cursor ? `/api/lines?cursor=${cursor}` : '/api/lines';
  const { next_cursor } = await askBoth(shop, path, ADMIN);
  return next_cursor;
}

/** Both servers must say the same, or their speed is not to be compared. */
export async function askBoth(shop: Shop, path: string, account: number) {
  const headers = { cookie: shop.cookieOf(account) };
  const [panel, bare] = await Promise.all(
    [shop.panel, shop.bare].map(async ({ url }) => (await fetch(url + path, { headers })).text()),
  );
  const sorted = (text = '') => JSON.stringify(sortKeys(JSON.parse(text)));
  if (sorted(panel) !== sorted(bare)) {
    throw new Error(
      `${path} is not answered alike:\n${panel?.slice(0, 1000)}\n${bare?.slice(0, 1000)}`,
    );
  }
  return JSON.parse(panel ?? '');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, below]) => [key, sortKeys(below)]));
}

/** Proves on one shop that what is measured is the same work. */
export async function compareAnswers(shop: Shop): Promise<void> {
  await askBoth(shop, '/api/lines', ADMIN);
  await askBoth(shop, '/api/lines', BIG_RESELLER);
  for (const word of shop.words) await askBoth(shop, `/api/lines?q=${word}`, ADMIN);
}
