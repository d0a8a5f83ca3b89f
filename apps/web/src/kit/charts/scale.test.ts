import { expect, test } from 'vitest';
import { roundScale } from './scale.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [9, [0, 2, 4, 6, 8, 10]],
  [60, [0, 20, 40, 60]],
  [248, [0, 50, 100, 150, 200, 250]],
  [10_000, [0, 2000, 4000, 6000, 8000, 10_000]],
])('a scale to %i has round numbers', (highest, scale) => {
  expect(roundScale(highest)).toEqual(scale);
});

test('every number finds room on few lines', () => {
  for (let highest = 0; highest < 3000; highest++) {
    const scale = roundScale(highest);
    expect(scale.at(-1)).toBeGreaterThanOrEqual(highest);
    expect(scale.length).toBeLessThanOrEqual(6);
    expect(scale.every(Number.isInteger)).toBe(true);
  }
});
