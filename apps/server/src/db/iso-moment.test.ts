import { expect, test } from 'vitest';
import { isoMoment } from './iso-moment.ts';

test.each([
  '2026-07-01T12:00:00.123Z',
  '2026-07-01T12:00:00.900Z',
  '2026-07-01T12:00:00.050Z',
  '2026-07-01T12:00:00.000Z',
  '2026-07-01T23:59:59.999Z',
  '-000043-03-15T00:00:00.000Z',
  '+012026-07-01T12:00:00.000Z',
])('%s is that moment, and so it is nearly to the end of its millisecond', (iso) => {
  const seconds = Date.parse(iso) / 1000;
  expect(isoMoment(seconds)).toBe(iso);
  expect(isoMoment(seconds + 0.0009)).toBe(iso);
});
