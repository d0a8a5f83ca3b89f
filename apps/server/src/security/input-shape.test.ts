// @module-tag thorough
import { request } from 'node:http';
import { createConnection } from 'node:net';
import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { dumpWithoutJobs } from '../testing/database/dump.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { JSON_TYPE, type RawReply, sendRaw } from '../testing/wire/raw.ts';
import { sample, sampleBody, samplePath } from '../testing/world/samples.ts';
import { makeWorld, type World } from '../testing/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

const MEGABYTE = 1024 * 1024;
const create = endpoints.find(({ name }) => name === 'createLine') as Endpoint;

function post(body: string | Uint8Array, headers = {}): Promise<RawReply> {
  const { panel, people } = world;
  return sendRaw(panel.url, {
    method: 'POST',
    path: create.path,
    headers: {
      ...JSON_TYPE,
      cookie: people.alpha.client.cookie,
      'idempotency-key': crypto.randomUUID(),
      ...headers,
    },
    body,
  });
}

/** Sends `megabytes` without a Content-Length; returns the status and peak memory. */
function pour(megabytes: number): Promise<{ status: number; peak: number }> {
  const { panel, people } = world;
  const { hostname, port } = new URL(panel.url);
  const chunk = Buffer.alloc(MEGABYTE / 4, 'x');
  const usedBefore = process.memoryUsage().rss;
  let peak = 0;
  return new Promise((resolve, reject) => {
    const headers = { ...JSON_TYPE, cookie: people.alpha.client.cookie };
    const options = { hostname, port, path: create.path, method: 'POST', headers, agent: false };
    const sent = request(options, (reply) => {
      reply.resume();
      reply.on('close', () => resolve({ status: reply.statusCode ?? 0, peak }));
    });
    let isAnswered = false;
    // The panel may close the connection once it has replied.
    sent.on('error', (error) => {
      if (!isAnswered) reject(error);
    });
    sent.on('response', () => {
      isAnswered = true;
    });
    let left = megabytes * 4;
    const write = () => {
      peak = Math.max(peak, process.memoryUsage().rss - usedBefore);
      if (left-- === 0 || sent.destroyed || isAnswered) sent.end();
      else if (sent.write(chunk)) setImmediate(write);
      else sent.once('drain', write);
    };
    write();
  });
}

describe('size', () => {
  test('100 MB are refused after a little of them, without memory for the rest', async () => {
    const { status, peak } = await pour(100);
    expect(status).toBe(413);
    expect(peak).toBeLessThan(50 * MEGABYTE);
    const declared = await post('x', { 'content-length': 100 * MEGABYTE }).catch(() => null);
    expect([413, undefined]).toContain(declared?.status);
    expect((await world.people.alpha.client.get('/api/me')).status).toBe(200);
  });

  test('nesting 10,000 deep is refused wherever it stands', async () => {
    const deep = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000);
    for (const nested of [deep('[', ']'), `${deep('{"a":', '}').replace(':}', ':1}')}`]) {
      for (const body of [
        nested,
        `{"username":${nested}}`,
        `{"status":${nested},"username":"a","password":"b","is_trial":true}`,
        `{"unknown":${nested}}`,
      ]) {
        expect((await post(body)).status).toBe(422);
      }
    }
    expect((await post('['.repeat(200_000))).status).toBe(400);
  });

  test('huge headers are refused before anything reads them', async () => {
    const { alpha } = world.people;
    const headers = { 'x-large': 'x'.repeat(20_000), cookie: alpha.client.cookie };
    expect((await sendRaw(world.panel.url, { path: '/api/me', headers })).status).toBe(431);
    const many = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`x-${i}`, '1']));
    const reply = await sendRaw(world.panel.url, { path: '/api/me', headers: many });
    expect([200, 401, 431]).toContain(reply.status);
    const key = { 'idempotency-key': 'k'.repeat(256) };
    expect((await post(JSON.stringify(sampleBody(create, alpha.own, alpha)), key)).status).toBe(
      422,
    );
  });
});

describe('lists', () => {
  const lists = endpoints.filter(({ query }) => query && 'limit' in query.shape);
  const wrong = [
    'limit=-1',
    'limit=0',
    'limit=1000000000',
    'limit=NaN',
    'limit=1.5',
    'limit=1e9',
    'limit=50&limit=60',
    'sort=password',
    'sort=-id;drop table users',
    'sort=added_date&sort=username',
    `q=${'x'.repeat(5000)}`,
    'q=a&q=b',
    'cursor=zzz',
    `cursor=${'x'.repeat(600)}`,
    `cursor=${Buffer.from('["-added_date","x","y"]').toString('base64url')}`,
    'cursor=a&cursor=b',
    'q=%00',
    'q=a%00b',
  ];

  test.each(wrong)('?%s is refused by every list', async (query) => {
    expect(lists.length).toBeGreaterThan(2);
    for (const endpoint of lists) {
      const path = samplePath(endpoint, world.people.alpha.own);
      const { status, body } = await world.people.admin.client.get(`${path}?${query}`);
      expect([status, body.items], path).toEqual([422, undefined]);
    }
  });

  test('a page holds 100 rows at most and 50 unless asked', async () => {
    for (const { query } of lists) {
      expect(query?.parse({})).toMatchObject({ limit: 50 });
      expect(query?.parse({ limit: '100' })).toMatchObject({ limit: 100 });
      expect(query?.safeParse({ limit: '101' }).success).toBe(false);
    }
  });

  test.each(["'", '%', '_', '\\', '%%%', '\\%_', "' or 1=1 --", '😀'.repeat(40), '$1', '\ufffd'])(
    'a search for %s is a search',
    async (q) => {
      const { admin } = world.people;
      for (const list of lists.filter(({ query }) => query && 'q' in query.shape)) {
        const path = samplePath(list, admin.own);
        const reply = await admin.client.get(`${path}?q=${encodeURIComponent(q)}`);
        expect(reply.status, path).toBe(200);
        // The knowledge base searches the words of the text.
        if (path === '/api/articles') continue;
        // Characters other than letters are searched literally too.
        for (const item of reply.body.items) expect(JSON.stringify(item)).toContain(q);
      }
    },
  );
});

