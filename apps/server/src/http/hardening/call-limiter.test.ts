// @module-tag thorough
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { sql } from 'kysely';
import papaparse from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestReply } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { sendRaw } from '../../testing/wire/raw.ts';

const ROWS = 16_000;
const AT_ONCE = 8;
const MAY_WAIT = 200;
const FILES_AT_ONCE = 2;
const FILES_MAY_WAIT = 8;

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

/** A finished job with more rows than all buffers on the way can hold. */
async function makeLargeJob({ id }: TestAccount, at = panel, rows = ROWS): Promise<string> {
  const job = crypto.randomUUID();
  const { db } = at.services;
  await sql`insert into jobs (id, account_id, action, state, total, finished_at)
    values (${job}, ${id}, 'delete', 'done', ${rows}, now())`.execute(db);
  await sql`insert into job_items (job_id, position, username, state)
    select ${job}, position, position || repeat('x', 1200), 'done'
      from generate_series(1, ${rows}::int) as position`.execute(db);
  return job;
}

/** Requests the file without reading it yet. */
async function openFile({ client }: TestAccount, job: string): Promise<IncomingMessage> {
  const headers = { cookie: client.cookie };
  const asked = request(`${panel.url}/api/jobs/${job}/csv`, { headers, agent: false }).end();
  asked.on('error', () => {});
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  reply.on('error', () => {});
  return reply;
}

async function readRows(reply: IncomingMessage): Promise<string[][]> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk);
  return papaparse.parse<string[]>(Buffer.concat(chunks).toString(), { skipEmptyLines: true }).data;
}

describe('a large file', () => {
  test('is made while it is read: what is not asked for yet is not in memory', async () => {
    const reader = await panel.reseller();
    const job = await makeLargeJob(reader);
    const reply = await openFile(reader, job);
    expect(reply.statusCode).toBe(200);
    // The client reads nothing yet, so the rows deleted here have not been read from the database.
    await sql`delete from job_items where job_id = ${job} and position > ${ROWS - 1000}`.execute(
      panel.services.db,
    );
    const [head, ...rows] = await readRows(reply);
    expect(head?.[1]).toBe('username');
    expect(rows).toHaveLength(ROWS - 1000);
    expect(rows.at(-1)?.[0]).toBe(String(ROWS - 1000));
  });

  test('that nobody reads holds up further files of its account, and nothing else', async () => {
    const [reader, other] = [await panel.reseller(), await panel.reseller()];
    const job = await makeLargeJob(reader);
    const open = [];
    for (let file = 0; file < FILES_AT_ONCE; file++) open.push(await openFile(reader, job));
    const further = Array.from({ length: FILES_MAY_WAIT + 5 }, () => openFile(reader, job));
    const refused = await Promise.race(further);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await reader.client.get('/api/me')).status).toBe(200);
    const others = await openFile(other, await makeLargeJob(other));
    expect(others.statusCode).toBe(200);
    others.destroy();
    // Slots of closed requests are given to waiting requests.
    for (const reply of open) reply.destroy();
    const statuses: (number | undefined)[] = [];
    for (const coming of further) {
      coming.then((reply) => {
        statuses.push(reply.statusCode);
        reply.destroy();
      });
    }
    await Promise.all(further);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(statuses.filter((status) => status === 200)).toHaveLength(FILES_MAY_WAIT);
    await eventually(async () =>
      expect((await openFile(reader, job)).destroy().statusCode).toBe(200),
    );
  });
});

