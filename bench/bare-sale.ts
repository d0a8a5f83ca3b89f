// A sale with its push, written by hand: the necessary writes only, without any checks.
import { createHash, randomUUIDv7 } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import type pg from 'pg';
import type { createSecrets } from '../apps/server/src/platform/keys/secrets.ts';
import { ask, type Row } from './bare-statements.ts';

const COST = 2;

interface Sale {
  actor: { id: string; email: string };
  key: string;
  /** The body as sent. */
  text: string;
}

type Secrets = ReturnType<typeof createSecrets>;

export async function sell(pool: pg.Pool, secrets: Secrets, { actor, key, text }: Sale) {
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
    line: { ...line, owner_email: actor.email, owner_name: '' },
    cost: COST,
    credits,
    sync: { ok: true, message: null },
  });
  await ask(pool, 'keepReply', [actor.id, key, reply]);
  return reply;
}

export async function readText(stream: IncomingMessage): Promise<string> {
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
