import { createLine, getLine, listLines } from '@linekeeper/contract/lines/lines.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError, call, newIdempotencyKey } from './client.ts';

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const sent = vi.fn<typeof fetch>(async () =>
    Response.json(body, { status, headers: { 'x-request-id': 'r1', ...headers } }),
  );
  vi.stubGlobal('fetch', sent);
  return sent;
}

afterEach(() => vi.unstubAllGlobals());

it('fills the path and omits undefined parameters', async () => {
  const sent = answer(200, {});
  await call(getLine, { params: { id: 'a/b' } });
  await call(listLines, { query: { q: 'żółw', status: undefined, limit: 25 } });
  expect(sent.mock.calls.map(([address]) => address)).toEqual([
    '/api/lines/a%2Fb',
    '/api/lines?q=%C5%BC%C3%B3%C5%82w&limit=25',
  ]);
});

it('sends the given idempotency key, or a generated one where the endpoint needs one', async () => {
  const sent = answer(201, {});
  const body = { username: 'a', password: 'b', subscription_months: 1 };
  await call(createLine, { body }, { idempotencyKey: 'mine' });
  await call(createLine, { body });
  const keys = sent.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'));
  expect(keys[0]).toBe('mine');
  expect(keys[1]).toMatch(/^[0-9a-f]{32}$/);
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey());
});

it('throws the refusal with its fields and request id', async () => {
  answer(422, { code: 'REQUIRED', message: 'no', data: { a: 1 }, fields: { username: 'no' } });
  const error = await call(listLines).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 422,
    code: 'REQUIRED',
    data: { a: 1 },
    fields: { username: 'no' },
    requestId: 'r1',
  });
});

it('passes on Retry-After', async () => {
  answer(429, { code: 'TOO_MANY_ATTEMPTS', message: 'wait' }, { 'retry-after': '60' });
  await expect(call(listLines)).rejects.toMatchObject({ data: { retry_after: 60 } });
});

it('describes an HTML reply of a proxy', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }));
  await expect(call(listLines)).rejects.toMatchObject({ status: 502, code: 'INTERNAL_ERROR' });
});

it('says when the panel cannot be reached', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
  await expect(call(listLines)).rejects.toMatchObject({ status: 0, code: 'NETWORK' });
});

it('passes on an abort', async () => {
  const aborting = new AbortController();
  aborting.abort();
  vi.stubGlobal('fetch', () => Promise.reject(aborting.signal.reason));
  await expect(call(listLines, {}, { signal: aborting.signal })).rejects.toBe(
    aborting.signal.reason,
  );
});
