// What a panel costs at least: node:http and pg, the same session, the same statements, the same reply.
import { createHmac, randomUUIDv7, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import pg from 'pg';
import { createSecrets } from '../apps/server/src/core/secrets.ts';
import type { Statement } from '../apps/server/src/testing/statements.ts';
import { cursorOf, given, type PageKind, type Recording } from './statements.ts';

pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface BareOptions {
  databaseUrl: string;
  secretKey: string;
  recording: Recording;
}

// biome-ignore lint/suspicious/noExplicitAny: rows as they come
type Row = any;
type Queryable = pg.Pool | pg.PoolClient;
interface Actor {
  id: string;
  is_admin: boolean;
  permissions: string[];
}

const MAX_COUNTED = 10_000;
const LIMIT = 50;

process.once('message', (options: BareOptions) => serve(options));
process.once('disconnect', () => process.exit());

function serve({ databaseUrl, secretKey, recording }: BareOptions): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const secrets = createSecrets(secretKey);

  async function run(db: Queryable, { sql, parameters }: Statement, values: Row = {}) {
    const { rows } = await db.query(
      sql,
      parameters.map((parameter) => values[parameter as string] ?? parameter),
    );
    return rows;
  }

  async function findActor(req: IncomingMessage): Promise<Actor | null> {
    const cookie = /(?:^|; )linekeeper\.session=([^;]*)/.exec(req.headers.cookie ?? '')?.[1];
    const value = decodeURIComponent(cookie ?? '');
    const end = value.lastIndexOf('.');
    const token = value.slice(0, end);
    const signature = Buffer.from(value.slice(end + 1), 'base64');
    const expected = createHmac('sha256', secrets.sessionKey).update(token).digest();
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return null;
    const [row] = await run(pool, recording.session, { [given.token]: token });
    return row ?? null;
  }

  async function list(actor: Actor, url: URL) {
    const { searchParams } = url;
    const [cursor, q] = [searchParams.get('cursor'), searchParams.get('q')];
    const kind: PageKind = cursor ? 'next' : q ? 'search' : 'first';
    const seesAll = actor.is_admin || actor.permissions.includes('manage_users');
    const [page, count] = recording.pages[seesAll ? 'all' : 'subtree'][kind];
    if (!page) throw new Error('No page was recorded.');
    const [, day, id] = cursor ? JSON.parse(Buffer.from(cursor, 'base64url').toString()) : [];
    const values = {
      [given.account]: actor.id,
      [given.text]: q,
      [given.cursorDay]: day,
      [given.cursorId]: id,
    };
    const [rows, counted] = await Promise.all([
      run(pool, page, values),
      count ? run(pool, count, values) : null,
    ]);
    const last = rows.length > LIMIT ? rows[LIMIT - 1] : null;
    const total = counted?.[0].count;
    return {
      items: rows.slice(0, LIMIT).map(({ sort_value, ...row }: Row) => row),
      next_cursor: last && cursorOf('-added_date', last.sort_value, last.id),
      total: counted && Math.min(total, MAX_COUNTED),
      total_is_exact: counted && total <= MAX_COUNTED,
    };
  }

  const sell = prepareSale(pool, secrets, recording.sale, run);

  const server = createServer((req, res) => {
    answer(req, res).catch((error) => {
      console.error(error);
      res.writeHead(500, { 'content-length': 0 }).end();
    });
  });
  async function answer(req: IncomingMessage, res: ServerResponse) {
    const actor = await findActor(req);
    const mayList = actor?.is_admin || actor?.permissions.includes('view_users');
    if (!actor || !mayList) return send(res, 401, {});
    const url = new URL(req.url ?? '', 'http://bare');
    if (req.method === 'GET') return send(res, 200, await list(actor, url));
    const key = String(req.headers['idempotency-key']);
    return send(res, 201, await sell(actor, key, JSON.parse(await readText(req))));
  }
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  });
}

