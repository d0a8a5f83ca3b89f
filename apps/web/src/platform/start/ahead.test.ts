import { getMe, signOut } from '@linekeeper/contract/auth/auth.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, sendCallsBy } from '#platform/api/client.ts';
import { askEarly, fetchUnlessAsked } from './ahead.ts';

const asked: string[] = [];

sendCallsBy(fetchUnlessAsked);

beforeEach(() => {
  asked.length = 0;
  // Early replies are used in the first seconds of a page, and a test process may be older, so the time is set.
  vi.spyOn(performance, 'now').mockReturnValue(1000);
  // Without a network, each reply would be checked by another request.
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return new Response(JSON.stringify({ asked: asked.length }));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('what was asked for ahead is not asked again, and is taken once', async () => {
  askEarly('/api/me');
  expect(await call(getMe)).toEqual({ asked: 1 });
  expect(asked).toEqual(['/api/me']);
  expect(await call(getMe)).toEqual({ asked: 2 });
});

test('a reply that was left for long is asked for again', async () => {
  askEarly('/api/me');
  vi.spyOn(performance, 'now').mockReturnValue(60_000);
  expect(await call(getMe)).toEqual({ asked: 2 });
});

test('an early call that failed is told like any other', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  askEarly('/api/me');
  await expect(call(getMe)).rejects.toMatchObject({ code: 'NETWORK' });
});

test('what one session asked for is not told to the next', async () => {
  askEarly('/api/me');
  await call(signOut);
  expect(await call(getMe)).toEqual({ asked: 3 });
});
