import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

test('draws more lines higher, from edge to edge', () => {
  const { line, area } = sparkline([20, 80, 50]);
  expect(line).toBe('M0.0 33.6L148.0 4.0L296.0 18.8');
  expect(area).toBe(`${line}V48H0Z`);
});

test('draws small variations almost flat', () => {
  expect(sparkline([24, 25]).line).toBe('M0.0 33.6L296.0 29.9');
});
