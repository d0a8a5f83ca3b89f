import { expect, test } from 'vitest';
import { measuredChecks, sparkline } from './sparkline.ts';

test('draws longer latencies higher, from edge to edge', () => {
  const { line, area } = sparkline([20, 80, 50]);
  expect(line).toBe('M0.0 33.6L148.0 4.0L296.0 18.8');
  expect(area).toBe(`${line}V48H0Z`);
});

test('draws small variations almost flat', () => {
  expect(sparkline([24, 25]).line).toBe('M0.0 33.6L296.0 33.1');
});

test('omits tests without a latency', () => {
  const check = (latency_ms: number | null) => ({
    checked_at: '2026-11-21T00:00:00Z',
    status: 'error' as const,
    latency_ms,
    message: null,
  });
  expect(measuredChecks([check(5), check(null), check(7)])).toEqual([5, 7]);
});