/** Names of all fields that take text. */
function textFields(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const forms = [described, ...(described.oneOf ?? [])] as (typeof described)[];
  const fields = forms
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .filter(([, property]) => JSON.stringify(property).includes('"type":"string"'))
    .map(([name]) => name);
  return [...new Set(fields)];
}

/** Texts with the character, in all formats that a field may require. */
function holding(character: string): unknown[] {
  return [
    character,
    `long enough ${character} text`,
    `a${character}b@panel.example`,
    `https://panel.example/${character}`,
    `2026-01-01${character}`,
    [`a${character}b:80`],
    [{ label: `a${character}b` }],
  ];
}

describe('text that no database can hold', () => {
  const bodies = endpoints.flatMap((endpoint) =>
    textFields(endpoint.body).map((field) => ({ endpoint, field, name: endpoint.name })),
  );
  test.each(bodies)('NUL in $field of $name is refused', async ({ endpoint, field }) => {
    const { panel, people } = world;
    await panel.services.db.deleteFrom('rate_limits').execute();
    const { rate_limits: _, ...before } = await dumpWithoutJobs(panel.services.db);
    for (const value of holding('\0')) {
      const request = sample(endpoint, people.admin.own, people.admin);
      const body = { ...sampleBody(endpoint, people.admin.own, people.admin), [field]: value };
      const reply = await sendRaw(panel.url, { ...request, body: JSON.stringify(body) });
      // A password is compared rather than validated, so it is wrong; the group does not exist.
      const refusals = { password: [401, 422], group_id: [404, 422] }[field] ?? [422];
      expect(refusals, `${JSON.stringify(value)}: ${reply.status}`).toContain(reply.status);
    }
    expect(await dumpWithoutJobs(panel.services.db)).toMatchObject(before);
  });

  const queries = endpoints.flatMap((endpoint) =>
    textFields(endpoint.query).map((field) => ({ path: endpoint.path, endpoint, field })),
  );
  test.each(queries)('NUL in $field of $path is refused', async ({ endpoint, field }) => {
    const { client, own } = world.people.admin;
    const path = samplePath(endpoint, own);
    for (const value of ['%00', 'a%00b']) {
      const reply = await client.send(endpoint.method, `${path}?${field}=${value}`);
      expect(reply.status).toBe(422);
    }
  });

  test('bytes that are no UTF-8 and halves of characters end in no error of the server', async () => {
    const text = '{"username":"X","password":"p","is_trial":true,"notes":"X","status":"X"}';
    for (const bytes of ['ff', 'c0af', 'eda080', 'f8a1a1a1a1', 'e282']) {
      const body = Buffer.from(text.replaceAll('X', bytes), 'utf8');
      const broken = Buffer.concat([
        body.subarray(0, 13),
        Buffer.from(bytes, 'hex'),
        Buffer.from(text.slice(14)),
      ]);
      expect((await post(broken)).status, bytes).toBeLessThan(500);
    }
    for (const half of ['\\ud800', '\\udc00', '\\ud800x', 'a\\udfff']) {
      for (const field of ['notes', 'name', 'username', 'password', 'info', 'status', 'email']) {
        const sale = {
          username: `half-${crypto.randomUUID().slice(-12)}`,
          password: 'p',
          is_trial: true,
        };
        const body = JSON.stringify({ ...sale, [field]: 'HALF' }).replace('HALF', half);
        expect((await post(body)).status, `${field} ${half}`).toBeLessThan(500);
      }
    }
  });
});

describe('paths', () => {
  test.each([
    '/..%2f..%2fpackage.json',
    '/../../package.json',
    '/assets/../../package.json',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/..%5c..%5cpackage.json',
    '/assets/%2e%2e%2f%2e%2e%2fserver/src/main.ts',
    '/....//....//package.json',
    '//etc/passwd',
    '/%2fetc%2fpasswd',
    '/etc/passwd%00.html',
    '/.env',
    '/.git/config',
    '/api/docs/..%2f..%2f..%2f..%2fpackage.json',
    '/api/docs/js/..%2f..%2fpackage.json',
  ])('%s leads out of no folder', async (path) => {
    const { status, text } = await sendRaw(world.panel.url, { path });
    expect([200, 301, 302, 400, 403, 404]).toContain(status);
    // A file of the repository is never served; other paths give a screen of the web app.
    expect(text).not.toMatch(/"workspaces"|"dependencies"|root:|startPanel|\[core\]/);
    if (status === 200) expect(text).toMatch(/^<!doctype html>/i);
  });

  test.each([
    'GET / HTTP/1.1\r\n\r\n',
    'POST /api/auth/sign-out HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    'GET http://169.254.169.254/ HTTP/9.9\r\nhost: a\r\n\r\n',
  ])('what is no HTTP is answered 400 and hung up on: %j', async (bytes) => {
    const { hostname, port } = new URL(world.panel.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = createConnection(Number(port), hostname, () => socket.write(bytes));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', reject).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 (400|431|505) /);
    expect(answer).not.toMatch(/ at |node_modules/);
  });
});
