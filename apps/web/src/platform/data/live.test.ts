import { BACK_MARGIN_MS } from '@linekeeper/contract/live.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followLiveChanges, refetchWithEvent } from './live.ts';

class Stream {
  static opened: Stream[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onerror?: () => void;
  isClosed = false;
  #named = new Map<string, () => void>();
  readonly address: string;
  constructor(address: string) {
    this.address = address;
    Stream.opened.push(this);
  }
  addEventListener(name: string, listener: () => void) {
    this.#named.set(name, listener);
  }
  tell(name: string) {
    this.#named.get(name)?.();
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
  // Without BroadcastChannel, each tab opens its own stream.
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

it('combines a burst of changes into one refetch', () => {
  for (let change = 0; change < 50; change++) stream().say('users');
  stream().say('auth_users');
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(300);
  expect([...asked].sort()).toEqual([
    'accounts',
    'activity',
    'dashboard',
    'groups',
    'lines',
    'me',
    'servers',
    'transfers',
  ]);
});

it('asks who is online once a minute, however many servers are read', () => {
  const countOf = (name: string) => asked.filter((one) => one === name).length;
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      vi.advanceTimersByTime(1000);
      stream().tell('beat');
    }
  };
  stream().say('server_presence');
  pass(1);
  expect(countOf('lines')).toBe(1);
  for (let server = 0; server < 25; server++) {
    stream().say('server_presence');
    pass(1);
  }
  expect(countOf('lines')).toBe(1);
  pass(60);
  expect(countOf('lines')).toBe(2);
  expect(countOf('dashboard')).toBe(2);
  pass(60);
  expect(countOf('lines')).toBe(2);
});

it('asks at most once in two seconds, however many changes come, and for the last of them', () => {
  for (let change = 0; change < 100; change++) {
    stream().say(change % 2 ? 'users' : 'auth_users');
    vi.advanceTimersByTime(100);
  }
  const countOf = (name: string) => asked.filter((one) => one === name).length;
  expect(countOf('dashboard')).toBe(5);
  expect(countOf('lines')).toBe(5);
  vi.advanceTimersByTime(2000);
  expect(countOf('dashboard')).toBe(6);
  vi.advanceTimersByTime(10_000);
  expect(countOf('dashboard')).toBe(6);
  // A change after a pause is shown immediately.
  stream().say('users');
  vi.advanceTimersByTime(300);
  expect(countOf('dashboard')).toBe(7);
});

it('asks once for what a change of this page and its events make stale', () => {
  const countOf = (name: string) => asked.filter((one) => one === name).length;
  stream().say('users');
  vi.advanceTimersByTime(250);
  refetchWithEvent(queryClient, ['lines', 'me']);
  vi.advanceTimersByTime(250);
  // The last event may come after the reply.
  stream().say('users');
  vi.advanceTimersByTime(5000);
  expect(countOf('lines')).toBe(1);
  expect(countOf('me')).toBe(1);
});

it('asks once however long before the reply the event of an own change comes', async () => {
  const meta = { isRefetchedLater: true };
  const mutationFn = () => new Promise<void>((reply) => setTimeout(reply, 3000));
  const command = queryClient.getMutationCache().build(queryClient, { mutationFn, meta });
  const sent = command.execute(undefined);
  await vi.advanceTimersByTimeAsync(100);
  stream().say('users');
  await vi.advanceTimersByTimeAsync(2500);
  stream().say('users');
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(400);
  refetchWithEvent(queryClient, ['lines', 'me']);
  await sent;
  await vi.advanceTimersByTimeAsync(5000);
  expect([...asked].sort()).toEqual([
    'accounts',
    'activity',
    'dashboard',
    'lines',
    'me',
    'servers',
  ]);
});

it('does not cut off a running request, and refetches after it', () => {
  const fetching = vi.spyOn(queryClient, 'isFetching').mockReturnValue(1);
  stream().say('cccam_servers');
  vi.advanceTimersByTime(900);
  expect(asked).toEqual([]);
  fetching.mockReturnValue(0);
  vi.advanceTimersByTime(300);
  expect([...asked].sort()).toEqual(['dashboard', 'lines', 'servers']);
});

it('refetches everything on every connect', () => {
  stream().onopen?.();
  vi.advanceTimersByTime(300);
  expect([...asked].sort()).toEqual([
    'accounts',
    'activation-codes',
    'activity',
    'articles',
    'book',
    'canned-replies',
    'contact',
    'credits',
    'dashboard',
    'groups',
    'jobs',
    'lines',
    'me',
    'messages',
    'notifications',
    'packages',
    'presence',
    'redeem-codes',
    'redemptions',
    'servers',
    'tickets',
    'top-ups',
    'transfers',
  ]);
});

it('refetches nothing if the stream covers the time since the page was opened', () => {
  expect(stream().address).toMatch(/\?back=\d+$/);
  stream().onopen?.();
  stream().tell('caught-up');
  vi.advanceTimersByTime(1000);
  expect(asked).toEqual([]);
});

it('refetches what changed between the first fetch and the stream', () => {
  stream().onopen?.();
  stream().say('cccam_servers');
  stream().tell('caught-up');
  stream().say('users');
  vi.advanceTimersByTime(300);
  expect([...asked].sort()).toEqual(['accounts', 'activity', 'dashboard', 'lines', 'servers']);
});

it('refetches everything after a stream that opened late', () => {
  vi.advanceTimersByTime(BACK_MARGIN_MS + 1000);
  stream().onopen?.();
  stream().tell('caught-up');
  vi.advanceTimersByTime(300);
  expect(asked).toContain('lines');
});

it('refetches everything after a reconnect', () => {
  stream().onopen?.();
  stream().tell('caught-up');
  stream().onerror?.();
  vi.advanceTimersByTime(1300);
  asked = [];
  expect(stream().address).not.toContain('back');
  stream().onopen?.();
  vi.advanceTimersByTime(300);
  expect([...asked].sort()).toEqual([
    'accounts',
    'activation-codes',
    'activity',
    'articles',
    'book',
    'canned-replies',
    'contact',
    'credits',
    'dashboard',
    'groups',
    'jobs',
    'lines',
    'me',
    'messages',
    'notifications',
    'packages',
    'presence',
    'redeem-codes',
    'redemptions',
    'servers',
    'tickets',
    'top-ups',
    'transfers',
  ]);
});

it('ignores unknown messages', () => {
  stream().onmessage?.({ data: 'not json' });
  stream().say('secrets');
  vi.advanceTimersByTime(1000);
  expect(asked).toEqual([]);
});

it('reconnects with growing pauses and refetches the account', () => {
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

it('stops when asked to', () => {
  stream().say('users');
  stop();
  expect(stream().isClosed).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(asked).toEqual([]);
  expect(Stream.opened).toHaveLength(1);
});

it('asks for everything where not even the first beat arrives, until one does', () => {
  stream().onopen?.();
  stream().tell('beat');
  vi.advanceTimersByTime(300);
  asked = [];
  // A stream that has become silent is opened again, and not delayed.
  vi.advanceTimersByTime(45_000);
  expect(Stream.opened).toHaveLength(2);
  expect(asked).toEqual([]);

  // Only the headers of the request are passed on.
  stream().onopen?.();
  vi.advanceTimersByTime(300);
  asked = [];
  vi.advanceTimersByTime(60_000);
  expect(stream().isClosed).toBe(true);
  const rounds = asked.filter((name) => name === 'lines').length;
  expect(rounds).toBeGreaterThanOrEqual(1);
  vi.advanceTimersByTime(15_000);
  expect(asked.filter((name) => name === 'lines').length).toBe(rounds + 1);

  vi.advanceTimersByTime(5 * 60_000);
  stream().tell('beat');
  vi.advanceTimersByTime(1000);
  asked = [];
  vi.advanceTimersByTime(40_000);
  expect(asked).toEqual([]);
});

it('asks for everything, too, where the stream is cut before anything arrives', () => {
  vi.advanceTimersByTime(30_000);
  stream().onerror?.();
  vi.advanceTimersByTime(300);
  expect(asked).toContain('lines');
});
