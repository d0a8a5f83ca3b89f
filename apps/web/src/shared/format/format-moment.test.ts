import { expect, it } from 'vitest';
import { formatDate, formatMomentInUtc } from './format-moment.ts';

it.each([
  ['en', '05 Nov 2026 12:07 am UTC'],
  ['de', '05 Nov 2026 12:07 am UTC'],
  ['pl', '05 lis 2026 12:07 am UTC'],
  ['pt', '05 nov 2026 12:07 am UTC'],
])('shows a moment in one form, in %s', (language, shown) => {
  expect(formatMomentInUtc('2026-11-05T00:07:00.000Z', language)).toBe(shown);
});

it('has no hour 0 or 13', () => {
  expect(formatMomentInUtc('2026-11-05T12:00:00.000Z', 'en')).toBe('05 Nov 2026 12:00 pm UTC');
  expect(formatMomentInUtc('2026-11-05T13:30:00.000Z', 'en')).toBe('05 Nov 2026 1:30 pm UTC');
});

it('shows a day without its time', () => {
  expect(formatDate('2026-11-05T12:00:00.000Z', 'en')).toBe('05 Nov 2026');
});
