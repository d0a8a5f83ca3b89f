import { gzipSync } from 'node:zlib';
import { isMutation } from '@linekeeper/contract/endpoint.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../platform/ids.ts';
import { TestClient } from '../testing/client.ts';
import { startTestPanel, type TestPanel } from '../testing/panel.ts';
import { endpoints } from '../testing/wire/endpoints.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

/** Sends a raw body with the given content type. */
async function send(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  method = 'POST',
) {
  const response = await fetch(panel.url + path, {
    method,
    body,
    headers: { cookie: panel.admin.cookie, 'idempotency-key': crypto.randomUUID(), ...headers },
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) };
}
const json = { 'content-type': 'application/json' };

describe('a body that is not JSON', () => {
  const line = JSON.stringify({ username: 'a', password: 'b', subscription_months: 1 });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  test.each([
    ['cut off', line.slice(0, -1), json],
    ['with a comma too many', '{"username":"a",}', json],
    ['two of them', `${line}${line}`, json],
    ['empty but announced', '', json],
    ['setting a prototype', '{"__proto__":{"is_admin":true}}', json],
    ['JSON sent as text', line, { 'content-type': 'text/plain' }],
    ['a form', 'username=a&password=b', form],
    ['a form with a file', line, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['XML', '<a/>', { 'content-type': 'application/xml' }],
    ['of a type that is none', line, { 'content-type': 'json' }],
    ['packed', gzipSync(line), { ...json, 'content-encoding': 'gzip' }],
  ])('is refused: %s', async (_, body, headers) => {
    expect(await send('/api/lines', body, headers)).toEqual({
      status: 400,
      body: { code: 'NOT_JSON', message: 'The request body is not valid JSON', data: {} },
    });
  });

  test('is nothing, announced as JSON to a call without fields', async () => {
    expect((await send('/api/notifications/read-all', '', json)).status).toBe(200);
  });

  const taking = endpoints.filter((call) => isMutation(call) && !call.takesFile);
  test.each(taking)('$name refuses JSON that is no object', async (call) => {
    const path = call.path.replace(/\{\w+\}/g, newId());
    // A call without fields accepts null as an empty body.
    for (const body of ['[]', '[{}]', '"text"', '1', 'true', ...(call.body ? ['null'] : [])]) {
      expect([body, await send(path, body, json, call.method)]).toEqual([
        body,
        {
          status: 422,
          body: {
            code: 'BODY_NOT_OBJECT',
            message: 'The request body must be a JSON object',
            data: {},
          },
        },
      ]);
    }
  });

  test('what is wrong with a body as a whole has no field without a name', async () => {
    const { status, body } = await send('/api/lines/bulk', '{"action":"nothing"}', json);
    expect(status).toBe(422);
    expect(Object.keys({ ...body.fields, ...body.data.field_codes })).not.toContain('');
  });
});

test('a body above the limit is refused, one below it is read', async () => {
  const padded = (bytes: number) => JSON.stringify({ username: 'a', password: 'x'.repeat(bytes) });
  expect(await send('/api/lines', padded(256 * 1024), json)).toEqual({
    status: 413,
    body: { code: 'PAYLOAD_TOO_LARGE', message: 'The request is too large', data: {} },
  });
  expect((await send('/api/lines', padded(200 * 1024), json)).status).toBe(422);
});

describe('what is not there', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/lines/1/2/3',
    '/api/lines/%zz',
    '/assets/nothing.js',
  ])('%s answers 404 in the shape of every error', async (path) => {
    const reply = await panel.admin.get(path);
    expect([reply.status, reply.body]).toEqual([
      404,
      { code: 'NOT_FOUND', message: 'Not found', data: {} },
    ]);
  });

  test('nor is a call with another method', async () => {
    expect((await panel.admin.send('PUT', '/api/lines', {})).body.code).toBe('NOT_FOUND');
    expect((await panel.admin.delete('/api/lines')).body.code).toBe('NOT_FOUND');
  });

  test('an id of any length is no id', async () => {
    for (const length of [101, 5000]) {
      const reply = await panel.admin.get(`/api/lines/${'1'.repeat(length)}`);
      expect(reply).toMatchObject({ status: 422, body: { message: 'Invalid user ID' } });
    }
  });
});

describe('wrong input', () => {
  test('names every field, with sentence and code', async () => {
    const reply = await panel.admin.post('/api/servers', {
      server_name: 'S',
      host_ip: 'x'.repeat(254),
      port: 0,
      username: 'u',
      password: 'p',
      protocol: 'HTTP',
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      code: 'TOO_LONG',
      message: 'At most 253 characters',
      data: {
        maximum: 253,
        field_codes: {
          host_ip: 'TOO_LONG',
          port: 'CCCAM_PORT_RANGE',
          protocol: 'INVALID_VALUE',
        },
      },
      fields: {
        host_ip: 'At most 253 characters',
        port: 'CCcam port must be between 1 and 65535',
        protocol: 'Invalid value',
      },
    });
  });

  test('a missing body lacks every field', async () => {
    expect((await panel.admin.post('/api/servers')).body.message).toBe(
      'Missing required fields: server_name, host_ip, port, username, password',
    );
  });

  test('an Idempotency-Key longer than any should be is refused', async () => {
    const reply = await panel.admin.post(
      '/api/lines/quote',
      { action: 'create', is_trial: true },
      {
        'idempotency-key': 'k'.repeat(256),
      },
    );
    expect(reply).toMatchObject({
      status: 422,
      body: {
        code: 'VALIDATION_FAILED',
        fields: { 'idempotency-key': 'At most 255 characters' },
      },
    });
  });
});

test('who is not signed in learns nothing of what is wrong with the rest', async () => {
  const anonymous = new TestClient(panel.url);
  for (const [path, body] of [
    ['/api/lines', {}],
    ['/api/servers', { port: 0 }],
    [`/api/lines/${crypto.randomUUID()}/reveal`, undefined],
  ] as const) {
    const reply = await anonymous.post(path, body);
    expect([reply.status, reply.body]).toEqual([
      401,
      { code: 'NO_AUTHENTICATED_USER', message: 'No authenticated user found', data: {} },
    ]);
  }
});

test('every reply carries an id of its own', async () => {
  const ids = await Promise.all(
    ['/health', '/api/me', '/api/nothing'].map(async (path) =>
      (await panel.admin.get(path)).headers.get('x-request-id'),
    ),
  );
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
});
