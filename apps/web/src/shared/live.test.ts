import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followLiveChanges } from './live.ts';

class Stream {
  static opened: Stream[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onerror?: () => void;
  isClosed = false;
  constructor() {
    Stream.opened.push(this);
  }
  close() {
    this.isClosed = true;
  }
  say(table: string) {
    this.onmessage?.({ data: JSON.stringify({ table, op: 'UPDATE', id: null }) });
  }
}

const queryClient = new QueryClient();
let asked: unknown[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  Stream.opened = [];
  asked = [];
  vi.stubGlobal('EventSource', Stream);
  // Without them every tab has a stream of its own.
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.spyOn(queryClient, 'invalidateQueries').mockImplementation(async (filters) => {
    asked.push(filters?.queryKey?.[0]);
  });
  stop = followLiveChanges(queryClient);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const stream = () => Stream.opened.at(-1) as Stream;

it('makes one refetch of a burst', () => {
  for (let change = 0; change < 50; change++) stream().say('users');
  stream().say('auth_users');
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(300);
  expect(asked).toEqual(['lines', 'servers', 'me', 'accounts']);
});

it('leaves alone what is being fetched, and asks again after', () => {
  const fetching = vi.spyOn(queryClient, 'isFetching').mockReturnValue(1);
  stream().say('cccam_servers');
  vi.advanceTimersByTime(900);
  expect(asked).toEqual([]);
  fetching.mockReturnValue(0);
  vi.advanceTimersByTime(300);
  expect(asked).toEqual(['servers']);
});

it('asks for everything on every connect', () => {
  stream().onopen?.();
  vi.advanceTimersByTime(300);
  expect([...asked].sort()).toEqual(['accounts', 'jobs', 'lines', 'me', 'servers']);
});

it('ignores what it does not know', () => {
  stream().onmessage?.({ data: 'not json' });
  stream().say('secrets');
  vi.advanceTimersByTime(1000);
  expect(asked).toEqual([]);
});

it('connects again with growing pauses, and asks whether the account is still welcome', () => {
  stream().onerror?.();
  expect(stream().isClosed).toBe(true);
  vi.advanceTimersByTime(1300);
  expect(Stream.opened).toHaveLength(2);
  expect(asked).toEqual(['me']);
  stream().onerror?.();
  vi.advanceTimersByTime(1300);
  expect(Stream.opened).toHaveLength(2);
  vi.advanceTimersByTime(1300);
  expect(Stream.opened).toHaveLength(3);
});

it('stops when it is told to', () => {
  stream().say('users');
  stop();
  expect(stream().isClosed).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(asked).toEqual([]);
  expect(Stream.opened).toHaveLength(1);
});
