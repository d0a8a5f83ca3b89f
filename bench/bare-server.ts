// The lower bound of these requests' cost: node:http and pg, hand-written statements, no count, no
// validation.
import { createHash, createHmac, randomUUIDv7, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import pg from 'pg';
import { createSecrets } from '../apps/server/src/platform/keys/secrets.ts';
import { ask, type Row, type Statement } from './bare-statements.ts';

export interface BareOptions {
  databaseUrl: string;
  secretKey: string;
}

interface Actor {
  id: string;
  email: string;
  is_admin: boolean;
  permissions: string[];
}

interface Sale {
  actor: { id: string; email: string };
  key: string;
  /** The body as sent. */
  text: string;
}

type Secrets = ReturnType<typeof createSecrets>;

const LIMIT = 50;
const SORT = '-added_date';
/** The price of a sale. */
const COST = 2;

/** Statement and order by path; what has no order is one row. */
const talk: Record<string, [statement: Statement, sort: string | null]> = {
  '/api/tickets': ['ticketsOfOne', '-updated_at'],
  '/api/tickets/counts': ['ticketCounts', null],
  '/api/messages': ['messages', '-publish_at'],
  '/api/messages/unread-count': ['unreadMessages', null],
  '/api/notifications': ['bell', '-created_at'],
  '/api/notifications/unread-count': ['unreadBell', null],
};

/** A line as a reply has it. */
const asLine = (row: Row) => {
  const { name, phone, language, price_minor, currency, notes } = row;
  return { ...row, customer: { name, phone, language, price_minor, currency, note: notes } };
};

/** A sale with its push, written by hand: the necessary writes only, without any checks. */
async function sell(pool: pg.Pool, secrets: Secrets, { actor, key, text }: Sale) {
  const { username, password } = JSON.parse(text);
  const hash = createHash('sha256').update(text).digest('base64');
  const id = randomUUIDv7();
  const client = await pool.connect();
  let sold: { server: Row; line: Row; credits: number };
  try {
    await client.query('begin');
    await ask(client, 'takeKey', [actor.id, key, hash]);
    const [server] = await ask(client, 'server', []);
    const [{ credits }] = await ask(client, 'debit', [actor.id, COST]);
    const address = `${server.host_ip}:${server.port}`;
    const sealed = secrets.seal(password, id);
    const row = [id, username, sealed, address, actor.id, server.id];
    const [line] = await ask(client, 'insertLine', row);
    await ask(client, 'insertTransfer', [randomUUIDv7(), actor.id, COST, id, username]);
    await ask(client, 'want', [server.id, username, id, line.expiry_date]);
    await client.query('commit');
    sold = { server, line, credits };
  } finally {
    client.release();
  }
  const { server, line, credits } = sold;
  await push(
    { ...server, password: secrets.open(server.password, server.id) },
    { username, password, expiryDate: line.expiry_date.split('-').reverse().join('-') },
  );
  await ask(pool, 'settle', [server.id, username]);
  const reply = JSON.stringify({
    line: { ...asLine(line), owner_email: actor.email, owner_name: '' },
    cost: COST,
    credits,
    sync: { ok: true, message: null },
  });
  await ask(pool, 'keepReply', [actor.id, key, reply]);
  return reply;
}

async function readText(stream: IncomingMessage): Promise<string> {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function push(server: Row, account: object): Promise<void> {
  const text = JSON.stringify(account);
  const credentials = Buffer.from(`${server.username}:${server.password}`).toString('base64');
  return new Promise((resolve, reject) => {
    const options = {
      host: server.host_ip,
      port: server.api_port,
      method: 'POST',
      path: '/add-user',
      agent: false,
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      },
    };
    request(options, (reply) => {
      readText(reply).then((answer) => {
        if (reply.statusCode === 200 && JSON.parse(answer)) resolve();
        else reject(new Error(`The card server answered ${reply.statusCode}`));
      }, reject);
    })
      .on('error', reject)
      .end(text);
  });
}

function asPage(rows: Row[], sort: string): string {
  const items = rows.slice(0, LIMIT);
  const last = rows.length > LIMIT ? items.at(-1) : null;
  const next = last && JSON.stringify([sort, last.sort_value, last.id]);
  for (const item of items) item.sort_value = undefined;
  return JSON.stringify({ items, next_cursor: next && Buffer.from(next).toString('base64url') });
}

process.once('message', (options: BareOptions) => serve(options));
process.once('disconnect', () => process.exit());

function serve({ databaseUrl, secretKey }: BareOptions): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, application_name: 'bare' });
  const secrets = createSecrets(secretKey);

  /** The token of the session cookie; null unless the panel signed it. */
  function readToken(req: IncomingMessage): string | null {
    const cookie = /(?:^|; )linekeeper\.session=([^;]*)/.exec(req.headers.cookie ?? '')?.[1];
    const value = decodeURIComponent(cookie ?? '');
    const end = value.lastIndexOf('.');
    const token = value.slice(0, end);
    const signature = Buffer.from(value.slice(end + 1), 'base64');
    const expected = createHmac('sha256', secrets.sessionKey).update(token).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected)
      ? token
      : null;
  }

  async function list(actor: Actor, searchParams: URLSearchParams): Promise<string> {
    const [cursor, q] = [searchParams.get('cursor'), searchParams.get('q')];
    const [, day, id] = cursor ? JSON.parse(Buffer.from(cursor, 'base64url').toString()) : [];
    const seesAll = actor.is_admin || actor.permissions.includes('manage_users');
    let rows: Row[];
    if (!seesAll) rows = await ask(pool, 'subtree', [actor.id]);
    else if (cursor) rows = await ask(pool, 'next', [day, id]);
    else if (q) rows = await ask(pool, 'search', [q]);
    else rows = await ask(pool, 'first', []);
    const items = rows.slice(0, LIMIT).map(asLine);
    const last = rows.length > LIMIT ? items.at(-1) : null;
    const next = last && JSON.stringify([SORT, last.added_date, last.id]);
    return JSON.stringify({ items, next_cursor: next && Buffer.from(next).toString('base64url') });
  }

  /** Accounts, transfers or audit log: what an administrator asks for. */
  async function listRecords(pathname: string, searchParams: URLSearchParams): Promise<string> {
    const account = searchParams.get('account_id');
    const found =
      pathname === '/api/audit'
        ? ask(pool, 'audit', [`%${searchParams.get('q')}%`])
        : account
          ? ask(pool, 'transfers', [account])
          : ask(pool, 'accounts', []);
    return asPage(await found, '-created_at');
  }

  /** Tickets, messages and the bell of one account. */
  async function answerTalk(actor: Actor, pathname: string): Promise<string> {
    const [statement, sort] = talk[pathname] as [Statement, string | null];
    const isOfAll = actor.is_admin && statement === 'ticketsOfOne';
    const rows = await ask(pool, isOfAll ? 'ticketsOfAll' : statement, [actor.id]);
    return sort === null ? JSON.stringify(rows[0]) : asPage(rows, sort);
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://bare');
    const token = readToken(req);
    const isMe = pathname === '/api/me';
    const [found] = token ? await ask(pool, isMe ? 'me' : 'session', [token]) : [];
    if (!found) return send(res, 401, '{}');
    if (isMe) return send(res, 200, JSON.stringify(found));
    if (!found.is_admin && !found.permissions.includes('view_users')) return send(res, 403, '{}');
    if (pathname in talk) return send(res, 200, await answerTalk(found, pathname));
    if (pathname !== '/api/lines') {
      if (!found.is_admin) return send(res, 403, '{}');
      return send(res, 200, await listRecords(pathname, searchParams));
    }
    if (req.method === 'GET') return send(res, 200, await list(found, searchParams));
    const key = String(req.headers['idempotency-key']);
    const sale = { actor: found, key, text: await readText(req) };
    return send(res, 201, await sell(pool, secrets, sale));
  }

  const server = createServer((req, res) => {
    answer(req, res).catch((error) => {
      console.error(error);
      res.writeHead(500, { 'content-length': 0 }).end();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  });
}

function send(res: ServerResponse, status: number, text: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  res.writeHead(status, headers).end(text);
}
