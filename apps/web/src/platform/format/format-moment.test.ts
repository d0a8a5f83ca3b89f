import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatDate, formatMomentInUtc } from './format-moment.ts';

it.each([
  ['en', '05 Nov 2026 12:07 am UTC'],
  ['de', '05 Nov 2026 00:07 UTC'],
  ['pl', '05 lis 2026 00:07 UTC'],
  ['pt', '05 nov 2026 00:07 UTC'],
])('shows a moment in one form, in %s', { tags: ['spec:9.18'] }, (language, shown) => {
  expect(formatMomentInUtc('2026-11-05T00:07:00.000Z', language)).toBe(shown);
});

it('has no hour 0 or 13 in English', { tags: ['spec:9.18'] }, () => {
  expect(formatMomentInUtc('2026-11-05T12:00:00.000Z', 'en')).toBe('05 Nov 2026 12:00 pm UTC');
  expect(formatMomentInUtc('2026-11-05T13:30:00.000Z', 'en')).toBe('05 Nov 2026 1:30 pm UTC');
});

it.each(['de', 'pl', 'pt'])('counts 24 hours in %s', (language) => {
  const timeOf = (moment: string) => formatMomentInUtc(moment, language).slice(-'HH:mm UTC'.length);
  expect(timeOf('2026-11-05T09:05:00.000Z')).toBe('09:05 UTC');
  expect(timeOf('2026-11-05T12:00:00.000Z')).toBe('12:00 UTC');
  expect(timeOf('2026-11-05T23:59:00.000Z')).toBe('23:59 UTC');
});

it('shows a day without its time', { tags: ['spec:9.18'] }, () => {
  // Noon in the time zone of the machine that runs the test.
  expect(formatDate(new Date(2026, 10, 5, 12).toISOString(), 'en')).toBe('05 Nov 2026');
});

const sources = globSync('**/*.{ts,tsx}', { cwd: join(import.meta.dirname, '../..') });

it('is the only place that says what time it is', () => {
  const others = sources.filter((file) => {
    if (file.endsWith('format-moment.ts') || file.endsWith('.test.ts')) return false;
    const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
    return /toLocaleTimeString|timeStyle|hourCycle|hour12|\bhour: '|[`' ][ap]m[`']/.test(text);
  });
  expect(others).toEqual([]);
});
