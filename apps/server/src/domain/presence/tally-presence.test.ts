import { expect, test } from 'vitest';
import type { StoredCounters } from '../../db/schema/server-schema.ts';
import type { OnlineAccount } from '../machines/card-server/driver.ts';
import { type KnownLine, minutesBetween, type Reading, tally } from './tally-presence.ts';

const at = new Date('2026-11-27T18:10:30Z');
const ago = (seconds: number) => new Date(at.getTime() - 1000 * seconds);

const reading = (more: Partial<Reading> = {}): Reading => ({
  server_id: 'leeds',
  at,
  read_at: ago(60),
  started_at: ago(86_400),
  readings: new Map(),
  kept_addresses: 'network',
  sharing_connections: 1,
  sharing_suspend_hours: 0,
  hashNetwork: (network) => network.length,
  ...more,
});
const counters = (ok: number, refused = 0, started_at: Date | null = ago(86_400)) => ({
  ok,
  refused,
  timed_out: 0,
  started_at: started_at?.toISOString() ?? null,
});
const line = (more: Partial<KnownLine> = {}): KnownLine => ({
  line_id: 'line',
  username: 'anna',
  server_id: 'leeds',
  connections: 1,
  since: ago(600),
  counters: counters(100, 10),
  over_limit: null,
  sharing: null,
  sessions: null,
  places: null,
  seen_on: null,
  first_id: 'leeds',
  is_several: false,
  is_watched: true,
  ...more,
});
const account = (more: Partial<OnlineAccount> = {}): OnlineAccount => ({
  username: 'anna',
  connections: 1,
  sessions: [{ protocol: 'cccam', address: '203.0.113.7', since: ago(900).toISOString() }],
  counters: { ok: 130, refused: 12, timed_out: 0 },
  answer_ms: 80,
  ...more,
});

test('counts what the counters rose by, and keeps the network of an address', () => {
  expect(tally(reading(), line(), account())).toMatchObject({
    connections: 1,
    since: ago(600),
    last_seen_at: 'infinity',
    protocol: 'cccam',
    sessions: [{ protocol: 'cccam', network: '203.0.113.0/24', since: ago(900).toISOString() }],
    minutes: 1,
    ok: 30,
    refused: 2,
    timed_out: 0,
    answer_ms: 80,
    answers: 1,
    networks: ['203.0.113.0/24'.length],
  });
});

test('keeps nothing of an address where the setting says so, and still tells networks apart', () => {
  const found = tally(reading({ kept_addresses: 'none' }), line(), account());
  expect(found.sessions).toMatchObject([{ network: null }]);
  expect(found.networks).toHaveLength(1);
  expect(JSON.stringify(found)).not.toContain('203.0');
});

test.each<[string, Partial<Reading>, StoredCounters | null, OnlineAccount['counters'], number]>([
  [
    'after a restart that is said, from 0',
    { started_at: ago(20) },
    counters(100, 10),
    { ok: 7, refused: 0, timed_out: 0 },
    7,
  ],
  [
    'after a restart, though the counters are already higher',
    { started_at: ago(20) },
    counters(3),
    { ok: 7, refused: 0, timed_out: 0 },
    7,
  ],
  [
    'nothing where a counter went back without one',
    {},
    counters(100, 10),
    { ok: 130, refused: 0, timed_out: 0 },
    0,
  ],
  [
    'nothing where a start lies before the known one',
    { started_at: ago(90_000) },
    counters(100),
    { ok: 130, refused: 0, timed_out: 0 },
    0,
  ],
  [
    'nothing where the start is not said any more',
    { started_at: null },
    counters(100),
    { ok: 130, refused: 0, timed_out: 0 },
    0,
  ],
  [
    'what was added where no start is ever said',
    { started_at: null },
    counters(100, 0, null),
    { ok: 130, refused: 0, timed_out: 0 },
    30,
  ],
  [
    'a start some seconds off as the same',
    { started_at: ago(86_398) },
    counters(100),
    { ok: 130, refused: 0, timed_out: 0 },
    30,
  ],
  ['nothing at the first reading of a line', {}, null, { ok: 5000, refused: 0, timed_out: 0 }, 0],
  ['nothing where counters are not said', {}, counters(100), null, 0],
  [
    'nothing after hours without a reading',
    { read_at: ago(7200) },
    counters(100),
    { ok: 9000, refused: 0, timed_out: 0 },
    0,
  ],
  [
    'nothing after the clock was set back',
    { read_at: ago(-300) },
    counters(100),
    { ok: 130, refused: 0, timed_out: 0 },
    0,
  ],
  [
    'nothing of a number that is none',
    {},
    counters(100),
    { ok: Number.NaN, refused: 0, timed_out: 0 },
    0,
  ],
])('counts %s', (_, changed, before, now, ok) => {
  const found = tally(reading(changed), line({ counters: before }), account({ counters: now }));
  expect(found).toMatchObject({ ok, refused: 0, timed_out: 0 });
});

test('a line that has moved here begins anew', () => {
  const found = tally(reading(), line({ server_id: 'york', since: ago(9000) }), account());
  expect(found).toMatchObject({ ok: 0, refused: 0, since: ago(60), connections: 1 });
});

test('a begin that a wrong clock says is not before the last reading without the line, nor ahead', () => {
  const off = line({ connections: 0, since: ago(9000) });
  const since = (said: Date | null, changed: Partial<Reading> = {}) =>
    tally(
      reading(changed),
      off,
      account({
        sessions: [{ protocol: null, address: null, since: said?.toISOString() ?? null }],
      }),
    ).since;
  expect(since(ago(30))).toEqual(ago(30));
  expect(since(ago(3600))).toEqual(ago(60));
  expect(since(ago(-3600))).toEqual(at);
  expect(since(null)).toEqual(at);
  // No reading was made at that time.
  expect(since(ago(3600), { read_at: null })).toEqual(ago(3600));
  expect(since(ago(3600), { read_at: ago(7200) })).toEqual(ago(3600));
});

test('a line that is off was last seen at the reading before, and its counters wait for it', () => {
  expect(tally(reading(), line(), null)).toMatchObject({
    connections: 0,
    since: ago(60),
    last_seen_at: ago(60),
    sessions: [],
    counters: counters(100, 10),
    minutes: 0,
  });
  const later = tally(reading({ read_at: ago(7200) }), line(), null);
  expect(later).toMatchObject({ last_seen_at: ago(7200), counters: null });
});

test('minutes sum up to those that have passed, and no more where nobody looked', () => {
  let minutes = 0;
  let read_at = new Date('2026-11-27T10:00:01Z');
  for (let index = 0; index < 58; index++) {
    const next = new Date(read_at.getTime() + 61_000);
    minutes += minutesBetween({ read_at, at: next });
    read_at = next;
  }
  expect(minutes).toBe(58);
  expect(minutesBetween({ read_at: ago(36_000), at })).toBe(2);
  expect(minutesBetween({ read_at: ago(-600), at })).toBe(0);
  expect(minutesBetween({ read_at: null, at })).toBe(0);
});
