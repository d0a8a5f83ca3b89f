import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { connectPostgres } from '../../db/connect.ts';
import type { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { metricsOf } from '../../testing/wire/metrics.ts';
import { openStream } from '../../testing/wire/streams.ts';

const MOST_OF_ONE_ACCOUNT = 20;

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

async function openStreams(): Promise<number | undefined> {
  return (await metricsOf(panel.url)).linekeeper_event_streams;
}

/** Requests a stream without waiting for the reply. */
async function askForStream({ url, cookie }: TestClient): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET /api/events HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`);
  return socket;
}

test('a reader that leaves while its session is looked up leaves nothing behind', async () => {
  const database = await connectPostgres(panel.env.DATABASE_URL ?? '');
  const lookingUp = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
    return rows[0]?.count;
  };
  const reseller = await panel.reseller();
  await database.db.transaction().execute(async (tx) => {
    await sql`lock table auth_sessions in access exclusive mode`.execute(tx);
    const sockets = await Promise.all(Array.from({ length: 5 }, () => askForStream(panel.admin)));
    await eventually(async () => expect(await lookingUp()).toBe(sockets.length));
    const closed = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    // The panel has noticed the closed streams once it has replied to a later request.
    expect((await panel.anonymous().get('/health')).status).toBe(200);
  });
  await eventually(async () => expect(await lookingUp()).toBe(0));
  const stream = await openStream(reseller.client);
  await eventually(async () => expect(await openStreams()).toBe(1));
  stream.close();
  await eventually(async () => expect(await openStreams()).toBe(0));
  await database.close();
});

test('of readers that leave within milliseconds none is left', async () => {
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      Array.from({ length: 15 }, async (_, milliseconds) => {
        const socket = await askForStream(panel.admin);
        await sleep(milliseconds);
        socket.destroy();
      }),
    );
  }
  await eventually(async () => expect(await openStreams()).toBe(0));
});

test('one account has at most 20 streams; the next opens when one has ended', async () => {
  const { client } = await panel.reseller();
  const other = await panel.reseller();
  const streams = await Promise.all(
    Array.from({ length: MOST_OF_ONE_ACCOUNT }, () => openStream(client)),
  );
  expect(streams.map(({ status }) => status)).toEqual(Array(MOST_OF_ONE_ACCOUNT).fill(200));
  const refused = await client.get('/api/events');
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_STREAMS' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // The limit is per account.
  const others = await openStream(other.client);
  expect(others.status).toBe(200);
  streams[0]?.close();
  const next = await eventually(async () => {
    const stream = await openStream(client);
    expect(stream.status).toBe(200);
    return stream;
  });
  for (const stream of [...streams, others, next]) stream.close();
  await eventually(async () => expect(await openStreams()).toBe(0));
});
