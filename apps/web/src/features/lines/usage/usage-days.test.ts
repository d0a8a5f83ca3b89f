import type { Usage, UsageDay } from '@linekeeper/contract/lines/usage.ts';
import { expect, it } from 'vitest';
import { shownDays, sumOf } from './usage-days.ts';

const day = (of: string, changes: Partial<UsageDay> = {}): UsageDay => ({
  day: of,
  minutes_known: 1440,
  minutes_online: 0,
  requests_ok: 0,
  requests_refused: 0,
  requests_timed_out: 0,
  mean_ms: null,
  most_connections: 0,
  networks: 0,
  ...changes,
});

const usage = (days: UsageDay[], state: Usage['presence']['state'] = 'offline'): Usage => ({
  presence: { state, connections: 0, since: null, last_seen_at: null, protocol: null },
  read_at: null,
  sessions: [],
  can_end_sessions: false,
  days,
  refusals: null,
  sharing: null,
});

it('tells a day that nobody knows from one without connections, and from one before the sale', () => {
  const days = [
    day('2026-11-18', { minutes_known: 0 }),
    day('2026-11-19', { minutes_known: 0 }),
    day('2026-11-20'),
    day('2026-11-21', { minutes_online: 90 }),
  ];
  const unknown = (of: Usage) => shownDays(of, '2026-11-19').map(({ isUnknown }) => isUnknown);
  expect(unknown(usage(days))).toEqual([false, true, false, false]);
  expect(unknown(usage(days, 'unknown'))).toEqual([false, true, false, true]);
});

it('takes shares of all requests, and none of none', () => {
  const days = shownDays(
    usage([
      day('2026-11-20'),
      day('2026-11-21', {
        minutes_online: 60,
        requests_ok: 55,
        requests_refused: 40,
        requests_timed_out: 5,
      }),
    ]),
    '2026-01-01',
  );
  expect(days.map(({ refused }) => refused)).toEqual([0, 0.4]);
  expect(sumOf(days)).toEqual({ minutes: 60, known: 2880, refused: 0.4 });
});
