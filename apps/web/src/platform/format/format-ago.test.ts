import { expect, it } from 'vitest';
import { formatAgo } from './format-ago.ts';

const now = Date.parse('2026-11-27T12:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

it.each([
  [20, 'now', '20 seconds ago'],
  [-5, 'now', '0 seconds ago'],
  [200, '3 minutes ago', '3 minutes ago'],
  [7300, '2 hours ago', '2 hours ago'],
  [200_000, '25 Nov 2026', '25 Nov 2026'],
])('tells a moment of %d seconds ago', (seconds, plain, counted) => {
  expect(formatAgo(ago(seconds), 'en', { now })).toBe(plain);
  expect(formatAgo(ago(seconds), 'en', { now, inSeconds: true })).toBe(counted);
});

it.each([
  ['de', 'vor 3 Minuten'],
  ['pl', '3 minuty temu'],
  ['pt', 'há 3 minutos'],
])('tells it in %s', (language, words) => {
  expect(formatAgo(ago(200), language, { now })).toBe(words);
});