function send(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  res.writeHead(status, headers).end(text);
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A sale as recorded: what belongs to it alone is replaced in every parameter that holds it. */
function prepareSale(
  pool: pg.Pool,
  secrets: ReturnType<typeof createSecrets>,
  recorded: Statement[],
  run: (db: Queryable, statement: Statement) => Promise<Row[]>,
) {
  const order = recorded.map(({ sql }) => sql);
  const begin = order.indexOf('begin');
  const commit = order.indexOf('commit');
  const [earlier] = recorded as [Statement];
  const inTransaction = recorded.slice(begin + 1, commit);
  const insertLine = inTransaction.find(({ sql }) => sql.startsWith('insert into "users"'));
  const transfer = inTransaction.find(({ sql }) =>
    sql.startsWith('insert into "credit_transfers"'),
  );
  if (recorded.length - commit !== 7) {
    throw new Error(`A sale is not what it was:\n${order.join('\n')}`);
  }
  const [claim, server, wanted, settle, findLine, keepReply] = recorded.slice(commit + 1) as [
    Statement,
    Statement,
    Statement,
    Statement,
    Statement,
    Statement,
  ];
  const find = (statement: Statement | undefined, fits: (text: string) => boolean) =>
    String(statement?.parameters.find((value) => typeof value === 'string' && fits(value)));
  const lineId = find(wanted, () => true);
  const sealed = find(insertLine, (text) => text.startsWith('v1:'));
  const transferId = String(transfer?.parameters[0]);
  const lease = String(settle.parameters.at(-1));

  const ofOneSale = [...Object.values(given), lineId, sealed, transferId, lease];
  /** For each parameter what in it belongs to the recorded sale alone; found once, not in each sale. */
  const holes = new Map(
    recorded.map(({ sql, parameters }) => [
      sql,
      parameters.map((parameter) =>
        typeof parameter === 'string' ? ofOneSale.filter((text) => parameter.includes(text)) : [],
      ),
    ]),
  );
  const ask = (db: Queryable, { sql, parameters }: Statement, own: Record<string, string>) =>
    run(db, {
      sql,
      parameters: parameters.map((parameter, index) =>
        (holes.get(sql)?.[index] ?? []).reduce<Row>(
          (text, hole) => (text === hole ? own[hole] : text.replaceAll(hole, own[hole])),
          parameter,
        ),
      ),
    });

  async function carryOut(username: string, own: Record<string, string>): Promise<void> {
    const [claimed] = await ask(pool, claim, own);
    // The panel beside it looks for what is due every two seconds, and was first.
    if (!claimed) return;
    const [target] = await ask(pool, server, own);
    const [stored] = await ask(pool, wanted, own);
    await push(
      { ...target, password: secrets.open(target.password, target.id) },
      {
        username,
        password: secrets.open(stored.password, stored.id),
        expiryDate: claimed.wanted.expiry_date.split('-').reverse().join('-'),
      },
    );
    await ask(pool, settle, { ...own, [lease]: claimed.lease });
  }

  return async (actor: Actor, key: string, body: { username: string; password: string }) => {
    const id = randomUUIDv7();
    const hash = createHmac('sha256', secrets.sessionKey).update(JSON.stringify([null, body]));
    const own: Record<string, string> = {
      [given.account]: actor.id,
      [given.username]: body.username,
      [given.key]: key,
      [given.bodyHash]: hash.digest('base64'),
      [lineId]: id,
      [sealed]: secrets.seal(body.password, id),
      [transferId]: randomUUIDv7(),
    };
    await ask(pool, earlier, own);
    const client = await pool.connect();
    let credits = 0;
    try {
      await client.query('begin');
      for (const statement of inTransaction) {
        const [row] = await ask(client, statement, own);
        credits = row?.credits ?? credits;
      }
      await client.query('commit');
    } finally {
      client.release();
    }
    await carryOut(body.username, own);
    const [line] = await ask(pool, findLine, own);
    const reply = { line, cost: 2, credits, sync: { ok: true, message: null } };
    await run(pool, {
      sql: keepReply.sql,
      parameters: [
        JSON.stringify(reply),
        ...keepReply.parameters.slice(1).map((value) => own[String(value)] ?? value),
      ],
    });
    return reply;
  };
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
