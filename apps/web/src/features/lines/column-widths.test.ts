import { defaultPreferences, lineColumns } from '@linekeeper/contract/preferences.ts';
import { expect, test } from 'vitest';
import { leastWidth } from './column-widths.ts';

/** What a window of 1440 pixels leaves for the table. */
const ROOM = 1080;

test.each(['en', 'de', 'pl', 'pt'])('in %s the columns of the start fit', (language) => {
  expect(leastWidth(defaultPreferences.columns, language)).toBeLessThanOrEqual(ROOM);
});

test('all columns together scroll', () => {
  expect(leastWidth(lineColumns, 'en')).toBeGreaterThan(ROOM);
});
