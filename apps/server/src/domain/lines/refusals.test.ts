import { expect, test } from 'vitest';
import { findRefusals, type Hour } from './refusals.ts';

const now = new Date('2026-11-27T18:40:00Z');
/** Hours that end now, each with its requests and how many of these were refused; null is an hour without. */
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
  expect(findRefusals(hours([600, 6], [600, 12], [600, 240], [300, 120]), now, null)).toMatchObject(
    {
      since: '2026-11-27T17:00:00.000Z',
      share: 0.4,
      usual: 0.015,
    },
  );
});

test('a pause is passed, and nothing is usual for a line that was never on before', () => {
  expect(findRefusals(hours([100, 50], null, [100, 50]), now, null)).toMatchObject({
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
  expect(findRefusals(given, now, null)).toBeNull();
});

test('they did not begin before the line was on', () => {
  const since = (connected: string) =>
    findRefusals(hours([300, 150], [300, 150]), now, new Date(connected))?.since;
  expect(since('2026-11-27T17:54:45Z')).toBe('2026-11-27T17:54:45.000Z');
  // It has connected again since.
  expect(since('2026-11-27T18:20:00Z')).toBe('2026-11-27T17:00:00.000Z');
  expect(since('2026-11-26T08:00:00Z')).toBe('2026-11-27T17:00:00.000Z');
});
