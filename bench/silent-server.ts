import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Fixture, seller } from './fixture.ts';

/** So many sales each time. */
const SALES = 20;
const ADMIN = 1;

export interface SilentSales {
  /** The 95th percentile in ms: of sales on a server that answers at once. */
  healthy: number;
  /** On one that holds every change and answers none. */
  silent: number;
  /** On the first again, while others sell on the silent one. */
  meanwhile: number;
}

let sold = 0;

/** Sells beside a card server that answers tests and is silent about changes. */
export async function measureSilentServer(fixture: Fixture): Promise<SilentSales> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') response.end('{"version":"1"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  try {
    const [first] = (await ask(fixture, ADMIN, 'GET', '/api/servers')).items;
    const { id } = (await ask(fixture, ADMIN, 'POST', '/api/servers', silentAt(port))).server;
    await ask(fixture, ADMIN, 'POST', `/api/servers/${id}/test`);
    await oneByOne(fixture, first.id);
    const healthy = percentile(await oneByOne(fixture, first.id));
    // At once, because a server that was silent for long is in error, and nothing is sold on it.
    const beside = Promise.all(Array.from({ length: SALES }, () => sell(fixture, id)));
    const meanwhile = percentile(await oneByOne(fixture, first.id));
    return { healthy, silent: percentile(await beside), meanwhile };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const silentAt = (api_port: number | undefined) => ({
  server_name: 'Silent server',
  host_ip: '127.0.0.1',
  port: 12000,
  api_port,
  username: 'panel',
  password: 'the password of a card server',
});

const percentile = (took: number[]) =>
  took.toSorted((one, other) => one - other)[Math.ceil(took.length * 0.95) - 1] ?? 0;

/** How long a sale takes, in ms. */
async function sell(fixture: Fixture, server_id: string): Promise<number> {
  const number = sold++;
  const [username, password] = [`beside-${number}`, `pw-${number}`];
  const begun = performance.now();
  const body = { username, password, subscription_months: 1, server_id };
  await ask(fixture, seller(number), 'POST', '/api/lines', body);
  return performance.now() - begun;
}

async function oneByOne(fixture: Fixture, server_id: string): Promise<number[]> {
  const took: number[] = [];
  for (let sale = 0; sale < SALES; sale++) took.push(await sell(fixture, server_id));
  return took;
}

async function ask(
  { panel, cookieOf }: Fixture,
  account: number,
  method: string,
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: only what is named is read of a reply
): Promise<any> {
  const response = await fetch(`${panel.url}${path}`, {
    method,
    headers: {
      cookie: cookieOf(account),
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
