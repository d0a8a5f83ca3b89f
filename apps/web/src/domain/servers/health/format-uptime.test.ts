import { expect, test } from 'vitest';
import { formatUptime } from './format-uptime.ts';

test.each([
  [1, 'en', '100%'],
  [0.99999, 'en', '99.9%'],
  [0.57, 'en', '57%'],
  [0.982, 'de', '98,2\u00a0%'],
  [0.982, 'pl', '98,2%'],
  [0, 'pt', '0%'],
])('%f in %s is %s', (uptime, language, text) => {
  expect(formatUptime(uptime, language)).toBe(text);
});
