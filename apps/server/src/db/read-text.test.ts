import { expect, test } from 'vitest';
import { isoMoment, readMoment, readTexts } from './read-text.ts';

test.each([
  ['2026-07-01 12:00:00.123456+00', '2026-07-01T12:00:00.123Z'],
  ['2026-07-01 12:00:00.9+00', '2026-07-01T12:00:00.900Z'],
  ['2026-07-01 12:00:00.05+00', '2026-07-01T12:00:00.050Z'],
  ['2026-07-01 12:00:00+00', '2026-07-01T12:00:00.000Z'],
  ['2026-07-01 12:00:00.999999+00', '2026-07-01T12:00:00.999Z'],
  ['2026-07-01 14:30:00.5+02:30', '2026-07-01T12:00:00.500Z'],
  ['2026-07-01 05:00:00-07', '2026-07-01T12:00:00.000Z'],
  ['0044-03-15 00:00:00+00 BC', '-000043-03-15T00:00:00.000Z'],
  ['12026-07-01 12:00:00+00', '+012026-07-01T12:00:00.000Z'],
])('the moment %s is %s', (text, iso) => {
  expect(readMoment(text).toISOString()).toBe(iso);
  const [, microseconds = '0'] = /\.(\d+)/.exec(text) ?? [];
  const seconds = Math.floor(Date.parse(iso) / 1000) + Number(`0.${microseconds}`);
  expect(isoMoment(seconds)).toBe(iso);
});

test.each([
  ['{}', []],
  ['{""}', ['']],
  ['{host.example:12000}', ['host.example:12000']],
  ['{a,b c}', ['a', 'b c']],
  ['{"a,b","say \\"so\\"","{}"}', ['a,b', 'say "so"', '{}']],
  ['{NULL,"null",nullable}', [null, 'null', 'nullable']],
  ['[2:3]={a,b}', ['a', 'b']],
])('the array %s is %j', (text, texts) => {
  expect(readTexts(text)).toEqual(texts);
});
