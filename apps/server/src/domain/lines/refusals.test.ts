import { expect, test } from 'vitest';
import { findRefusals, type Hour } from './refusals.ts';

const now = new Date('2026-11-27T18:40:00Z');
const online = { state: 'online', since: null, last_seen_at: null } as const;
/**
 * The given hours, the last of which ends now, each with the number of requests and of refused
 * ones; null is an hour without a reading.
 */
function hours(...given: ([requests: number, refused: number] | null)[]): Hour[] {
  return given.flatMap((one, index) => {
    if (!one) return [];
    const back = given.length - 1 - index;
    const [requests, refused] = one;
    return [
      {
        hour: new Date(Date.parse('2026-11-27T18:00:00Z') - 3_600_000 * back),
        requests_ok: requests - refused,
        requests_refused: refused,
        requests_timed_out: 0,
      },
    ];
  });
}

test('many refusals are told with since when, and what is usual', () => {
  expect(
    findRefusals(hours([600, 6], [600, 12], [600, 240], [300, 120]), now, online),
  ).toMatchObject({
    since: '2026-11-27T17:00:00.000Z',
    share: 0.4,
    usual: 0.015,
  });
});

test('a pause is passed, and nothing is usual for a line that was never on before', () => {
  expect(findRefusals(hours([100, 50], null, [100, 50]), now, online)).toMatchObject({
    since: '2026-11-27T16:00:00.000Z',
    share: 0.5,
    usual: null,
  });
});

test.each([
  ['none are refused', hours([600, 0], [600, 0])],
  ['a few are refused', hours([600, 60], [600, 90])],
  ['as many are refused as ever', hours([600, 0], [600, 400], [100, 1], [600, 250])],
  ['it was before', hours([600, 300], [600, 300], [600, 3])],
  ['it was hours ago', hours([600, 300], null, null, null)],
  ['there were hardly any requests', hours([600, 3], [9, 9])],
  ['there is nothing', []],
])('nothing is told where %s', (_, given) => {
  expect(findRefusals(given, now, online)).toBeNull();
});

test('they did not begin before the line connected', () => {
  const at = (connected: string) =>
    findRefusals(hours([300, 300], [300, 150]), now, { ...online, since: connected });
  expect(at('2026-11-27T17:54:45.000Z')?.since).toBe('2026-11-27T17:54:45.000Z');
  expect(at('2026-11-26T08:00:00.000Z')?.since).toBe('2026-11-27T17:00:00.000Z');
  // Requests of earlier connections are not counted for the session.
  expect(at('2026-11-27T18:20:00.000Z')).toMatchObject({
    since: '2026-11-27T18:20:00.000Z',
    share: 0.5,
  });
});

test('they are told of lines that are on, or were a moment ago', () => {
  const given = hours([300, 300], [300, 150]);
  const offline = { state: 'offline', since: null } as const;
  const left = (last_seen_at: string) => findRefusals(given, now, { ...offline, last_seen_at });
  expect(left('2026-11-27T18:37:00.000Z')).not.toBeNull();
  expect(left('2026-11-27T18:10:00.000Z')).toBeNull();
  expect(findRefusals(given, now, { ...offline, last_seen_at: null })).toBeNull();
  expect(findRefusals(given, now, { ...online, state: 'unknown' })).toBeNull();
});