/** Sends a change without its last byte, so that the panel has begun to read it. `end` sends the byte. */
async function beginChange({ client }: TestAccount, name: string): Promise<ClientRequest> {
  const body = JSON.stringify({ full_name: name });
  const change = request(`${panel.url}/api/me`, {
    method: 'PATCH',
    agent: false,
    headers: {
      cookie: client.cookie,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  change.on('error', () => {});
  change.flushHeaders();
  await once(change, 'continue');
  change.write(body.slice(0, -1));
  return change;
}

const beginChanges = (account: TestAccount, count: number, name: string) =>
  Promise.all(Array.from({ length: count }, () => beginChange(account, name)));

describe('more calls than an account may have under way', () => {
  test('wait for their turn, and others do not wait behind them', async () => {
    const [busy, other] = [await panel.reseller(), await panel.reseller()];
    const held = await beginChanges(busy, AT_ONCE, 'held');
    const replies: TestReply[] = [];
    const waiting = Array.from({ length: MAY_WAIT + 30 }, (_, index) =>
      busy.client.patch('/api/me', { full_name: `waited ${index}` }).then((reply) => {
        replies.push(reply);
      }),
    );
    // Only requests beyond the queue get an error.
    await eventually(() => expect(replies.some(({ status }) => status === 429)).toBe(true));
    for (const client of [other.client, panel.admin]) {
      expect((await client.patch('/api/me', { full_name: 'Somebody Else' })).status).toBe(200);
    }
    // The account's reads do not wait for its changes.
    expect((await busy.client.get('/api/me')).status).toBe(200);
    const answers = held.map((change) => once(change, 'response'));
    for (const change of held) change.end('}');
    for (const [reply] of await Promise.all(answers)) expect(reply.statusCode).toBe(200);
    await Promise.all(waiting);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.length).toBeLessThanOrEqual(30);
    for (const reply of refused) {
      expect(reply).toMatchObject({
        status: 429,
        body: {
          code: 'TOO_MANY_CALLS',
          message: 'Too many requests at the same time. Please wait a moment and try again.',
        },
      });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  test('of callers that have left are not made, and hold no place', async () => {
    const busy = await panel.reseller();
    const held = await beginChanges(busy, AT_ONCE, 'held');
    const left = await beginChanges(busy, 20, 'by nobody');
    for (const change of left) change.end('}');
    await eventually(() => expect(left.every(({ socket }) => socket?.writableLength === 0)));
    for (const change of [...held, ...left]) change.destroy();
    await eventually(async () => {
      const replies = await Promise.all(
        Array.from({ length: 2 * AT_ONCE }, () => busy.client.patch('/api/me', { full_name: 'x' })),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(2 * AT_ONCE).fill(200));
    });
    expect((await busy.client.get('/api/me')).body.full_name).toBe('x');
  });

  test('are answered only to who is still signed in when their turn comes', async () => {
    const busy = await panel.reseller();
    const held = await beginChanges(busy, AT_ONCE, 'held');
    const waiting = Array.from({ length: MAY_WAIT + 30 }, () =>
      busy.client.patch('/api/me', { full_name: 'after the end' }),
    );
    const replies: TestReply[] = [];
    for (const coming of waiting) void coming.then((reply) => replies.push(reply));
    await eventually(() => expect(replies.some(({ status }) => status === 429)).toBe(true));
    const answeredBefore = replies.filter(({ status }) => status === 200).length;
    await panel.services.db.deleteFrom('auth_sessions').where('user_id', '=', busy.id).execute();
    for (const change of held) change.end('}');
    await Promise.all(waiting);
    const count = (wanted: number) => replies.filter(({ status }) => status === wanted).length;
    // Requests in progress at that time are completed.
    expect(count(200)).toBeLessThanOrEqual(answeredBefore + AT_ONCE);
    expect(count(401)).toBeGreaterThanOrEqual(MAY_WAIT - AT_ONCE);
    expect(count(200) + count(401) + count(429)).toBe(waiting.length);
  });
});

describe('on the embedded database, which computes in the same process', () => {
  let embedded: TestPanel;
  beforeAll(async () => {
    embedded = await startTestPanel('embedded');
  });

  const CONNECTIONS = 300;
  /** Requests that enter before the others, at most. Without limits, all 100 files or 300 pages would come first. */
  const SERVED_BEFORE = 50;

  test.each([
    [
      'files',
      async (greedy: TestAccount) => `/api/jobs/${await makeLargeJob(greedy, embedded, 3000)}/csv`,
    ],
    ['pages', async () => '/api/lines?limit=100'],
  ])(
    'others are heard while one account opens hundreds of connections for %s',
    async (_, pathFor) => {
      const [greedy, other] = [await embedded.reseller(), await embedded.reseller()];
      const path = await pathFor(greedy);
      const ask = ({ client }: TestAccount, path: string) =>
        sendRaw(embedded.url, { path, headers: { cookie: client.cookie } });
      const statuses: number[] = [];
      const calls = Array.from({ length: CONNECTIONS }, async () => {
        statuses.push((await ask(greedy, path)).status);
      });
      expect((await ask(other, '/api/me')).status).toBe(200);
      expect(statuses.filter((status) => status === 200).length).toBeLessThan(SERVED_BEFORE);
      await Promise.all(calls);
      // Some wait for a slot, and the excess ones are refused.
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
    },
  );
});
